import Messages
import Model
import ServiceKit
import Storage

/// Finds concerts by plugins, and keeps them for a day. What is older stays while it is asked for again.
actor ConcertFinder {
  static let function = "searchArtistEvents"
  private static let deadline = Duration.seconds(30)
  private static let lifetime = Milliseconds(86_400_000)
  /// The most artists for whom plugins are asked at the same time.
  private static let atOnce = 5
  /// The most artists for whom plugins are asked in all.
  private static let artistLimit = 50

  private let registry: PluginRegistry
  private let database: Database
  /// Returns the artists that were played lately, the most played first.
  private let heard: @Sendable (_ limit: Int) async throws -> [String]
  private let log: Log
  private let now: @Sendable () -> Timestamp
  private var waiting: [String] = []
  private var running: Set<String> = []
  /// The number of artists that were asked for, and the number that each of them was.
  private var ended = 0
  private var endedAs: [String: Int] = [:]
  private var failures: [String: Resolver.PluginFailure] = [:]

  init(
    registry: PluginRegistry, database: Database, log: Log, now: @escaping @Sendable () -> Timestamp = { .now() },
    heard: @escaping @Sendable (_ limit: Int) async throws -> [String]
  ) {
    self.registry = registry
    self.database = database
    self.log = log
    self.now = now
    self.heard = heard
  }

  /// Lists concerts.
  ///
  /// - Throws: `resolver.noConcerts`, and the errors of the library.
  func list(_ request: Resolver.ListConcerts) async throws -> Resolver.ConcertList {
    guard try await !plugins().isEmpty else {
      throw LunaraError(
        "resolver.noConcerts",
        "No plugin that finds concerts is switched on. concerts.axe of the examples is one (docs/plugins, or /usr/share/doc/lunara/examples/plugins); `lunara plugins add` installs it."
      )
    }
    if let artist = request.artist, try await read([artist]).first?.found == nil { try await ask(artist) }
    let artists = if let artist = request.artist { [artist] } else { try await heard(Self.artistLimit) }
    let before = ended
    let known = try await read(artists)
    let time = now()
    // Those whose answer came while the database was read are known by now.
    for one in known
    where (one.found == nil || time - one.askedAt > Self.lifetime) && endedAs[one.artist] ?? 0 <= before {
      enqueue(one.artist)
    }
    start()
    return .init(
      concerts: ConcertAnswers.merged(known.flatMap { $0.found ?? [] }, from: try await today()),
      artists: known.count { $0.found != nil }, waiting: waiting.count + running.count,
      failures: failures.values.sorted { $0.plugin.name < $1.plugin.name })
  }

  private func plugins() async throws -> [PluginRegistry.Usable] {
    try await registry.usable().filter { $0.has(Self.function) }
  }

  // MARK: - Asking

  private func enqueue(_ artist: String) {
    if !waiting.contains(artist), !running.contains(artist) { waiting.append(artist) }
  }

  private func start() {
    while running.count < Self.atOnce, !waiting.isEmpty {
      let artist = waiting.removeFirst()
      running.insert(artist)
      Task {
        do { try await ask(artist) } catch { log.error(LunaraError(error)) }
        running.remove(artist)
        ended += 1
        endedAs[artist] = ended
        start()
      }
    }
  }

  /// Asks all plugins for the concerts of an artist, and stores them. Where a plugin fails, what is known stays.
  private func ask(_ artist: String) async throws {
    var found: [Resolver.Concert] = []
    var isWhole = true
    for plugin in try await plugins() {
      do {
        let value = try await plugin.call(Self.function, [.text(artist)], within: Self.deadline)
        found += ConcertAnswers.concerts(value, of: artist, from: plugin.name)
        failures[plugin.file.id] = nil
      } catch {
        let error = LunaraError(error)
        isWhole = false
        failures[plugin.file.id] = .init(plugin: plugin.name, error: error)
        await registry.failed(plugin.file.id, error)
      }
    }
    guard isWhole || !found.isEmpty else { return }
    let (bytes, time) = (try MessageCoding.encode(found), now())
    try await database.write { transaction in
      try transaction.execute(
        "INSERT OR REPLACE INTO concerts (artist, found, asked_at) VALUES (?, ?, ?)", artist, bytes, time)
    }
  }

  private func read(
    _ artists: [String]
  ) async throws -> [(artist: String, found: [Resolver.Concert]?, askedAt: Timestamp)] {
    try await database.read { transaction in
      try artists.map { artist in
        let row = try transaction.row("SELECT found, asked_at FROM concerts WHERE artist = ?", artist) { row in
          (
            found: try MessageCoding.decode([Resolver.Concert].self, from: try row.value(0) as [UInt8]),
            at: try row.value(1) as Timestamp
          )
        }
        return (artist, row?.found, row?.at ?? Timestamp(microseconds: 0))
      }
    }
  }

  /// Returns the day in this machine's time zone, such as `2026-11-24`.
  private func today() async throws -> String {
    let seconds = now().microseconds / 1_000_000
    return try await database.read {
      try $0.value("SELECT strftime('%Y-%m-%d', ?, 'unixepoch', 'localtime')", seconds) ?? ""
    }
  }
}

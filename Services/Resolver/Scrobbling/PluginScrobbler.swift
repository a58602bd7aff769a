import Bus
import Messages
import Model
import ServiceKit
import Storage

/// Tells plugins of plays: those to which a person has allowed it, of listens that no setting of the scrobbler holds
/// back.
actor PluginScrobbler {
  /// The name of the reader whose cursors mark the facts that were read.
  static let reader = "resolver"
  /// Tracks shorter than this are not reported as they begin.
  static let shortest = Milliseconds(30_000)

  private let node: Node
  private let registry: PluginRegistry
  private let store: SharingStore
  private let log: Log
  private var tellers: [String: ScrobbleTeller] = [:]
  /// The ends of tellers that are being stopped.
  private var ending: [String: Task<Void, Never>] = [:]
  private var announcing: Task<Void, Never>?
  private var isFollowing = false

  init(node: Node, registry: PluginRegistry, store: SharingStore, log: Log) {
    self.node = node
    self.registry = registry
    self.store = store
    self.log = log
  }

  /// Goes on for the plugins to which telling was allowed before.
  func start() async throws {
    for plugin in try await store.plugins(sharing: .plays) { try await begin(plugin) }
  }

  /// Ends all tellers. A listen that is being sent is sent again after the next start.
  func stop() async {
    announcing?.cancel()
    for teller in tellers.values { await teller.stop() }
    tellers = [:]
  }

  /// Goes on after a change of plugins or of their settings.
  func wake() async { for teller in tellers.values { await teller.wake() } }

  /// Stops reporting plays to a plugin that no longer gets them.
  func check(_ plugin: String) async throws {
    guard try await !store.isShared(.plays, with: plugin) else { return }
    await end(plugin)
  }

  /// Forgets a plugin that was removed.
  func remove(_ plugin: String) async throws {
    await end(plugin)
    try await store.remove(plugin)
  }

  // MARK: - What people allow

  func list() async throws -> Resolver.SharingList {
    var all: [Resolver.Sharing] = []
    for plugin in try await registry.list().plugins.sorted(by: { $0.id < $1.id })
    where plugin.takesPlays || plugin.takesHistory {
      all.append(try await store.sharing(with: plugin))
    }
    return .init(plugins: all)
  }

  /// - Throws: `resolver.unknownPlugin`, `resolver.notShared`.
  func set(_ request: Resolver.SetSharing) async throws -> Resolver.Sharing {
    let plugin = try await registry.describe(request.plugin)
    let (subject, id) = (request.subject, plugin.id)
    guard subject == .plays ? plugin.takesPlays : subject == .history && plugin.takesHistory else {
      let words = subject == .plays ? "receives no plays" : "uses no history"
      throw LunaraError("resolver.notShared", "\(plugin.name) \(words): it has no function for it.")
    }
    try await store.set(subject, with: id, isAllowed: request.isAllowed, at: .now())
    if subject == .plays {
      if request.isAllowed {
        try await begin(id)
        await tellers[id]?.retry()
      } else {
        await end(id)
      }
    }
    return try await store.sharing(with: plugin)
  }

  // MARK: - Telling

  private func begin(_ plugin: String) async throws {
    await follow()
    // Two tellers of one plugin at a time would send a listen twice.
    while let end = ending[plugin] {
      await end.value
      if ending[plugin] == end { ending[plugin] = nil }
    }
    guard tellers[plugin] == nil, try await store.isShared(.plays, with: plugin), tellers[plugin] == nil else { return }
    let registry = registry
    let teller = ScrobbleTeller(
      outbox: ScrobbleOutbox(plugin: plugin, database: store.database), log: log,
      plugin: { try await registry.usable(plugin) }, failed: { await registry.failed(plugin, $0) })
    tellers[plugin] = teller
    await teller.start()
  }

  /// Stops a teller, and returns after it has stopped.
  private func end(_ plugin: String) async {
    if let teller = tellers.removeValue(forKey: plugin) {
      let former = ending[plugin]
      ending[plugin] = Task {
        await former?.value
        await teller.stop()
      }
    }
    await ending[plugin]?.value
  }

  /// Follows the counted listens and the rooms as soon as one plugin receives plays.
  private func follow() async {
    guard !isFollowing else { return }
    isFollowing = true
    announcing = Task { await announceTracks() }
    let log = log
    await node.follow("scrobble", as: Self.reader, in: store.database) { fact, transaction in
      guard
        let counted = try fact.read(
          Scrobble.ListenCounted.self, keptAs: "resolver.unreadableFact", log, in: transaction),
        try ScrobbleOutbox.enqueue(counted, at: fact.time, transaction)
      else { return }
      transaction.afterCommit { Task { await self.wake() } }
    }
  }

  /// Tells of the track that plays now, whenever it changes.
  private func announceTracks() async {
    var choice = NowPlayingChoice()
    for await observed in await node.states(Playback.RoomState.self) {
      let rooms = observed.map { NowPlayingChoice.Room($0) }
      guard let change = choice.update(rooms) else { continue }
      var playing: (hearing: String, play: ToldPlay)?
      if case .playing(let track, let room) = change, let hearing = choice.current,
        let item = observed.first(where: { $0.value.room == room })?.value.item, await mayBeTold(track, in: room)
      {
        let play = ToldPlay(item, startedAt: .now())
        let isLong = track.duration <= .zero || track.duration >= Self.shortest
        if isLong, play.isNamed { playing = (hearing, play) }
      }
      for teller in tellers.values { await teller.announce(playing) }
    }
  }

  /// Asks the scrobbler if others may know of a track that plays now. Where it does not answer, they may not.
  private func mayBeTold(_ track: Track, in room: RoomName) async -> Bool {
    do {
      return try await node.request(Scrobble.ReadWithheld(track: track, room: room), to: .scrobble).reason == nil
    } catch {
      log.debug("no plugin receives the current track", ["reason": LunaraError(error).message])
      return false
    }
  }
}

import Messages
import Model
import ServiceKit
import Storage

/// Sends plays from the outbox to the servers, oldest first, one at a time for each server.
actor PlaySender {
  private let database: Database
  private let log: Log
  /// The server of a source; nil where there is none now.
  private let server: @Sendable (String) async -> (any MusicServer)?
  private let sleep: @Sendable (Duration) async throws -> Void

  private var work: Task<Void, Never>?
  private var isWanted = false
  private var nap: Task<Void, any Error>?
  private var failures = 0

  init(
    database: Database, log: Log, server: @escaping @Sendable (String) async -> (any MusicServer)?,
    sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
  ) {
    self.database = database
    self.log = log
    self.server = server
    self.sleep = sleep
  }

  /// How long to wait after so many failures in a row: 5 s, doubling to 15 min.
  static func backoff(_ failures: Int) -> Duration { .seconds(min(900, 5 << min(max(0, failures - 1), 8))) }

  /// Begins to send what waits, and what comes.
  func start() {
    guard work == nil else { return }
    work = Task { await run() }
  }

  /// Says that there may be something to send, or that a server is there again.
  func wake() {
    isWanted = true
    nap?.cancel()
  }

  func stop() async {
    work?.cancel()
    nap?.cancel()
    await work?.value
    work = nil
  }

  private func run() async {
    while !Task.isCancelled {
      isWanted = false
      let isClear = await sendAll()
      failures = isClear ? 0 : failures + 1
      guard !Task.isCancelled else { return }
      if isWanted { continue }
      // Nothing waits: only a wake-up ends this. An hour is there for what nobody thought of.
      let time = isClear ? Duration.seconds(3600) : Self.backoff(failures)
      let nap = Task { [sleep] in try await sleep(time) }
      self.nap = nap
      // A nap that was broken off is one that is over.
      _ = await nap.result
      self.nap = nil
    }
  }

  /// Sends until nothing waits; whether nothing does.
  func sendAll() async -> Bool {
    var away: Set<String> = []
    while !Task.isCancelled {
      do {
        let entries = try await database.read { try PlayOutbox.next($0) }.filter { !away.contains($0.source) }
        guard !entries.isEmpty else { return away.isEmpty }
        for entry in entries where await !send(entry) { away.insert(entry.source) }
      } catch {
        log.error(error)
        return false
      }
    }
    return false
  }

  /// Sends one play; false where its server cannot be told now.
  private func send(_ entry: PlayOutbox.Entry) async -> Bool {
    do {
      guard let native = entry.native else { throw PlexError.gone("The server") }
      guard let server = await server(entry.source) else { return false }
      let count = try await server.playCount(of: native)
      if entry.isTelling, PlayDelivery.wasTold(before: entry.before, now: count) {
        try await database.write { try PlayOutbox.end(entry.id, .told, $0) }
        return true
      }
      if !entry.isTelling { try await database.write { try PlayOutbox.note(entry.id, before: count, $0) } }
      try await server.countPlay(of: native, at: entry.countedAt)
      try await database.write { try PlayOutbox.end(entry.id, .told, $0) }
      return true
    } catch {
      let error = LunaraError(error)
      guard error.code == "library.gone" else {
        if !Task.isCancelled { log.debug("a play waits for its server", ["source": entry.source, "code": error.code]) }
        return false
      }
      log.warning("a play was not sent: its server no longer has the track", ["source": entry.source])
      do {
        try await database.write { try PlayOutbox.end(entry.id, .parked, problem: error, $0) }
        return true
      } catch {
        log.error(error)
        return false
      }
    }
  }
}

/// Decides about a play that a server may have been told of before a crash. Pure.
enum PlayDelivery {
  /// Whether it was told, by its count before and now. Where it cannot say it is taken to have been: a play that is
  /// missing is less wrong than one too many.
  static func wasTold(before: Int?, now: Int?) -> Bool {
    guard let before, let now else { return true }
    return now > before
  }
}

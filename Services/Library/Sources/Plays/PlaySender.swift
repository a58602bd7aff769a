import Catalogue
import Messages
import Model
import Records
import ServiceKit
import Storage

/// Sends plays from the outbox to the servers, oldest first, one at a time for each server. A play that a server
/// refuses is sent after the others, and parked after ten refusals.
actor PlaySender {
  private let database: Database
  private let log: Log
  /// Returns the server of a source; nil where there is none now.
  private let server: @Sendable (String) async -> (any MusicServer)?
  /// Called when a play was parked.
  private let parked: @Sendable () async -> Void
  private let loop: OutboxLoop

  init(
    database: Database, log: Log, server: @escaping @Sendable (String) async -> (any MusicServer)?,
    parked: @escaping @Sendable () async -> Void = {}, loop: OutboxLoop = OutboxLoop()
  ) {
    (self.database, self.log, self.server, self.parked, self.loop) = (database, log, server, parked, loop)
  }

  /// Starts to send plays, those that wait and later ones.
  func start() async { await loop.start { await self.sendAll() } }

  /// Wakes the sender to look for plays: one was added, or a server may be reachable again.
  func wake() async { await loop.wake() }

  func stop() async { await loop.stop() }

  /// Sends plays until none is left that can be sent now. Returns true if none is left at all.
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

  /// Sends one play. Returns false where its server should get no further play for a while.
  private func send(_ entry: PlayOutbox.Entry) async -> Bool {
    let id = entry.id
    var entry = entry
    var asked: (any MusicServer)?
    do {
      guard let native = entry.native else { throw SourceError.gone("The source \(entry.source)") }
      guard let server = await server(entry.source) else { return false }
      asked = server
      let count = try await server.playCount(of: native)
      if entry.isSending, PlayOutbox.wasCounted(before: entry.before, now: count) {
        try await database.write { try PlayOutbox.end(id, .sent, $0) }
        return true
      }
      if !entry.isSending {
        try await database.write { try PlayOutbox.note(id, before: count, $0) }
        (entry.isSending, entry.before) = (true, count)
      }
      try await server.countPlay(of: native, at: entry.startedAt)
      try await database.write { try PlayOutbox.end(id, .sent, $0) }
      return true
    } catch {
      return await fail(entry, LunaraError(error), at: asked)
    }
  }

  /// Stores that a play was not sent. Returns false where its server should get no further play for a while.
  private func fail(_ entry: PlayOutbox.Entry, _ error: LunaraError, at server: (any MusicServer)?) async -> Bool {
    guard !Task.isCancelled else { return false }
    let isGone = error.code == "library.gone"
    let isRefused = isGone ? false : await answers(server)
    guard !Task.isCancelled else { return false }
    do {
      guard isGone || (isRefused && entry.failures + 1 >= PlayOutbox.mostFailures) else {
        log.debug("a play waits for its server", ["source": entry.source, "code": error.code])
        // Without a count, a play that failed is taken as not sent; only after a crash is it taken as sent.
        let wasNotSent = entry.isSending && entry.before == nil
        if isRefused || wasNotSent {
          try await database.write { try PlayOutbox.fail(entry.id, isRefused: isRefused, wasNotSent: wasNotSent, $0) }
        }
        return false
      }
      log.warning(
        isGone
          ? "a play was not sent: its server no longer has the track" : "a play was not sent: its server refuses it",
        ["source": entry.source])
      try await database.write { try PlayOutbox.end(entry.id, .parked, problem: error, $0) }
      await parked()
      return true
    } catch {
      log.error(error)
      return false
    }
  }

  /// Returns true if a server answers a request that every signed-in client may send: then it is no outage, and the
  /// server refused the play.
  private func answers(_ server: (any MusicServer)?) async -> Bool {
    do { return try await server?.sections() != nil } catch { return false }
  }
}

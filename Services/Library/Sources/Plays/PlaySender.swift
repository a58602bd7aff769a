import Catalogue
import Messages
import Model
import Records
import ServiceKit
import Storage

/// Sends plays from the outbox to the servers, oldest first, one at a time for each server. A play that a server
/// refuses is sent after the others, and parked after ten refusals.
struct PlaySender: OutboxSender {
  let database: Database
  let log: Log
  /// Returns the server of a source; nil if there is none now.
  let server: @Sendable (String) async -> (any MusicServer)?
  /// Called when a play was parked.
  var parked: @Sendable () async -> Void = {}
  let loop = WorkLoop()

  func waiting() async throws -> [PlayOutbox.Entry] { try await database.read { try PlayOutbox.next($0) } }

  func send(_ entry: PlayOutbox.Entry) async throws -> Bool {
    let id = entry.id
    var entry = entry
    var asked: (any MusicServer)?
    do {
      guard let native = entry.native else { throw SourceError.gone("The source \(entry.source)") }
      guard let server = await server(entry.source) else { return false }
      asked = server
      let count = try await server.playCount(of: native)
      if !entry.isSending {
        try await database.write { try PlayOutbox.storeSending(id, before: count, $0) }
        entry.isSending = true
        entry.before = count
      } else if PlayOutbox.wasCounted(before: entry.before, now: count) {
        try await database.write { try PlayOutbox.end(id, .sent, $0) }
        return true
      }
      try await server.countPlay(of: native, at: entry.startedAt)
      try await database.write { try PlayOutbox.end(id, .sent, $0) }
      return true
    } catch {
      try Task.checkCancellation()
      return try await fail(entry, LunaraError(error), at: asked)
    }
  }

  /// Stores that a play was not sent. Returns false if its server should get no further play for a while.
  private func fail(_ entry: PlayOutbox.Entry, _ error: LunaraError, at server: (any MusicServer)?) async throws -> Bool
  {
    let isGone = error.code == "library.gone"
    let isRefused = isGone ? false : await server?.answers() ?? false
    try Task.checkCancellation()
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
      isGone ? "a play was not sent: its server no longer has the track" : "a play was not sent: its server refuses it",
      ["source": entry.source])
    try await database.write { try PlayOutbox.end(entry.id, .parked, problem: error, $0) }
    await parked()
    return true
  }
}

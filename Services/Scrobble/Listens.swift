import Bus
import Messages
import Model
import ServiceKit
import Storage

/// Takes in what playback says of listens: each report in the transaction that moves the reader's cursor, together with
/// what follows from it.
struct Listens: Sendable {
  let journal: Journal
  let log: Log
  let now: @Sendable () -> Timestamp
  /// Told after the commit that the history changed.
  let changed: @Sendable () -> Void

  /// Takes in one fact of a playback node.
  ///
  /// What cannot be read is kept aside and told, as it would otherwise hold up all that comes after it.
  func take(_ fact: ReceivedFact, in transaction: Transaction) throws {
    let report: (subject: Playback.ListenSubject, heard: Milliseconds)?
    do {
      report = try Self.report(in: fact)
    } catch {
      return try UnreadableFacts.keep(
        fact, LunaraError(error), as: "scrobble.unreadableFact", log: log, in: transaction)
    }
    guard let (subject, heard) = report else { return }
    switch try History.take(subject, heard: heard, reportedAt: fact.time, at: now(), in: transaction) {
    case .none: return
    case .heardMore: break
    case .counted(let withheld):
      try journal.append(
        Scrobble.ListenCounted(subject: subject, heard: heard, withheld: withheld), in: transaction)
    }
    transaction.afterCommit(changed)
  }

  /// How much of which listen a fact reports; nil where it reports nothing of the kind.
  private static func report(
    in fact: ReceivedFact
  ) throws -> (subject: Playback.ListenSubject, heard: Milliseconds)? {
    if let heard = try fact.decode(Playback.ListenHeard.self) { return (heard.subject, heard.heard) }
    if let ended = try fact.decode(Playback.ListenEnded.self) { return (ended.subject, ended.heard) }
    return nil
  }
}

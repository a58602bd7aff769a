import Bus
import Messages
import Model
import ServiceKit
import Storage

/// Takes in what playback and scrobble say of listens, by the listen's id: a fact that comes twice changes nothing, and
/// those of one listen may come in any order.
struct Listens: Sendable {
  /// The name of its cursors.
  static let reader = "library"

  let log: Log
  /// What else follows from a listen that counted, in the same transaction.
  var counted: @Sendable (ReceivedFact, Transaction) throws -> Void = { _, _ in }

  /// Takes in a fact; others than the end of a listen and one that counted are passed over.
  ///
  /// What cannot be read is kept aside and told, as it would otherwise hold up all that comes after it.
  func take(_ fact: ReceivedFact, in transaction: Transaction) throws {
    let counted: Scrobble.ListenCounted?
    let ended: Playback.ListenEnded?
    do {
      counted = try fact.decode(Scrobble.ListenCounted.self)
      ended = try fact.decode(Playback.ListenEnded.self)
    } catch {
      return try keepAside(fact, LunaraError(error), in: transaction)
    }
    if let counted {
      try Plays.record(counted, at: fact.time, transaction)
      try self.counted(fact, transaction)
    }
    if let ended { try Plays.record(ended, transaction) }
  }

  private func keepAside(_ fact: ReceivedFact, _ problem: LunaraError, in transaction: Transaction) throws {
    let envelope = fact.envelope
    let kept = try transaction.execute(
      """
      INSERT OR IGNORE INTO unreadable_facts (journal, epoch, seq, node, kind, payload, problem)
      VALUES (?, ?, ?, ?, ?, ?, ?)
      """, envelope.journal ?? "", envelope.epoch, fact.seq, fact.node.description, fact.kind, envelope.payload,
      problem.description)
    guard kept > 0 else { return }
    let log = log
    transaction.afterCommit {
      log.error(
        LunaraError(
          "library.unreadableFact",
          "\(fact.node) reported a listen that this version cannot read. It is kept; bring all services to one version.",
          cause: problem.description))
    }
  }
}

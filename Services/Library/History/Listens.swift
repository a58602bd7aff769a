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
      return try UnreadableFacts.keep(
        fact, LunaraError(error), as: "library.unreadableFact", log: log, in: transaction)
    }
    if let counted {
      try ListenRows.record(counted, at: fact.time, transaction)
      try self.counted(fact, transaction)
    }
    if let ended { try ListenRows.record(ended, transaction) }
  }
}

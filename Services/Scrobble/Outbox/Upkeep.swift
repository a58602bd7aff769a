import Messages
import Model
import Storage

/// What people do with deliveries by hand.
enum Upkeep {
  /// Makes failed deliveries due again, of one listen, or all with the loves that failed; how many.
  ///
  /// - Throws: `scrobble.unknownListen`.
  static func retry(_ listen: ListenID?, _ transaction: Transaction) throws -> Int {
    let scrobble = try listen.map { try number(of: $0, transaction) }
    let count = try transaction.execute(
      """
      UPDATE deliveries SET state = 'due', stands_back = 0, proofs = 0
      WHERE state = 'parked' AND state <> 'sent' AND scrobble = ifnull(?, scrobble)
      """, scrobble)
    return scrobble == nil ? try count + Outbox.retryLoves(transaction) : count
  }

  /// Gives deliveries up: of one listen what is not sent, else all that failed with the loves; how many.
  ///
  /// - Throws: `scrobble.unknownListen`.
  static func drop(_ listen: ListenID?, _ transaction: Transaction) throws -> Int {
    guard let listen else {
      return try transaction.execute("DELETE FROM deliveries WHERE state = 'parked' AND state <> 'sent'")
        + Outbox.dropLoves(transaction)
    }
    // What is under way is left to its answer.
    return try transaction.execute(
      "DELETE FROM deliveries WHERE scrobble = ? AND state IN ('due', 'parked')", try number(of: listen, transaction))
  }

  private static func number(of listen: ListenID, _ transaction: ReadTransaction) throws -> Int64 {
    let found: Int64? = try transaction.row(
      "SELECT id FROM scrobbles WHERE listen = ?", listen, as: { try $0.value(0) })
    guard let found else { throw ScrobbleError.unknownListen(listen.rawValue) }
    return found
  }
}

import Bus
import Messages
import Model
import Storage

/// Holds back deliveries that may have been sent before a backup was restored or damage was repaired, as the database
/// does not contain what happened since.
///
/// Services that ignore a second listen of the same time are sent such deliveries again. At other servers the
/// deliveries count as failed, so that a person sees them and decides whether to send them.
enum RestoreReconciliation {
  static let migration = Migration(
    "scrobble-3",
    // The time of the last restore for which the deliveries were held back.
    "CREATE TABLE restores (one INTEGER PRIMARY KEY CHECK (one = 1), settled_at INTEGER NOT NULL) STRICT")

  private static let reason =
    "It was heard before a backup was restored or damage repaired, so it may have arrived. `lunara scrobbles retry` sends it."

  /// The accounts at servers that may keep a listen twice.
  private static let elsewhere =
    "SELECT id FROM accounts WHERE address NOT IN ('', "
    + ScrobbleServices.kinds.filter { $0.ignoresDuplicateListens }.map { "'\($0.descriptor.address)'" }
    .joined(separator: ", ") + ")"

  /// Holds back the deliveries in doubt, once after each restore, and returns their number.
  @discardableResult
  static func run(_ transaction: Transaction) throws -> Int {
    guard let restoredAt = try Journal.restoredAt(transaction) else { return 0 }
    let settledAt = try transaction.row("SELECT settled_at FROM restores") { try $0.value(0) as Timestamp }
    if let settledAt, settledAt >= restoredAt {
      // `settledAt` is later only if the clock was ahead then and was corrected since.
      try transaction.execute("UPDATE restores SET settled_at = ?", restoredAt)
      return 0
    }
    try transaction.execute("INSERT OR REPLACE INTO restores (one, settled_at) VALUES (1, ?)", restoredAt)
    return try transaction.execute(
      """
      UPDATE deliveries SET state = 'parked', answer = ?, may_have_arrived = 1
      WHERE state IN ('due', 'sending') AND state <> 'sent' AND account IN (\(elsewhere))
      """, reason)
  }

  /// Holds back the deliveries of a listen that a room's journal has reported again after the restore.
  static func holdBack(_ scrobble: Int64, startedAt: Timestamp, _ transaction: Transaction) throws {
    guard let restoredAt = try Journal.restoredAt(transaction), startedAt < restoredAt else { return }
    try transaction.execute(
      """
      UPDATE deliveries SET state = 'parked', answer = ?, may_have_arrived = 1
      WHERE scrobble = ? AND account IN (\(elsewhere))
      """, reason, scrobble)
  }
}

import Bus
import Messages
import Model
import Storage

/// Holds deliveries back that may have arrived since a backup was made, or since damage was
/// repaired: the database cannot know that.
///
/// Services that keep one listen of one time are sent such deliveries again. Other servers promise nothing: deliveries
/// to them count as failed, so that a person sees them and can have them sent.
enum RestoreReconciliation {
  static let migration = Migration(
    "scrobble-3",
    // The restore up to which the deliveries were looked through.
    "CREATE TABLE restores (one INTEGER PRIMARY KEY CHECK (one = 1), settled_at INTEGER NOT NULL) STRICT")

  private static let reason =
    "It was heard before a backup was restored or damage repaired, so it may have arrived. `lunara scrobbles retry` sends it."

  /// The accounts at servers that may keep a listen twice.
  private static let elsewhere =
    "SELECT id FROM accounts WHERE address NOT IN ('', "
    + ScrobbleServices.kinds.filter { $0.ignoresDuplicateListens }.map { "'\($0.descriptor.address)'" }
    .joined(separator: ", ") + ")"

  /// Holds the doubtful deliveries back, once after each restore; returns how many.
  @discardableResult
  static func run(_ transaction: Transaction) throws -> Int {
    guard let restoredAt = try Journal.restoredAt(transaction) else { return 0 }
    let settledAt = try transaction.row("SELECT settled_at FROM restores") { try $0.value(0) as Timestamp }
    if let settledAt, settledAt >= restoredAt {
      // The clock was ahead at a restore, and is right since.
      try transaction.execute("UPDATE restores SET settled_at = ?", restoredAt)
      return 0
    }
    try transaction.execute("INSERT OR REPLACE INTO restores (one, settled_at) VALUES (1, ?)", restoredAt)
    return try transaction.execute(
      """
      UPDATE deliveries SET state = 'parked', answer = ?
      WHERE state IN ('due', 'sending') AND state <> 'sent' AND account IN (\(elsewhere))
      """, reason)
  }

  /// Holds the deliveries of a listen back that comes again from a room's journal.
  static func holdBack(_ scrobble: Int64, startedAt: Timestamp, _ transaction: Transaction) throws {
    guard let restoredAt = try Journal.restoredAt(transaction), startedAt < restoredAt else { return }
    try transaction.execute(
      "UPDATE deliveries SET state = 'parked', answer = ? WHERE scrobble = ? AND account IN (\(elsewhere))", reason,
      scrobble)
  }
}

import Bus
import Model
import Storage

/// What a database that was taken out of a backup, or saved from damage, cannot know: which of its deliveries arrived
/// since.
///
/// Last.fm and ListenBrainz keep one listen of one time, so they are told again. Other servers promise nothing: for them
/// what is in doubt is parked, where a person sees it and can have it sent.
enum Doubt {
  static let migration = Migration(
    "scrobble-3",
    // Up to which restore the deliveries were looked through.
    "CREATE TABLE restores (one INTEGER PRIMARY KEY CHECK (one = 1), settled_at INTEGER NOT NULL) STRICT")

  private static let words =
    "It was heard before a backup was restored or damage mended, so it may have arrived. `lunara scrobbles retry` sends it."

  /// The accounts at other servers than the services' own.
  private static let elsewhere =
    "SELECT id FROM accounts WHERE address NOT IN ('', "
    + ScrobbleService.allCases.map { "'\($0.address)'" }.joined(separator: ", ") + ")"

  /// Parks what is in doubt, once after each restore; gives how many deliveries.
  @discardableResult
  static func settle(_ transaction: Transaction) throws -> Int {
    guard let restoredAt = try Journal.restoredAt(transaction) else { return 0 }
    let settledAt = try transaction.row("SELECT settled_at FROM restores") { try $0.value(0) as Timestamp }
    if let settledAt, settledAt >= restoredAt {
      // A restore under a clock that was ahead was put right since.
      try transaction.execute("UPDATE restores SET settled_at = ?", restoredAt)
      return 0
    }
    try transaction.execute("INSERT OR REPLACE INTO restores (one, settled_at) VALUES (1, ?)", restoredAt)
    return try transaction.execute(
      """
      UPDATE deliveries SET state = 'parked', answer = ?
      WHERE state IN ('due', 'sending') AND state <> 'sent' AND account IN (\(elsewhere))
      """, words)
  }

  /// Parks the deliveries of a listen that comes again from a room's journal.
  static func look(at scrobble: Int64, startedAt: Timestamp, _ transaction: Transaction) throws {
    guard let restoredAt = try Journal.restoredAt(transaction), startedAt < restoredAt else { return }
    try transaction.execute(
      "UPDATE deliveries SET state = 'parked', answer = ? WHERE scrobble = ? AND account IN (\(elsewhere))", words,
      scrobble)
  }
}

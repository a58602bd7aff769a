import Bus
import Model
import Storage

/// What a database that was taken out of a backup, or saved from damage, cannot know: which of its plays their servers
/// were told of since. One too many is worse than one that is missing.
enum PlayRestoreReconciliation {
  static let migration = Migration(
    "plex-outbox-3",
    // Up to which restore the plays were looked through.
    "CREATE TABLE play_restores (one INTEGER PRIMARY KEY CHECK (one = 1), settled_at INTEGER NOT NULL)")

  /// Whether a play that comes from a journal may have been told already, though the database does not know it.
  static func isInDoubt(_ startedAt: Timestamp, _ transaction: ReadTransaction) throws -> Bool {
    guard let restoredAt = try Journal.restoredAt(transaction) else { return false }
    return startedAt < restoredAt
  }

  /// Looks through what waits, once after each restore and before anything is read from a server: what the servers had
  /// counted when they were read last tells, as after a crash, whether a play was told. Where nothing was read it is
  /// taken to have been.
  static func settle(_ transaction: Transaction) throws {
    guard let restoredAt = try Journal.restoredAt(transaction) else { return }
    let settledAt = try transaction.row("SELECT settled_at FROM play_restores") { try $0.value(0) as Timestamp }
    if let settledAt, settledAt >= restoredAt {
      // A restore under a clock that was ahead was put right since.
      try transaction.execute("UPDATE play_restores SET settled_at = ?", restoredAt)
      return
    }
    try transaction.execute("INSERT OR REPLACE INTO play_restores (one, settled_at) VALUES (1, ?)", restoredAt)
    // Each waits for the count to pass those that are told before it.
    try transaction.execute(
      """
      UPDATE play_outbox SET stage = 1, count_before =
        (SELECT server_plays FROM tracks t WHERE t.id = play_outbox.track AND t.source = play_outbox.source)
        + (SELECT count(*) FROM play_outbox q WHERE q.source = play_outbox.source AND q.track = play_outbox.track
            AND q.stage < 2 AND q.id < play_outbox.id)
      WHERE stage = 0
      """)
    try transaction.execute("UPDATE play_outbox SET stage = 2 WHERE stage = 1 AND count_before IS NULL")
  }
}

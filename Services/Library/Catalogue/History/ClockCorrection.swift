package import Messages
import Model
package import ServiceKit
package import Storage

/// Moves what the library stamped before the clock was set: listens, last plays, plays that wait for servers, and the
/// refreshes of sources.
///
/// The clock of an earlier boot may have shown the same times, as a host without a battery begins with that of its last
/// shutdown. So only listens that came since the service started are moved.
package enum ClockCorrection {
  /// Returns the number of the newest listen; 0 without any.
  package static func newestListen(_ transaction: ReadTransaction) throws -> Int64 {
    try transaction.value("SELECT max(id) FROM listens") ?? 0
  }

  /// - Parameter newest: the number of the newest listen when the service started.
  /// - Returns: the albums whose last play moved, with its time.
  package static func apply(
    _ step: ClockStep, after newest: Int64, _ transaction: Transaction
  ) throws -> [Library.AlbumPlayed] {
    try move("refreshed_at", of: "sources", step, transaction)
    for name in ["started_at", "finished_at"] { try move(name, of: "runs", step, transaction) }
    let isAnyMoved: Bool? = try transaction.value(
      "SELECT EXISTS (SELECT 1 FROM listens WHERE started_at BETWEEN ? AND ? AND imported_by IS NULL AND id > ?)",
      step.first, step.last, newest)
    guard isAnyMoved == true else { return [] }
    try transaction.execute(
      """
      UPDATE listens SET started_at = started_at + ?3, day = \(History.day("(started_at + ?3)")),
        counted_at = iif(counted_at BETWEEN ?1 AND ?2, counted_at + ?3, counted_at)
      WHERE started_at BETWEEN ?1 AND ?2 AND imported_by IS NULL AND id > ?4
      """, step.first, step.last, step.offset, newest)
    let columns = [("play_outbox", ["counted_at", "started_at"]), ("tracks", ["played_at", "heard_at"])]
    for (table, names) in columns {
      for name in names { try move(name, of: table, step, transaction) }
    }
    let albums: [Int64] = try transaction.rows(
      "SELECT id FROM albums WHERE played_at BETWEEN ? AND ?", step.first, step.last
    ) { try $0.value(0) }
    for name in ["played_at", "heard_at"] { try move(name, of: "albums", step, transaction) }
    return try albums.compactMap { album in
      try transaction.row("SELECT source || ':a' || id, played_at FROM albums WHERE id = ?", album) {
        Library.AlbumPlayed(album: try $0.value(0), at: try $0.value(1))
      }
    }
  }

  private static func move(
    _ column: String, of table: String, _ step: ClockStep, _ transaction: Transaction
  ) throws {
    try transaction.execute(
      "UPDATE \(table) SET \(column) = \(column) + ?3 WHERE \(column) BETWEEN ?1 AND ?2", step.first, step.last,
      step.offset)
  }
}

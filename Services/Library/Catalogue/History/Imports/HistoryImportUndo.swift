import Bus
package import Messages
import Model
import Records
package import Storage

/// Removes the listens of the last import from the history. After a crash, the next request continues.
package struct HistoryImportUndo: Sendable {
  /// The number of tracks whose listens one transaction removes, so that others can write in between.
  private static let batch = 500

  let database: Database
  let publisher: ChangePublisher

  package init(database: Database, publisher: ChangePublisher) {
    self.database = database
    self.publisher = publisher
  }

  package func run() async throws -> Library.UndoneListenImport {
    let last = try await database.read { transaction in
      try transaction.row("SELECT id, imported_at FROM listen_imports ORDER BY id DESC LIMIT 1") {
        (number: try $0.value(0) as Int64, at: try $0.value(1) as Timestamp)
      }
    }
    guard let last else { return Library.UndoneListenImport() }
    var result = Library.UndoneListenImport(importedAt: last.at)
    while true {
      let removed = try await database.write { try Self.removePart(of: last.number, $0) }
      guard removed > 0 else { break }
      result.removed += removed
    }
    let publisher = publisher
    try await database.write(.power) { transaction in
      try transaction.execute("DELETE FROM listen_imports WHERE id = ?", last.number)
      try transaction.execute(
        "DELETE FROM heard_before_imports WHERE NOT EXISTS (SELECT 1 FROM listen_imports)")
      try Catalogue.countAndPublish(CatalogueWriter.Changes(), publisher, transaction, isWide: true)
    }
    return result
  }

  /// Removes the listens of some tracks, and returns their number; 0 when none is left.
  private static func removePart(of number: Int64, _ transaction: Transaction) throws -> Int {
    let tracks = try transaction.rows(
      """
      SELECT l.track, max(l.started_at), c.shown FROM listens l INDEXED BY listens_of_import
      CROSS JOIN listen_tracks h ON h.id = l.track \(Successors.join(.track, "h.number"))
      LEFT JOIN tracks c ON c.id = ifnull(e.heir, h.number) WHERE l.imported_by = ? GROUP BY l.track LIMIT ?
      """, number, batch
    ) { row in
      (row: try row.value(0) as Int64, last: try row.value(1) as Timestamp, shown: try row.value(2) as Int64?)
    }
    var removed = 0
    for track in tracks {
      removed += try transaction.execute(
        "DELETE FROM listens WHERE imported_by = ? AND track = ?", number, track.row)
      try transaction.execute(
        "DELETE FROM listen_tracks WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM listens WHERE track = ?1)", track.row)
      if let shown = track.shown { try HeardTimes.lower(of: shown, from: track.last, transaction) }
    }
    return removed
  }
}

import Model
package import Storage

/// The indexes that a first scan leaves out and makes at its end: those whose order is not that in which albums are
/// found, so that each portion would write most of their pages again.
///
/// The table `deferred_indexes` has the statements of those that are left out. An index and its row there change in one
/// transaction, so whatever a crash leaves can be completed. A migration that changes one of these indexes has to use
/// `DROP INDEX IF EXISTS`, and to delete its row.
package enum DeferredIndexes {
  /// Only indexes for the order of lists: matching and the search need theirs at once.
  static let names = [
    "tracks_by_rating", "tracks_by_year", "tracks_by_play", "tracks_by_arrival", "albums_by_name", "albums_by_title",
    "albums_by_rating", "albums_by_year",
  ]
  /// The number of tracks from which a catalogue has all indexes: below, lists are sorted without them at once, and
  /// sorting for an index takes little memory.
  private static let mostTracks = 200_000

  /// Leaves the indexes out where the catalogue has no tracks, and nothing of people that waits for tracks.
  package static func drop(_ transaction: Transaction) throws {
    let isUsed: Bool? = try transaction.value(
      """
      SELECT EXISTS (SELECT 1 FROM tracks) OR EXISTS (SELECT 1 FROM ratings) OR EXISTS (SELECT 1 FROM imported_plays)
        OR EXISTS (SELECT 1 FROM playlist_entries) OR EXISTS (SELECT 1 FROM subjects)
      """)
    guard isUsed == false else { return }
    for name in names {
      let kept = try transaction.execute(
        """
        INSERT OR REPLACE INTO deferred_indexes (name, sql) SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND name = ?
        """, name)
      if kept > 0 { try transaction.execute("DROP INDEX \(name)") }
    }
  }

  /// Makes the indexes that are left out, each in a transaction of its own, so that other changes come in between. Ends
  /// early where the task is cancelled; the next call makes the rest.
  package static func make(in database: Database) async throws {
    while !Task.isCancelled,
      try await database.read({ try $0.value("SELECT EXISTS (SELECT 1 FROM deferred_indexes)") })
        ?? false
    {
      _ = try await database.write(.process, priority: .background, makeNext)
    }
  }

  /// Makes one of the indexes that are left out; returns false if there was none.
  static func makeNext(_ transaction: Transaction) throws -> Bool {
    let next = try transaction.row("SELECT name, sql FROM deferred_indexes ORDER BY name LIMIT 1") {
      (name: try $0.value(0) as String, sql: try $0.value(1) as String)
    }
    guard let next else { return false }
    // A restored database may hold any text, and a migration may have made the index.
    let isOurs = names.contains(next.name) && next.sql.hasPrefix("CREATE INDEX \(next.name) ON ")
    let isThere: Bool? = try transaction.value(
      "SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE type = 'index' AND name = ?)", next.name)
    if isOurs, isThere == false {
      try transaction.expectManyRows()
      try transaction.execute(next.sql)
    }
    try transaction.execute("DELETE FROM deferred_indexes WHERE name = ?", next.name)
    return true
  }

  /// Returns true if the catalogue has grown too large to be without the indexes.
  package static func areDue(_ transaction: ReadTransaction) throws -> Bool {
    try transaction.value(
      """
      SELECT next_track > ? FROM catalogue WHERE EXISTS (SELECT 1 FROM deferred_indexes)
      """, mostTracks) ?? false
  }
}

import Records
import Storage

/// The plays of all albums and tracks, by which lists are sorted: the listens of the household with the counts of tags,
/// or the counts of servers where those are higher. `AlbumHistory` has the same sum for single albums.
enum PlayCounts {
  /// The listens that counted, by the rows of `listen_tracks`.
  private static let heard = """
    heard AS MATERIALIZED (SELECT track, sum(outcome = 1) AS plays FROM listens INDEXED BY listens_of_track
      GROUP BY track)
    """

  /// The tracks `c` of rows `x` of `listen_tracks`: their own, or the ones that took the place of those.
  private static let tracks = """
    \(Successors.join(.track, "x.number"))
    LEFT JOIN tracks c ON c.id = ifnull(e.heir, x.number)
    """

  /// Returns the plays of each album or track that has some, by its number.
  static func read(_ subject: ListCache.Subject, _ transaction: ReadTransaction) throws -> [Int64: Int] {
    var plays: [Int64: Int] = [:]
    func add(_ sql: String, _ combine: (Int, Int) -> Int) throws {
      let rows = try transaction.rows(sql) { (number: try $0.value(0) as Int64, plays: try $0.value(1) as Int) }
      for row in rows where row.plays > 0 { plays[row.number] = combine(plays[row.number] ?? 0, row.plays) }
    }
    switch subject {
    case .albums:
      try add(
        """
        WITH \(heard) SELECT m.shelf, sum(h.plays) FROM heard h CROSS JOIN listen_tracks x ON x.id = h.track \(tracks)
        JOIN albums m ON m.id = ifnull(c.album, x.album) WHERE h.plays > 0 GROUP BY m.shelf
        """, +)
      try add(
        """
        SELECT t.shelf, sum(i.plays) FROM imported_plays i CROSS JOIN tracks t ON t.identity = i.identity
        WHERE t.shelf IS NOT NULL GROUP BY t.shelf
        """, +)
      try add(
        "SELECT shelf, sum(server_plays) FROM tracks WHERE server_plays > 0 AND shelf IS NOT NULL GROUP BY shelf", max)
    case .tracks:
      try add(
        """
        WITH \(heard) SELECT c.shown, sum(h.plays) FROM heard h CROSS JOIN listen_tracks x ON x.id = h.track \(tracks)
        WHERE h.plays > 0 AND c.id IS NOT NULL GROUP BY c.shown
        """, +)
      try add(ImportedPlays.counts(of: nil), +)
      try add("SELECT shown, max(server_plays) FROM tracks WHERE server_plays > 0 GROUP BY shown", max)
    }
    return plays
  }
}

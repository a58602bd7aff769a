import Messages
import Model
import Storage
import Text

extension Catalogue {
  /// What is meant where all that a query finds is to be played: tracks, or else albums, or else artists; nil where
  /// there are none.
  static func kind(found query: String, _ transaction: ReadTransaction) throws -> SearchIndex.Kind? {
    for kind in [SearchIndex.Kind.track, .album, .artist] {
      let hit: Int64? = try transaction.row(
        "SELECT rowid FROM search WHERE search MATCH ? AND rowid BETWEEN ? AND ? LIMIT 1", query, kind.first, kind.last
      ) { try $0.value(0) }
      if hit != nil { return kind }
    }
    return nil
  }

  private static let mostHits = 100

  /// What the words find: each a prefix, case and marks ignored. Hits come in the sorted order of their kind, which is
  /// that of the index, so no hit beyond the last one shown is looked at.
  static func search(_ request: Library.Search, _ transaction: ReadTransaction) throws -> Library.SearchResults {
    var results = Library.SearchResults(artists: [], albums: [], tracks: [], collections: [])
    guard let query = SearchText.query(request.words) else { return results }
    let limit = min(max(1, request.limit), mostHits)
    var budget = PageBudget(items: 4 * mostHits)
    func hits<T>(_ kind: SearchIndex.Kind, _ select: String, as make: (borrowing Row) throws -> T) throws -> [T] {
      try transaction.rows(
        """
        SELECT \(select) WHERE search.search MATCH ? AND search.rowid BETWEEN ? AND ? ORDER BY search.rowid LIMIT ?
        """, query, kind.first, kind.last, limit, as: make)
    }
    results.artists = try hits(
      .artist, "\(artistColumns) FROM search CROSS JOIN artists r ON r.id = search.item", as: { try artist($0).artist }
    ).filter { budget.admits($0.size) }
    results.albums = try hits(
      .album, "\(albumColumns) FROM search CROSS JOIN albums a ON a.id = search.item", as: { try AlbumRow($0).album }
    ).filter { budget.admits($0.size) }
    results.tracks = try hits(
      .track,
      """
      \(trackColumns) FROM search CROSS JOIN tracks t ON t.id = search.item CROSS JOIN albums a ON a.id = t.shelf
      """, as: { try TrackRow($0).track }
    ).filter { budget.admits($0.size) }
    results.collections = try collections(matching: query, limit: limit, transaction).filter { budget.admits($0.size) }
    return results
  }
}

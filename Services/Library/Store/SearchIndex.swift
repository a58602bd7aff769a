import Messages
import Model
import Storage
import Text

/// Writes the search index. The row ids of a kind of item follow its sorted order, with gaps for later rows, so that a
/// search returns the first hits without sorting all of them.
///
/// `finish` gives a row id to each item that is shown and has none (`search_row` is NULL). Code that changes the words
/// of an item removes its row and sets that column to NULL.
struct SearchIndex {
  typealias Kind = CatalogueID.Kind

  private let transaction: Transaction
  private var removed: [Int64] = []
  private var added: [(position: Int64, item: Int64, words: String)] = []

  init(_ transaction: Transaction) { self.transaction = transaction }

  /// Removes a row from the index; nil removes nothing.
  mutating func remove(_ row: Int64?) { if let row { removed.append(row) } }

  /// Adds a row for an item whose position was known when the item was written.
  mutating func add(_ item: Int64, _ words: String, at position: Int64) {
    added.append((position, item, words))
  }

  /// Writes all changes.
  mutating func finish() throws {
    // Rows are written in ascending order: FTS5 would write a new segment for each smaller id.
    for row in removed.sorted() { try transaction.execute("DELETE FROM search WHERE rowid = ?", row) }
    if !added.isEmpty {
      // Tracks that the merge has found to be copies were removed again.
      let removed = Set(removed)
      added.sort { $0.position < $1.position }
      for row in added where !removed.contains(row.position) { try write(row.item, row.words, at: row.position) }
    }
    (removed, added) = ([], [])
    for kind in Kind.searched {
      let keys: [String] = try transaction.values(kind.pending)
      guard !keys.isEmpty else { continue }
      let (positions, isCrowded) = try SearchPositions.find(for: keys, of: kind, transaction)
      var (done, last) = (0, (item: Int64(0), first: "", second: ""))
      while done < positions.count {
        let rows = try transaction.rows(kind.words, last.first, last.second, last.item, Self.batch) { row in
          (
            keys: (
              item: try row.value(0) as Int64, first: try row.value(1) as String, second: try row.value(2) as String
            ),
            words: SearchText.indexed(try (3..<row.count).map { try row.value($0) as String? })
          )
        }
        guard let end = rows.last else { break }
        for (row, position) in zip(rows, positions[done...]) {
          try move(row.keys.item, row.words, of: kind, to: position)
        }
        (done, last) = (done + rows.count, end.keys)
      }
      if isCrowded { try respacePositions(kind) }
    }
  }

  private func write(_ item: Int64, _ words: String, at position: Int64) throws {
    try transaction.execute(
      "INSERT INTO search (rowid, words, item) VALUES (?, ?, ?)",
      values: [.integer(position), .text(words), .integer(item)])
  }

  /// Writes a row, and its position to the item.
  private func move(_ item: Int64, _ words: String, of kind: Kind, to position: Int64) throws {
    try write(item, words, at: position)
    try transaction.execute(
      "UPDATE \(kind.rows.table) SET search_row = ? WHERE id = ?", values: [.integer(position), .integer(item)])
  }

  /// The number of rows that are read at a time.
  private static let batch = 500

  /// Gives every row of a kind a new position, with even gaps.
  private func respacePositions(_ kind: Kind) throws {
    let rows = try transaction.rows(kind.sorted) {
      (position: try $0.value(0) as Int64, item: try $0.value(2) as Int64)
    }
    let words = try rows.map { row in
      try transaction.value("SELECT words FROM search WHERE rowid = ?", row.position) ?? ""
    }
    for position in rows.map(\.position).sorted() {
      try transaction.execute("DELETE FROM search WHERE rowid = ?", position)
    }
    for (index, row) in rows.enumerated() { try move(row.item, words[index], of: kind, to: kind.position(index)) }
  }
}

extension Catalogue {
  /// Returns the kind of items to play when a person plays all results of a query: tracks if there are any, else
  /// albums, else artists; nil where nothing is found.
  static func kindFound(by query: String, _ transaction: ReadTransaction) throws -> CatalogueID.Kind? {
    for kind in [CatalogueID.Kind.track, .album, .artist] {
      let hit: Int64? = try transaction.value(
        "SELECT rowid FROM search WHERE search MATCH ? AND rowid BETWEEN ? AND ? LIMIT 1", query, kind.first, kind.last)
      if hit != nil { return kind }
    }
    return nil
  }

  private static let mostHits = 100

  /// Returns the items that match all words: each word is a prefix; case and diacritics are ignored. Hits come in the
  /// sorted order of their kind, which is that of the index, so no further hits are read.
  static func search(_ request: Library.Search, _ transaction: ReadTransaction) throws -> Library.SearchResults {
    var results = Library.SearchResults(artists: [], albums: [], tracks: [], collections: [])
    guard let query = SearchText.query(request.words) else { return results }
    let limit = min(max(1, request.limit), mostHits)
    var budget = PageBudget(items: 4 * mostHits)
    func hits<Item: SizedItem>(
      _ kind: CatalogueID.Kind, _ select: String, as read: (borrowing Row) throws -> Item
    ) throws -> [Item] {
      try transaction.rows(
        """
        SELECT \(select) WHERE search.search MATCH ? AND search.rowid BETWEEN ? AND ? ORDER BY search.rowid LIMIT ?
        """, query, kind.first, kind.last, limit, as: read
      ).filter { budget.admits($0.size) }
    }
    results.artists = try hits(
      .artist, "\(artistColumns) FROM search CROSS JOIN artists r ON r.id = search.item", as: artist)
    results.albums = try hits(
      .album, "\(albumColumns) FROM search CROSS JOIN albums a ON a.id = search.item", as: album)
    results.tracks = try hits(
      .track,
      """
      \(trackColumns) FROM search CROSS JOIN tracks t ON t.id = search.item CROSS JOIN albums a ON a.id = t.shelf
      """, as: track)
    results.collections = try hits(
      .collection, "\(collectionColumns) FROM search CROSS JOIN collections c ON c.id = search.item", as: collection)
    return results
  }
}

import Messages
import Model
import Storage
import Text

/// Writes the search index. The id of a row is its position in the sorted order of its kind, with gaps for rows that come
/// later: so a search returns the first hits first, without sorting all of them.
///
/// `finish` gives a position to each item that is shown and has none (`search_row` is NULL). Code that changes the words
/// of an item removes its row and sets that column to NULL.
struct SearchIndex {
  /// The kinds of items that are found; each has its own range of row ids.
  enum Kind: Int64, CaseIterable {
    case artist = 1
    case album, track, collection

    /// The first row id of the range.
    var first: Int64 { rawValue << 56 }
    /// The last row id of the range.
    var last: Int64 { first | (1 << 56 - 1) }
    /// Returns the position of the row with an index among all rows, with even gaps.
    func position(_ index: Int) -> Int64 { first + SearchIndex.spacing * Int64(index + 1) }
  }

  private static let spacing: Int64 = 1 << 16

  private let transaction: Transaction
  private var removed: [Int64] = []
  private var added: [Added] = []

  init(_ transaction: Transaction) { self.transaction = transaction }

  /// Removes a row from the index; nil removes nothing.
  mutating func remove(_ row: Int64?) { if let row { removed.append(row) } }

  /// Adds a row for an item whose position was known when the item was written.
  mutating func add(_ item: Int64, _ words: String, at position: Int64) {
    added.append(Added(position: position, item: item, words: words))
  }

  /// Writes all changes.
  mutating func finish() throws {
    // In ascending order, or FTS5 writes a segment for each step back.
    for row in removed.sorted() { try transaction.execute("DELETE FROM search WHERE rowid = ?", row) }
    if !added.isEmpty {
      // Some turned out to be copies of others since.
      let removed = Set(removed)
      added.sort { $0.position < $1.position }
      for row in added where !removed.contains(row.position) { try write(row.item, row.words, at: row.position) }
    }
    (removed, added) = ([], [])
    for kind in Kind.allCases {
      let keys = try transaction.rows(kind.pending) { try $0.value(0) as String }
      guard !keys.isEmpty else { continue }
      let (positions, isCrowded) = try SearchPositions.find(for: keys, of: kind, transaction)
      var (done, last) = (0, Pending())
      while done < positions.count {
        let rows = try transaction.rows(kind.words, last.first, last.second, last.item, Self.batch) { row in
          Pending(
            item: try row.value(0), first: try row.value(1), second: try row.value(2), words: try kind.words(of: row))
        }
        guard let end = rows.last else { break }
        for (row, position) in zip(rows, positions[done...]) {
          try write(row.item, row.words, at: position)
          try transaction.execute(kind.move, values: [.integer(position), .integer(row.item)])
        }
        (done, last) = (done + rows.count, end)
      }
      if isCrowded { try spread(kind) }
    }
  }

  private func write(_ item: Int64, _ words: String, at position: Int64) throws {
    try transaction.execute(
      "INSERT INTO search (rowid, words, item) VALUES (?, ?, ?)",
      values: [.integer(position), .text(words), .integer(item)])
  }

  /// The number of rows that are read at a time.
  private static let batch = 500

  /// A row that has its position.
  private struct Added {
    var position: Int64
    var item: Int64
    var words: String
  }

  /// A row that is to get a position, with its sort keys.
  private struct Pending {
    var item: Int64 = 0
    var first = ""
    var second = ""
    var words = ""
  }

  /// Gives every row of a kind a new position, with even gaps.
  private func spread(_ kind: Kind) throws {
    let rows = try transaction.rows(kind.sorted) { row in
      (position: try row.value(0) as Int64, sort: try row.value(1) as String, item: try row.value(2) as Int64)
    }
    let moved = try rows.map { row in
      let words = try transaction.row("SELECT words FROM search WHERE rowid = ?", row.position) {
        try $0.value(0) as String
      }
      return (item: row.item, words: words ?? "")
    }
    for position in rows.map(\.position).sorted() {
      try transaction.execute("DELETE FROM search WHERE rowid = ?", position)
    }
    for (index, row) in moved.enumerated() {
      let position = kind.position(index)
      try write(row.item, row.words, at: position)
      try transaction.execute(kind.move, values: [.integer(position), .integer(row.item)])
    }
  }
}

/// Searching.
extension Catalogue {
  /// Returns the kind of items that are played where all results of a query are to be played: tracks, else albums, else
  /// artists; nil where nothing is found.
  static func kindFound(by query: String, _ transaction: ReadTransaction) throws -> SearchIndex.Kind? {
    for kind in [SearchIndex.Kind.track, .album, .artist] {
      let hit: Int64? = try transaction.row(
        "SELECT rowid FROM search WHERE search MATCH ? AND rowid BETWEEN ? AND ? LIMIT 1", query, kind.first, kind.last
      ) { try $0.value(0) }
      if hit != nil { return kind }
    }
    return nil
  }

  private static let mostHits = 100

  /// Returns the items that match all words: each word is a prefix, case and marks are ignored. Hits come in the sorted
  /// order of their kind, which is that of the index, so no hit beyond the last one returned is read.
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

import Storage
import Text

/// Finds row ids in the search index for new rows, between the ids of their neighbours in the sorted order.
struct SearchPositions {
  /// If there are at least this many stored rows for each new one, the neighbours of each new row are looked up;
  /// otherwise all rows of the kind are read.
  private static let lookUpRatio = 8

  private let kind: CatalogueID.Kind
  private var positions: [Int64] = []
  private var isCrowded = false

  private init(_ kind: CatalogueID.Kind) { self.kind = kind }

  /// Returns row ids for new rows of these sort keys, which are in order. `isCrowded` is true where there is no room
  /// between neighbours, so that all rows of the kind need new ids.
  static func find(
    for keys: [String], of kind: CatalogueID.Kind, _ transaction: ReadTransaction
  ) throws -> (positions: [Int64], isCrowded: Bool) {
    var search = SearchPositions(kind)
    search.positions.reserveCapacity(keys.count)
    let known: Int = try transaction.value("SELECT tracks FROM catalogue") ?? 0
    if kind == .track, keys.count * lookUpRatio < known {
      try search.lookUp(keys, transaction)
    } else {
      try search.walk(keys, transaction)
    }
    guard search.isCrowded else { return (search.positions, false) }
    // The new rows get ids at the end of the range until all rows get new ids.
    return ((0..<keys.count).map { kind.last - Int64(keys.count - $0) }, true)
  }

  /// Adds row ids between two others; `next` is nil behind the last one.
  private mutating func fill(_ count: Int, after before: Int64, upTo next: Int64?) {
    guard count > 0 else { return }
    let step = next.map { ($0 - before) / Int64(count + 1) } ?? CatalogueID.Kind.spacing
    if step < 1 { isCrowded = true }
    for index in 1...count { positions.append(before + max(1, step) * Int64(index)) }
  }

  private mutating func walk(_ keys: [String], _ transaction: ReadTransaction) throws {
    var before = kind.first
    _ = try transaction.rows(kind.sorted) { row in
      let (position, sort): (Int64, String) = (try row.value(0), try row.value(1))
      var end = positions.count
      while end < keys.count, keys[end] < sort { end += 1 }
      fill(end - positions.count, after: before, upTo: position)
      before = position
    }
    fill(keys.count - positions.count, after: before, upTo: nil)
  }

  private mutating func lookUp(_ keys: [String], _ transaction: ReadTransaction) throws {
    func neighbour(_ order: String, _ key: String) throws -> Int64? {
      try transaction.value(
        """
        SELECT \(order == "<=" ? "max" : "min")(search_row) FROM tracks WHERE shelf IS NOT NULL AND title_sort =
          (SELECT title_sort FROM tracks WHERE shelf IS NOT NULL AND search_row IS NOT NULL AND title_sort \(order) ?
          ORDER BY title_sort \(order == "<=" ? "DESC" : "") LIMIT 1)
        """, key)
    }
    // The gaps into which the keys fall, each with its number of keys.
    var gaps: [(before: Int64, next: Int64?, count: Int)] = []
    for key in keys {
      let (before, next) = (try neighbour("<=", key) ?? kind.first, try neighbour(">", key))
      if let last = gaps.last, (last.before, last.next) == (before, next) {
        gaps[gaps.count - 1].count += 1
      } else {
        gaps.append((before, next, 1))
      }
    }
    for gap in gaps { fill(gap.count, after: gap.before, upTo: gap.next) }
  }
}

/// The search index has a range of row ids for each kind.
extension CatalogueID.Kind {
  /// The kinds of items that can be searched for.
  static let searched: [Self] = [.artist, .album, .track, .collection]

  fileprivate static let spacing: Int64 = 1 << 16

  var first: Int64 { rawValue << 56 }
  var last: Int64 { first | (1 << 56 - 1) }
  /// Returns the position of the row with an index among all rows, with even gaps.
  func position(_ index: Int) -> Int64 { first + Self.spacing * Int64(index + 1) }

  /// The sort keys of the items, the condition that they are shown, an index that covers both, and the four texts by
  /// which they are found.
  private var search: (keys: [String], isShown: String, index: String, texts: String) {
    switch self {
    case .artist: (["sort"], "TRUE", "", "name, sort, NULL, NULL")
    case .album:
      (["artist_sort", "title_sort"], "shelf = id", "INDEXED BY albums_in_order", "title, artist, artist_sort, NULL")
    case .track:
      (
        ["title_sort"], "shelf IS NOT NULL", "INDEXED BY tracks_to_index",
        "title, artist, nullif((SELECT artist FROM albums WHERE id = tracks.shelf), '\(VariousArtists.name)'), artist_sort"
      )
    case .collection, .playlist: (["title_sort"], "TRUE", "", "title, NULL, NULL, NULL")
    }
  }

  private var order: String { search.keys.joined(separator: ", ") }
  private var key: String { search.keys.joined(separator: " || char(0) || ") }

  /// The query for all rows that have a position, in order: position, sort key, number.
  var sorted: String {
    """
    SELECT search_row, \(key), id FROM \(rows.table) WHERE \(search.isShown) AND search_row IS NOT NULL
    ORDER BY \(order), search_row
    """
  }

  /// The query for the sort keys of all rows that are to get a position, in order.
  var pending: String {
    "SELECT \(key) FROM \(rows.table) WHERE search_row IS NULL AND \(search.isShown) ORDER BY \(order), id"
  }

  /// The query for some of the same rows in the same order, after one by its sort keys and number: number, two sort
  /// keys, and the texts.
  var words: String {
    let hasTwo = search.keys.count > 1
    return """
      SELECT id, \(search.keys[0]), \(hasTwo ? search.keys[1] : "''"), \(search.texts) FROM \(rows.table) \(search.index)
      WHERE search_row IS NULL AND \(search.isShown) AND (\(order), id) > (?1, \(hasTwo ? "?2, " : "")?3)
      ORDER BY \(order), id LIMIT ?4
      """
  }
}

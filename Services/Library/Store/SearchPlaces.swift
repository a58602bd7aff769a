import Storage
import Text

/// Finds row ids in the search index for new rows, between those of their neighbours in the sorted order.
struct SearchPositions {
  private static let spacing: Int64 = 1 << 16
  /// The whole kind is walked through where more than one in so many rows is new; else neighbours are looked up.
  private static let fewest = 8

  private let kind: SearchIndex.Kind
  private var places: [Int64] = []
  private var isCrowded = false

  private init(_ kind: SearchIndex.Kind) { self.kind = kind }

  /// Row ids for new rows of these sort keys, which are in order; and whether there is no room, so that all rows of the
  /// kind have to be spread anew.
  static func find(
    for keys: [String], of kind: SearchIndex.Kind, _ transaction: ReadTransaction
  ) throws -> (places: [Int64], isCrowded: Bool) {
    var search = SearchPositions(kind)
    search.places.reserveCapacity(keys.count)
    let known = try transaction.row("SELECT tracks FROM catalogue") { try $0.value(0) as Int } ?? 0
    if kind == .track, keys.count * fewest < known {
      try search.lookUp(keys, transaction)
    } else {
      try search.walk(keys, transaction)
    }
    guard search.isCrowded else { return (search.places, false) }
    // They go to the end until all are spread.
    return ((0..<keys.count).map { kind.last - Int64(keys.count - $0) }, true)
  }

  private mutating func fill(_ count: Int, after before: Int64, upTo next: Int64) {
    guard count > 0 else { return }
    let step = (next - before) / Int64(count + 1)
    if step < 1 { isCrowded = true }
    for index in 1...count { places.append(before + max(1, step) * Int64(index)) }
  }

  private mutating func fill(_ count: Int, after before: Int64) {
    fill(count, after: before, upTo: before + Self.spacing * Int64(count + 1))
  }

  private mutating func walk(_ keys: [String], _ transaction: ReadTransaction) throws {
    var before = kind.first
    _ = try transaction.rows(kind.sorted) { row in
      let (place, sort): (Int64, String) = (try row.value(0), try row.value(1))
      var end = places.count
      while end < keys.count, keys[end] < sort { end += 1 }
      fill(end - places.count, after: before, upTo: place)
      before = place
    }
    fill(keys.count - places.count, after: before)
  }

  private mutating func lookUp(_ keys: [String], _ transaction: ReadTransaction) throws {
    struct Gap: Equatable {
      var before: Int64
      var next: Int64?
    }
    var gap: Gap?
    var count = 0
    func neighbour(_ order: String, _ key: String) throws -> Int64? {
      try transaction.row(
        """
        SELECT \(order == "<=" ? "max" : "min")(search_row) FROM tracks WHERE shelf IS NOT NULL AND title_sort =
          (SELECT title_sort FROM tracks WHERE shelf IS NOT NULL AND search_row IS NOT NULL AND title_sort \(order) ?
          ORDER BY title_sort \(order == "<=" ? "DESC" : "") LIMIT 1)
        """, key
      ) { try $0.value(0) as Int64? } ?? nil
    }
    func close(_ search: inout SearchPositions) {
      guard let gap else { return }
      if let next = gap.next {
        search.fill(count, after: gap.before, upTo: next)
      } else {
        search.fill(count, after: gap.before)
      }
    }
    for key in keys {
      let found = Gap(before: try neighbour("<=", key) ?? kind.first, next: try neighbour(">", key))
      if found == gap {
        count += 1
      } else {
        close(&self)
        (gap, count) = (found, 1)
      }
    }
    close(&self)
  }
}

extension SearchIndex.Kind {
  /// All rows that have a place, in order: place, sort key, number.
  var sorted: String {
    switch self {
    case .artist: "SELECT search_row, sort, id FROM artists WHERE search_row IS NOT NULL ORDER BY sort, search_row"
    case .album:
      """
      SELECT search_row, artist_sort || char(0) || title_sort, id FROM albums
      WHERE shelf = id AND search_row IS NOT NULL ORDER BY artist_sort, title_sort, search_row
      """
    case .track:
      """
      SELECT search_row, title_sort, id FROM tracks WHERE shelf IS NOT NULL AND search_row IS NOT NULL
      ORDER BY title_sort, search_row
      """
    case .collection:
      "SELECT search_row, title_sort, id FROM collections WHERE search_row IS NOT NULL ORDER BY title_sort, search_row"
    }
  }

  /// The sort keys of all rows that are to get a place, in order.
  var pending: String {
    switch self {
    case .artist: "SELECT sort FROM artists WHERE search_row IS NULL ORDER BY sort, id"
    case .album:
      """
      SELECT artist_sort || char(0) || title_sort FROM albums WHERE search_row IS NULL AND shelf = id
      ORDER BY artist_sort, title_sort, id
      """
    case .track:
      "SELECT title_sort FROM tracks WHERE search_row IS NULL AND shelf IS NOT NULL ORDER BY title_sort, id"
    case .collection: "SELECT title_sort FROM collections WHERE search_row IS NULL ORDER BY title_sort, id"
    }
  }

  var move: String {
    switch self {
    case .artist: "UPDATE artists SET search_row = ? WHERE id = ?"
    case .album: "UPDATE albums SET search_row = ? WHERE id = ?"
    case .track: "UPDATE tracks SET search_row = ? WHERE id = ?"
    case .collection: "UPDATE collections SET search_row = ? WHERE id = ?"
    }
  }

  /// Some of the same rows in the same order, after one by its sort keys and number: number, two sort keys, and the
  /// texts that it is found under.
  var words: String {
    switch self {
    case .artist:
      """
      SELECT id, sort, '', name, sort FROM artists WHERE search_row IS NULL AND (sort, id) > (?1, ?3)
      ORDER BY sort, id LIMIT ?4
      """
    case .album:
      """
      SELECT id, artist_sort, title_sort, title, artist, artist_sort FROM albums INDEXED BY albums_by_name
      WHERE search_row IS NULL AND shelf = id AND (artist_sort, title_sort, id) > (?1, ?2, ?3)
      ORDER BY artist_sort, title_sort, id LIMIT ?4
      """
    case .track:
      """
      SELECT t.id, t.title_sort, '', t.title, t.artist, a.artist, t.artist_sort
      FROM tracks t INDEXED BY tracks_to_index LEFT JOIN albums a ON a.id = t.shelf
      WHERE t.search_row IS NULL AND t.shelf IS NOT NULL AND (t.title_sort, t.id) > (?1, ?3)
      ORDER BY t.title_sort, t.id LIMIT ?4
      """
    case .collection:
      """
      SELECT id, title_sort, '', title FROM collections WHERE search_row IS NULL AND (title_sort, id) > (?1, ?3)
      ORDER BY title_sort, id LIMIT ?4
      """
    }
  }

  /// The words of a row of `words`.
  func words(of row: borrowing Row) throws -> String {
    switch self {
    case .artist: return SearchText.indexed(try row.value(3), try row.value(4))
    case .album: return SearchText.indexed(try row.value(3), try row.value(4), try row.value(5))
    case .track:
      let owner: String? = try row.value(5)
      return SearchText.indexed(
        try row.value(3), try row.value(4), owner == VariousArtists.name ? nil : owner, try row.value(6))
    case .collection: return SearchText.indexed(try row.value(3))
    }
  }
}

import Model
import Storage

/// Writes the search index. A row's id is its place in the sorted order of its kind, with gaps between for what comes
/// later: so a search gives the first hits first, without sorting all of them.
struct SearchIndex {
  /// What can be found; each kind has a range of row ids of its own.
  enum Kind: Int64, CaseIterable {
    case artist = 1
    case album, track

    /// The first row id of the range.
    var first: Int64 { rawValue << 56 }
    /// The last row id of the range.
    var last: Int64 { first | (1 << 56 - 1) }

    /// All rows of the kind: place, sort key, number.
    fileprivate var sorted: String {
      switch self {
      case .artist: "SELECT search_row, sort, id FROM artists WHERE search_row IS NOT NULL ORDER BY search_row"
      case .album:
        """
        SELECT search_row, artist_sort || char(0) || title_sort, id FROM albums WHERE search_row IS NOT NULL
        ORDER BY search_row
        """
      case .track: "SELECT search_row, title_sort, id FROM tracks WHERE search_row IS NOT NULL ORDER BY search_row"
      }
    }

    fileprivate var move: String {
      switch self {
      case .artist: "UPDATE artists SET search_row = ? WHERE id = ?"
      case .album: "UPDATE albums SET search_row = ? WHERE id = ?"
      case .track: "UPDATE tracks SET search_row = ? WHERE id = ?"
      }
    }
  }

  private struct Entry {
    var row: Int64
    var item: Int64
    var words: String
  }

  private static let spacing: Int64 = 1 << 16

  private let transaction: Transaction
  private var removed: [Int64] = []
  private var inserted: [Entry] = []
  private var crowded: Set<Int64> = []

  init(_ transaction: Transaction) { self.transaction = transaction }

  /// Row ids for new rows of these sort keys, which are in order.
  mutating func places(_ kind: Kind, _ keys: [String]) throws -> [Int64] {
    var places: [Int64] = []
    places.reserveCapacity(keys.count)
    guard !keys.isEmpty else { return places }
    var before = kind.first
    var isCrowded = false
    func fill(_ count: Int, upTo after: Int64) {
      guard count > 0 else { return }
      let step = (after - before) / Int64(count + 1)
      if step < 1 { isCrowded = true }
      for index in 1...count { places.append(before + max(1, step) * Int64(index)) }
    }
    _ = try transaction.rows(kind.sorted) { row in
      let (place, sort): (Int64, String) = (try row.value(0), try row.value(1))
      var end = places.count
      while end < keys.count, keys[end] < sort { end += 1 }
      fill(end - places.count, upTo: place)
      before = place
    }
    let rest = keys.count - places.count
    if rest > 0 { fill(rest, upTo: before + Self.spacing * Int64(rest + 1)) }
    if isCrowded {
      // There is no room between two rows: these go to the end until `finish` spreads all rows anew.
      crowded.insert(kind.rawValue)
      return (0..<keys.count).map { kind.last - Int64(keys.count - $0) }
    }
    return places
  }

  /// Puts a row into the index; `row` comes from `places`.
  mutating func insert(_ row: Int64, item: Int64, words: String) {
    inserted.append(Entry(row: row, item: item, words: words))
  }

  /// Takes a row out of the index.
  mutating func remove(_ row: Int64?) { if let row { removed.append(row) } }

  /// Writes all of it.
  mutating func finish() throws {
    for row in removed { try transaction.execute("DELETE FROM search WHERE rowid = ?", row) }
    // In ascending order, or FTS5 writes a segment for each step back.
    inserted.sort { $0.row < $1.row }
    for entry in inserted {
      try transaction.execute(
        "INSERT INTO search (rowid, words, item) VALUES (?, ?, ?)", entry.row, entry.words, entry.item)
    }
    for kind in Kind.allCases where crowded.contains(kind.rawValue) { try spread(kind) }
    (removed, inserted, crowded) = ([], [], [])
  }

  /// Gives every row of a kind a place anew, with even gaps.
  private func spread(_ kind: Kind) throws {
    let rows = try transaction.rows(kind.sorted) { row in
      (place: try row.value(0) as Int64, sort: try row.value(1) as String, item: try row.value(2) as Int64)
    }
    let entries = try rows.sorted { ($0.sort, $0.item) < ($1.sort, $1.item) }.enumerated().map { index, row in
      let words: String? = try transaction.row("SELECT words FROM search WHERE rowid = ?", row.place) {
        try $0.value(0)
      }
      return Entry(row: kind.first + Self.spacing * Int64(index + 1), item: row.item, words: words ?? "")
    }
    for row in rows { try transaction.execute("DELETE FROM search WHERE rowid = ?", row.place) }
    for entry in entries {
      try transaction.execute(
        "INSERT INTO search (rowid, words, item) VALUES (?, ?, ?)", entry.row, entry.words, entry.item)
      try transaction.execute(kind.move, entry.row, entry.item)
    }
  }
}

package import Records
import Storage
import Text

/// Finds positions in the search index for the pending items of a kind, between those of their neighbours in the sorted
/// order.
struct SearchPositions {
  /// If there are at least this many entries for each new one, the neighbours of each new one are looked up; otherwise
  /// all entries of the kind are read.
  private static let lookUpRatio = 256

  private let kind: CatalogueID.Kind
  private let transaction: ReadTransaction
  private var positions: [Int64] = []
  private var isCrowded = false

  private init(_ kind: CatalogueID.Kind, _ transaction: ReadTransaction) {
    self.kind = kind
    self.transaction = transaction
  }

  /// Returns positions for the pending items of a kind that are shown, in their sorted order. `isCrowded` is true if
  /// there is no room between neighbours: then the positions are not to be used, as all entries of the kind need new
  /// ones.
  static func find(
    for kind: CatalogueID.Kind, _ transaction: ReadTransaction
  ) throws -> (positions: [Int64], isCrowded: Bool) {
    var search = SearchPositions(kind, transaction)
    let new: Int = try transaction.value(kind.pendingCount, kind.first, kind.last) ?? 0
    guard new > 0 else { return ([], false) }
    let many = new * lookUpRatio
    let entries: Int =
      try transaction.value(
        "SELECT count(*) FROM (SELECT 1 FROM search_rows WHERE item BETWEEN ? AND ? LIMIT ?)", kind.first, kind.last,
        many) ?? 0
    search.positions.reserveCapacity(new)
    if entries == 0 {
      search.fill(new, after: kind.first, upTo: nil)
    } else if entries < many {
      try search.walk()
    } else {
      try search.lookUp()
    }
    return (search.positions, search.isCrowded)
  }

  /// Adds positions between two others; `next` is nil behind the last one.
  private mutating func fill(_ count: Int, after before: Int64, upTo next: Int64?) {
    guard count > 0 else { return }
    let step = next.map { ($0 - before) / Int64(count + 1) } ?? CatalogueID.Kind.spacing
    if step < 1 { isCrowded = true }
    for index in 1...count { positions.append(before + max(1, step) * Int64(index)) }
  }

  /// Reads all entries and all pending items in one order.
  private mutating func walk() throws {
    var before = kind.first
    var count = 0
    _ = try transaction.rows(kind.merged) { row in
      guard let position: Int64 = try row.value(0) else {
        count += 1
        return
      }
      fill(count, after: before, upTo: position)
      before = position
      count = 0
    }
    fill(count, after: before, upTo: nil)
  }

  private mutating func lookUp() throws {
    // The gaps into which the keys fall, each with its number of keys.
    var gaps: [(before: Int64, next: Int64?, count: Int)] = []
    let keys: [String] = try transaction.values(kind.pendingKeys, kind.first, kind.last)
    for key in keys {
      let (before, next) = try neighbours(of: key)
      if let last = gaps.last, (last.before, last.next) == (before, next) {
        gaps[gaps.count - 1].count += 1
      } else {
        gaps.append((before, next, 1))
      }
    }
    for gap in gaps { fill(gap.count, after: gap.before, upTo: gap.next) }
  }

  /// Returns the positions of the last entry that sorts before or at a key, or the beginning of the range, and of the
  /// first one behind it. Finds them by halving the range, as the entries are sorted by their positions.
  private func neighbours(of key: String) throws -> (before: Int64, next: Int64?) {
    var (before, next): (Int64, Int64?) = (kind.first, nil)
    var end: Int64 =
      try transaction.value("SELECT max(rowid) + 1 FROM search WHERE rowid <= ?", kind.last) ?? kind.first
    while end - before > 1 {
      let middle = before + (end - before) / 2
      let entry = try transaction.row(kind.entry, middle, end - 1, key) { row in
        (position: try row.value(0) as Int64, isBefore: try row.value(1) as Bool)
      }
      guard let entry else {
        end = middle
        continue
      }
      if entry.isBefore {
        before = entry.position
      } else {
        end = middle
        next = entry.position
      }
    }
    return (before, next)
  }
}

/// The search index has a range of positions for each kind.
extension CatalogueID.Kind {
  /// The kinds of items that can be searched for.
  static let searched: [Self] = [.artist, .album, .track, .collection, .playlist]

  static let spacing: Int64 = 1 << 16

  /// The number of bits of an item's number, and of a position within the range of its kind.
  private static let numberBits: Int64 = 56

  package var first: Int64 { rawValue << Self.numberBits }
  package var last: Int64 { first | (1 << Self.numberBits - 1) }

  /// The sort keys of the items, and the condition that they are shown.
  private var search: (keys: [String], isShown: String) {
    switch self {
    case .artist: (["sort"], "albums + credits > 0")
    case .album: (["artist_sort", "title_sort"], "shelf = id")
    case .track: (["title_sort"], "shelf IS NOT NULL")
    case .collection, .playlist: (["title_sort"], "TRUE")
    }
  }

  private var key: String { search.keys.joined(separator: " || char(0) || ") }
  /// The sorted order of `key`, as the columns of an index.
  private var order: String { search.keys.joined(separator: ", ") }
  /// The rows of the pending items that are shown; its two values are the first and the last item of the kind.
  private var pending: String {
    """
    search_pending CROSS JOIN \(rows.table) ON id = item - \(first) WHERE item BETWEEN ?1 AND ?2 AND \(search.isShown)
    """
  }

  fileprivate var pendingCount: String { "SELECT count(*) FROM \(pending)" }
  fileprivate var pendingKeys: String { "SELECT \(key) FROM \(pending) ORDER BY 1, id" }

  /// The query for the pending items that are shown, in their sorted order: number and texts. For many of them it goes
  /// through the kind's index in that order, else it sorts them.
  func pendingWords(isMany: Bool) -> String {
    let columns = SearchWords.columns(of: self).joined(separator: ", ")
    guard isMany else {
      return """
        SELECT id, \(columns) FROM search_pending CROSS JOIN \(rows.table) ON id = item - \(first)
        WHERE item BETWEEN \(first) AND \(last) AND \(search.isShown) ORDER BY \(order), id
        """
    }
    return """
      SELECT id, \(columns) FROM \(rows.table) CROSS JOIN search_pending ON item = \(first) + id
      WHERE \(search.isShown) ORDER BY \(order), id
      """
  }

  /// The query for the next pending items in their sorted order, as `pendingWords` has them, behind their sort keys.
  /// Its values are the keys and the number of the item after which they come, empty for the first, and the most items.
  var nextPendingWords: String {
    let bounds = Array(repeating: "?", count: search.keys.count + 1).joined(separator: ", ")
    return """
      SELECT \(order), id, \(SearchWords.columns(of: self).joined(separator: ", ")) FROM \(rows.table)
      CROSS JOIN search_pending ON item = \(first) + id
      WHERE \(search.isShown) AND (\(order), id) > (\(bounds)) ORDER BY \(order), id LIMIT ?
      """
  }

  /// The number of sort keys.
  var keyCount: Int { search.keys.count }

  /// The query for the positions of all entries, with NULL for each pending item, in their common order. A pending item
  /// stands behind the entries with the same key. It goes through the kind's index, and sorts only within one key.
  fileprivate var merged: String {
    """
    SELECT s.position FROM \(rows.table) LEFT JOIN search_rows s ON s.item = \(first) + id
    LEFT JOIN search_pending p ON p.item = \(first) + id
    WHERE \(search.isShown) AND (s.position IS NOT NULL OR p.item IS NOT NULL)
    ORDER BY \(order), s.position NULLS LAST
    """
  }

  /// The query for the first entry of a range of positions: its position, and whether it sorts before or at a key.
  fileprivate var entry: String {
    """
    SELECT search.rowid, \(key) <= ?3 FROM search CROSS JOIN \(rows.table) ON id = search.item
    WHERE search.rowid BETWEEN ?1 AND ?2 ORDER BY search.rowid LIMIT 1
    """
  }
}

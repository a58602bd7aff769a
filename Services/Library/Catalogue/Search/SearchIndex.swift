package import Records
package import Storage
import Text

/// Writes the search index. The row ids of a kind of item, its positions, follow its sorted order, with gaps for later
/// rows, so that a search returns the first hits without sorting all of them.
///
/// `search_rows` has the position of each item that is in the index, `search_pending` the items whose entry is missing
/// or out of date. Both name an item by its kind and number in one integer. Code that changes the words of an item, or
/// deletes it, marks it; `finish` writes the entries of all marked items again.
package struct SearchIndex {
  package typealias Kind = CatalogueID.Kind

  /// The number of pending items from which they are not sorted, which takes memory for the words of all of them, but
  /// read in the order of the kind's index.
  private static let many = 10_000

  private let transaction: Transaction
  private var marked: Set<Int64> = []

  package init(_ transaction: Transaction) { self.transaction = transaction }

  /// Marks an item that is new, was deleted, or whose words or place in the sorted order changed.
  package mutating func mark(_ kind: Kind, _ number: Int64) { marked.insert(kind.first | number) }

  /// Marks those albums of a merge key, and those of their tracks, that are shown and not in the index, or that are in
  /// the index and not shown any more.
  func markShown(_ key: String) throws {
    for (kind, isShown, rows) in [
      (Kind.album, "shelf = r.id", "albums r WHERE merge_key = ?"),
      (.track, "shelf IS NOT NULL", "tracks r WHERE album IN (SELECT id FROM albums WHERE merge_key = ?)"),
    ] {
      let item = "\(kind.first) | r.id"
      try transaction.execute(
        """
        INSERT OR IGNORE INTO search_pending SELECT \(item) FROM \(rows)
          AND (\(isShown)) <> EXISTS (SELECT 1 FROM search_rows WHERE item = \(item))
        """, key)
    }
  }

  /// Stores which items are marked, so that a later call of `finish` writes their entries.
  mutating func keepMarks() throws {
    for item in marked.sorted() {
      try transaction.execute("INSERT OR IGNORE INTO search_pending (item) VALUES (?)", item)
    }
    marked = []
  }

  /// Writes the entries of all marked items.
  package mutating func finish() throws {
    try keepMarks()
    guard try transaction.value("SELECT 1 FROM search_pending LIMIT 1") as Int? != nil else { return }
    for kind in Kind.searched { try write(kind) }
    try transaction.execute("DELETE FROM search_pending")
  }

  /// Writes the entries of the marked items of one kind. Those of other kinds, of which a scan may have left many to
  /// its end, stay pending: a person's change does not wait for them.
  package mutating func finish(only kind: Kind) throws {
    try keepMarks()
    try write(kind)
    try transaction.execute("DELETE FROM search_pending WHERE item BETWEEN ? AND ?", kind.first, kind.last)
  }

  /// Writes the entries of the pending items of a kind, which stay pending.
  private func write(_ kind: Kind) throws {
    try removePending(kind)
    var found = try SearchPositions.find(for: kind, transaction)
    if found.isCrowded {
      try markAll(kind)
      found = try SearchPositions.find(for: kind, transaction)
    }
    guard !found.positions.isEmpty else { return }
    var next = found.positions.makeIterator()
    _ = try transaction.rows(kind.pendingWords(isMany: found.positions.count > Self.many)) { row in
      guard let position = next.next() else { return }
      let words = SearchText.indexed(try (1..<row.count).map { try row.value($0) as String? })
      try write(try row.value(0), words, of: kind, at: position)
    }
  }

  /// Removes the entries of the pending items of a kind.
  private func removePending(_ kind: Kind) throws {
    let positions: [Int64] = try transaction.values(
      """
      SELECT s.position FROM search_pending p CROSS JOIN search_rows s ON s.item = p.item
      WHERE p.item BETWEEN ? AND ? ORDER BY s.position
      """, kind.first, kind.last)
    guard !positions.isEmpty else { return }
    // In ascending order: FTS5 would write a new segment for each smaller id.
    for position in positions { try transaction.execute("DELETE FROM search WHERE rowid = ?", position) }
    try transaction.execute(
      "DELETE FROM search_rows WHERE item IN (SELECT item FROM search_pending WHERE item BETWEEN ? AND ?)", kind.first,
      kind.last)
  }

  /// Writes the entry of an item at a position, which is free.
  func write(_ number: Int64, _ words: String, of kind: Kind, at position: Int64) throws {
    try transaction.execute(
      "INSERT INTO search (rowid, words, item) VALUES (?, ?, ?)",
      values: [.integer(position), .text(words), .integer(number)])
    try transaction.execute(
      "INSERT OR REPLACE INTO search_rows (item, position) VALUES (?, ?)",
      values: [.integer(kind.first | number), .integer(position)])
  }

  /// Removes all entries of a kind and has them written again, at positions with even gaps.
  private func markAll(_ kind: Kind) throws {
    try transaction.execute(
      "INSERT OR IGNORE INTO search_pending SELECT item FROM search_rows WHERE item BETWEEN ? AND ?", kind.first,
      kind.last)
    try removePending(kind)
  }
}

import Storage

/// Writes the search index. A row's id is its place in the sorted order of its kind, with gaps between for what comes
/// later: so a search gives the first hits first, without sorting all of them.
///
/// What is shown and has no place yet (`search_row` is NULL) gets one when this finishes; who changes words takes the
/// row out and sets the column to NULL.
struct SearchIndex {
  /// What can be found; each kind has a range of row ids of its own.
  enum Kind: Int64, CaseIterable {
    case artist = 1
    case album, track, collection

    /// The first row id of the range.
    var first: Int64 { rawValue << 56 }
    /// The last row id of the range.
    var last: Int64 { first | (1 << 56 - 1) }
    /// The place of the row at an index of all, with even gaps.
    func place(_ index: Int) -> Int64 { first + SearchIndex.spacing * Int64(index + 1) }
  }

  private static let spacing: Int64 = 1 << 16

  private let transaction: Transaction
  private var removed: [Int64] = []
  private var placed: [Placed] = []

  init(_ transaction: Transaction) { self.transaction = transaction }

  /// Takes a row out of the index.
  mutating func remove(_ row: Int64?) { if let row { removed.append(row) } }

  /// Has a row be found under these words whose place was known when it was written.
  mutating func add(_ item: Int64, _ words: String, at place: Int64) {
    placed.append(Placed(place: place, item: item, words: words))
  }

  /// Writes all of it.
  mutating func finish() throws {
    // In ascending order, or FTS5 writes a segment for each step back.
    for row in removed.sorted() { try transaction.execute("DELETE FROM search WHERE rowid = ?", row) }
    if !placed.isEmpty {
      // Some are copies of others, as has shown since.
      let removed = Set(removed)
      placed.sort { $0.place < $1.place }
      for row in placed where !removed.contains(row.place) { try write(row.item, row.words, at: row.place) }
    }
    (removed, placed) = ([], [])
    for kind in Kind.allCases {
      let keys = try transaction.rows(kind.pending) { try $0.value(0) as String }
      guard !keys.isEmpty else { continue }
      let (places, isCrowded) = try SearchPositions.find(for: keys, of: kind, transaction)
      var (done, last) = (0, Pending())
      while done < places.count {
        let rows = try transaction.rows(kind.words, last.first, last.second, last.item, Self.batch) { row in
          Pending(
            item: try row.value(0), first: try row.value(1), second: try row.value(2), words: try kind.words(of: row))
        }
        guard let end = rows.last else { break }
        for (row, place) in zip(rows, places[done...]) {
          try write(row.item, row.words, at: place)
          try transaction.execute(kind.move, values: [.integer(place), .integer(row.item)])
        }
        (done, last) = (done + rows.count, end)
      }
      if isCrowded { try spread(kind) }
    }
  }

  private func write(_ item: Int64, _ words: String, at place: Int64) throws {
    try transaction.execute(
      "INSERT INTO search (rowid, words, item) VALUES (?, ?, ?)",
      values: [.integer(place), .text(words), .integer(item)])
  }

  /// How many rows are read at a time.
  private static let batch = 500

  /// A row that has its place.
  private struct Placed {
    var place: Int64
    var item: Int64
    var words: String
  }

  /// A row that is to get a place, with what it is sorted by.
  private struct Pending {
    var item: Int64 = 0
    var first = ""
    var second = ""
    var words = ""
  }

  /// Gives every row of a kind a place anew, with even gaps.
  private func spread(_ kind: Kind) throws {
    let rows = try transaction.rows(kind.sorted) { row in
      (place: try row.value(0) as Int64, sort: try row.value(1) as String, item: try row.value(2) as Int64)
    }
    let moved = try rows.map { row in
      let words = try transaction.row("SELECT words FROM search WHERE rowid = ?", row.place) {
        try $0.value(0) as String
      }
      return (item: row.item, words: words ?? "")
    }
    for place in rows.map(\.place).sorted() { try transaction.execute("DELETE FROM search WHERE rowid = ?", place) }
    for (index, row) in moved.enumerated() {
      let place = kind.place(index)
      try write(row.item, row.words, at: place)
      try transaction.execute(kind.move, values: [.integer(place), .integer(row.item)])
    }
  }
}

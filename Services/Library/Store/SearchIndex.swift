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
  }

  private static let spacing: Int64 = 1 << 16

  private let transaction: Transaction
  private var removed: [Int64] = []

  init(_ transaction: Transaction) { self.transaction = transaction }

  /// Takes a row out of the index.
  mutating func remove(_ row: Int64?) { if let row { removed.append(row) } }

  /// Writes all of it.
  mutating func finish() throws {
    // In ascending order, or FTS5 writes a segment for each step back.
    for row in removed.sorted() { try transaction.execute("DELETE FROM search WHERE rowid = ?", row) }
    removed = []
    for kind in Kind.allCases {
      let pending = try transaction.rows(kind.pending) { row in
        Pending(item: try row.value(0), sort: try row.value(1))
      }
      guard !pending.isEmpty else { continue }
      let (places, isCrowded) = try SearchPlaces.find(for: pending.map(\.sort), of: kind, transaction)
      for (pending, place) in zip(pending, places) {
        guard let words = try transaction.row(kind.words, pending.item, as: kind.words(of:)) else { continue }
        try transaction.execute("INSERT INTO search (rowid, words, item) VALUES (?, ?, ?)", place, words, pending.item)
        try transaction.execute(kind.move, place, pending.item)
      }
      if isCrowded { try spread(kind) }
    }
  }

  private struct Pending {
    var item: Int64
    var sort: String
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
      let place = kind.first + Self.spacing * Int64(index + 1)
      try transaction.execute("INSERT INTO search (rowid, words, item) VALUES (?, ?, ?)", place, row.words, row.item)
      try transaction.execute(kind.move, place, row.item)
    }
  }
}

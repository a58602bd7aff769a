import Messages
import Model
import Storage

/// The positions in a list of albums or tracks at which letters, years, months and stars begin. Those of the whole list
/// are found by queries for the first row behind the mark before, which read an index only; those of a narrowed list by
/// one query over its items.
struct ListMarks {
  /// The largest number of letters that get a mark: some scripts have thousands.
  private static let mostLetters = 200

  private typealias Count = (name: String, count: Int)

  private let subject: ListCache.Subject
  private let filter: TagConditions
  private let transaction: ReadTransaction

  /// Throws `library.unknownTag`, `library.badTag`.
  init(of subject: ListCache.Subject, _ tags: [Library.Tag], _ transaction: ReadTransaction) throws {
    self.subject = subject
    self.transaction = transaction
    filter = try TagConditions(tags, of: subject == .albums ? .albums : .tracks, for: .count, transaction)
  }

  /// The rows of the list, up to further conditions.
  private var rows: String {
    subject == .albums ? "FROM albums a WHERE a.listed = 1\(filter.sql)" : Catalogue.shownTracks(filter)
  }

  /// Returns a column of the list's items.
  private func column(_ name: String) -> String { subject == .albums ? "a.\(name)" : "t.\(name)" }

  /// Returns the number of items that meet a condition.
  private func count(_ condition: String = "TRUE", _ values: [(any SQLBindable)?] = []) throws -> Int {
    try transaction.rows("SELECT count(*) \(rows) AND \(condition)", values: filter.values + values) {
      try $0.value(0) as Int
    }.first ?? 0
  }

  /// Returns the number of items of the list.
  func total() throws -> Int {
    guard filter.isEmpty, subject == .tracks else { return try count() }
    return try transaction.value("SELECT tracks FROM catalogue") ?? 0
  }

  /// Returns the marks in an order, or in the opposite one.
  func index(_ sort: Library.Sort, isReversed: Bool?) throws -> Library.AlbumIndex {
    let counts: [Count] =
      switch sort {
      case .name: try letters(column(subject == .albums ? "artist_sort" : "title_sort"))
      case .title: try letters(column("title_sort"))
      case .year: try years()
      case .rating: try stars()
      case .added: try months(column("added_at"))
      case .played: try months(column("played_at"))
      case .random, .plays: []
      }
    var marks: [Library.AlbumIndex.Mark] = []
    var end = 0
    let ordered: [Count] = isReversed == true ? counts.reversed() : counts
    for (name, count) in ordered where count > 0 {
      marks.append(.init(name: name, first: end, count: count))
      end += count
    }
    let hasNone = sort == .random || sort == .plays
    return Library.AlbumIndex(
      total: hasNone ? try total() : end, generation: try Catalogue.generation(transaction), marks: marks)
  }

  private func letters(_ column: String) throws -> [Count] {
    guard filter.isEmpty else { return try narrowedLetters(column) }
    var letters: [Count] = []
    var bound = ""
    while let name: String = try transaction.value(
      "SELECT \(column) \(rows) AND \(column) >= ? ORDER BY \(column) LIMIT 1", bound)
    {
      let letter = Letter(of: name)
      let end = letters.count < Self.mostLetters ? letter.end : nil
      let count = try count(
        end == nil ? "\(column) >= ?" : "\(column) >= ? AND \(column) < ?", end.map { [bound, $0] } ?? [bound])
      letters.append((letters.count < Self.mostLetters ? letter.name : "…", count))
      guard let end else { break }
      bound = end
    }
    return letters
  }

  private func narrowedLetters(_ column: String) throws -> [Count] {
    var letters: [Count] = []
    let rows = try transaction.rows(
      "SELECT substr(\(column), 1, 1), count(*) \(rows) GROUP BY 1 ORDER BY 1", values: filter.values
    ) { (first: try $0.value(0) as String, count: try $0.value(1) as Int) }
    for row in rows {
      let name = letters.count < Self.mostLetters ? Letter(of: row.first).name : "…"
      if letters.last?.name == name {
        letters[letters.count - 1].count += row.count
      } else {
        letters.append((name, row.count))
      }
    }
    return letters
  }

  /// Returns the numbers of items by a column that is sorted by.
  private func counts(by order: String) throws -> [(value: Int, count: Int)] {
    try transaction.rows(
      "SELECT \(order), count(*) \(rows) GROUP BY 1 ORDER BY 1 LIMIT 10000", values: filter.values
    ) { (try $0.value(0), try $0.value(1)) }
  }

  private func years() throws -> [Count] {
    try counts(by: column("year_order")).map { ($0.value == 0 ? "" : "\(-$0.value)", $0.count) }
  }

  /// Returns the numbers of stars, with halves such as `3.5`.
  private func stars() throws -> [Count] {
    try counts(by: column("rating_order")).map { order, count in
      let halves = -order - 1
      return (order == 0 ? "" : halves.isMultiple(of: 2) ? "\(halves / 2)" : "\(halves / 2).5", count)
    }
  }

  private func months(_ column: String) throws -> [Count] {
    guard filter.isEmpty else {
      return try transaction.rows(
        """
        SELECT CASE WHEN \(column) > 0 THEN strftime('%Y-%m', \(column) / 1000000, 'unixepoch') ELSE '' END, count(*)
        \(rows) GROUP BY 1 ORDER BY 1 DESC
        """, values: filter.values
      ) { (try $0.value(0), try $0.value(1)) }
    }
    var months: [Count] = []
    var bound = Int64.max
    while let newest: Int64 = try transaction.value(
      "SELECT \(column) \(rows) AND \(column) < ? ORDER BY \(column) DESC LIMIT 1", bound)
    {
      // An item that was never played has the time 0, and no month.
      let month = newest > 0 ? String(Timestamp(microseconds: newest).description.prefix(7)) : ""
      let start = Timestamp("\(month)-01T00:00:00Z").map { max($0.microseconds, 1) } ?? .min
      let count = try count("\(column) >= ? AND \(column) < ?", [start, bound])
      months.append((month, count))
      guard start > .min else { break }
      bound = start
    }
    return months
  }
}

/// The letter that a sort key begins with.
private struct Letter {
  var name: String
  /// The first key behind all keys that begin with the letter; nil for the last letter there is.
  var end: String?

  init(of key: String) {
    guard let first = key.unicodeScalars.first else {
      name = ""
      end = "\u{1}"
      return
    }
    if first < "0" {
      name = ""
      end = "0"
    } else if first <= "9" {
      name = "#"
      end = ":"
    } else {
      name = String(first).uppercased()
      var next = first.value + 1
      if next == 0xD800 { next = 0xE000 }
      end = Unicode.Scalar(next).map { String($0) }
    }
  }
}

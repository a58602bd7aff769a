import Messages
import Model
import Storage
import Synchronization
import Text

/// Windows of the list of albums, by position. An index is read up to the position, which takes a few milliseconds at
/// the end of 100,000 albums; full rows are read only for the window.
extension Catalogue {
  /// Returns a part of the list; `orders` keeps random orders from one part to the next.
  static func window(
    _ request: Library.ReadAlbumWindow, randomSeed: Int64, keeping orders: RandomOrderCache = RandomOrderCache(),
    _ transaction: ReadTransaction
  ) throws -> Library.AlbumWindow {
    let first = max(0, request.first)
    let generation = try generation(transaction)
    let (albums, total, seed): ([Album], Int, Int64?)
    if request.sort == .random {
      let drawn = request.seed ?? randomSeed
      let numbers = try orders.numbers(.init(generation: generation, tags: request.allTags, seed: drawn)) {
        try positions(of: request.allTags, drawn, transaction).map(\.number)
      }
      albums = try numbers.dropFirst(first).prefix(limit(request.limit)).compactMap { try album($0, transaction) }
      (total, seed) = (numbers.count, drawn)
    } else {
      let (filter, order) = (try TagConditions(request.allTags, transaction), order(of: request.sort).clause)
      albums = try transaction.rows(
        """
        SELECT \(albumColumns) FROM (SELECT a.id AS number FROM albums a WHERE a.listed = 1\(filter.sql)
          \(order) LIMIT ? OFFSET ?) JOIN albums a ON a.id = number \(order)
        """, values: filter.values + [limit(request.limit), first], as: album)
      let all = try TagConditions(request.allTags, for: .count, transaction)
      (total, seed) = (try count("TRUE\(all.sql)", all.values, transaction), nil)
    }
    var budget = PageBudget(items: limit(request.limit))
    return Library.AlbumWindow(
      total: total, first: first, items: Array(albums.prefix { budget.admits($0.size) }), seed: seed,
      generation: generation)
  }

  static func generation(_ transaction: ReadTransaction) throws -> Int64 {
    try transaction.value("SELECT generation FROM catalogue") ?? 0
  }

  /// Returns the number of listed albums that meet a condition.
  private static func count(
    _ condition: String, _ values: [(any SQLBindable)?], _ transaction: ReadTransaction
  ) throws -> Int {
    try transaction.rows("SELECT count(*) FROM albums a WHERE a.listed = 1 AND \(condition)", values: values) {
      try $0.value(0) as Int
    }.first ?? 0
  }
}

/// The positions in the list of albums at which letters, years and months begin.
extension Catalogue {
  /// The largest number of letters that get a mark: some scripts have thousands.
  private static let mostLetters = 200

  /// Returns the marks of a list. Those of the whole list are found by queries for the first row behind the mark
  /// before, which read an index only; those of a narrowed list by one query over its albums.
  static func index(_ request: Library.IndexAlbums, _ transaction: ReadTransaction) throws -> Library.AlbumIndex {
    let filter = try TagConditions(request.allTags, for: .count, transaction)
    let counts: [(name: String, count: Int)] =
      switch request.sort {
      case .name: filter.isEmpty ? try letters(transaction) : try letters(filter, transaction)
      case .year: try years(filter, transaction)
      case .added: try months("added_at", filter, transaction)
      case .played: try months("played_at", filter, transaction)
      case .random, .title, .rating, .plays: []
      }
    var marks: [Library.AlbumIndex.Mark] = []
    var total = 0
    for (name, count) in counts where count > 0 {
      marks.append(.init(name: name, first: total, count: count))
      total += count
    }
    if request.sort == .random { total = try count("TRUE\(filter.sql)", filter.values, transaction) }
    return Library.AlbumIndex(total: total, generation: try generation(transaction), marks: marks)
  }

  private static func letters(_ transaction: ReadTransaction) throws -> [(String, Int)] {
    var letters: [(String, Int)] = []
    var bound = ""
    while let name: String = try transaction.value(
      "SELECT artist_sort FROM albums WHERE listed = 1 AND artist_sort >= ? ORDER BY artist_sort LIMIT 1", bound)
    {
      let letter = Letter(of: name)
      let end = letters.count < mostLetters ? letter.end : nil
      let count = try count(
        end == nil ? "a.artist_sort >= ?" : "a.artist_sort >= ? AND a.artist_sort < ?",
        end.map { [bound, $0] } ?? [bound],
        transaction)
      letters.append((letters.count < mostLetters ? letter.name : "…", count))
      guard let end else { break }
      bound = end
    }
    return letters
  }

  private static func letters(_ filter: TagConditions, _ transaction: ReadTransaction) throws -> [(String, Int)] {
    var letters: [(name: String, count: Int)] = []
    let rows = try transaction.rows(
      """
      SELECT substr(a.artist_sort, 1, 1), count(*) FROM albums a WHERE a.listed = 1\(filter.sql) GROUP BY 1 ORDER BY 1
      """, values: filter.values
    ) { (first: try $0.value(0) as String, count: try $0.value(1) as Int) }
    for row in rows {
      let name = letters.count < mostLetters ? Letter(of: row.first).name : "…"
      if letters.last?.name == name {
        letters[letters.count - 1].count += row.count
      } else {
        letters.append((name, row.count))
      }
    }
    return letters
  }

  private static func years(_ filter: TagConditions, _ transaction: ReadTransaction) throws -> [(String, Int)] {
    try transaction.rows(
      """
      SELECT -a.year_order, count(*) FROM albums a WHERE a.listed = 1\(filter.sql)
      GROUP BY a.year_order ORDER BY a.year_order LIMIT 10000
      """, values: filter.values
    ) { row in
      let year: Int = try row.value(0)
      return (year == 0 ? "" : "\(year)", try row.value(1))
    }
  }

  private static func months(
    _ column: String, _ filter: TagConditions, _ transaction: ReadTransaction
  ) throws -> [(String, Int)] {
    guard filter.isEmpty else {
      return try transaction.rows(
        """
        SELECT CASE WHEN a.\(column) > 0 THEN strftime('%Y-%m', a.\(column) / 1000000, 'unixepoch') ELSE '' END, count(*)
        FROM albums a WHERE a.listed = 1\(filter.sql) GROUP BY 1 ORDER BY 1 DESC
        """, values: filter.values
      ) { (try $0.value(0), try $0.value(1)) }
    }
    var months: [(String, Int)] = []
    var bound = Int64.max
    while let newest: Int64 = try transaction.value(
      "SELECT \(column) FROM albums WHERE listed = 1 AND \(column) < ? ORDER BY \(column) DESC LIMIT 1", bound)
    {
      // An album that was never played has no month.
      let month = newest > 0 ? String(Timestamp(microseconds: newest).description.prefix(7)) : ""
      let start = Timestamp("\(month)-01T00:00:00Z")?.microseconds ?? .min
      let count = try count("a.\(column) >= ? AND a.\(column) < ?", [start, bound], transaction)
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
      (name, end) = ("", "\u{1}")
      return
    }
    if first < "0" {
      (name, end) = ("", "0")
    } else if first <= "9" {
      (name, end) = ("#", ":")
    } else {
      name = String(first).uppercased()
      var next = first.value + 1
      if next == 0xD800 { next = 0xE000 }
      end = Unicode.Scalar(next).map { String($0) }
    }
  }
}

/// The random orders that were requested last, so that scrolling through one does not sort the whole catalogue for each
/// window. An order of 100,000 albums takes 800 kB.
final class RandomOrderCache: Sendable {
  private static let most = 2

  struct Key: Hashable {
    /// The catalogue's generation: an order is valid until something changes.
    var generation: Int64
    var tags: [Library.Tag]
    var seed: Int64
  }

  private let kept = Mutex<[(key: Key, numbers: [Int64])]>([])

  /// Returns the numbers of an order; `draw` makes them where they are not kept.
  func numbers(_ key: Key, _ draw: () throws -> [Int64]) rethrows -> [Int64] {
    if let found = kept.withLock({ kept in kept.first { $0.key == key } }) { return found.numbers }
    let numbers = try draw()
    kept.withLock { kept in
      // Nobody asks for the orders of a catalogue that has changed.
      kept.removeAll { $0.key.generation != key.generation || $0.key == key }
      if kept.count >= Self.most { kept.removeFirst() }
      kept.append((key, numbers))
    }
    return numbers
  }
}

import Messages
import Model
import Storage
import Text

/// Parts of the list of albums by their place. An index is walked up to the place, which takes a few milliseconds at the
/// end of 100,000 albums; rows are fetched only for what is shown.
extension Catalogue {
  /// A part of the list.
  ///
  /// - Parameter orders: keeps random orders from one part to the next.
  /// - Throws: what the database says.
  static func window(
    _ request: Library.ReadAlbumWindow, randomSeed: Int64, keeping orders: RandomOrderCache = RandomOrderCache(),
    _ transaction: ReadTransaction
  ) throws -> Library.AlbumWindow {
    let first = max(0, request.first)
    let generation = try generation(transaction)
    if request.sort == .random {
      let seed = request.seed ?? randomSeed
      let numbers = try orders.numbers(.init(generation: generation, tag: request.tag, seed: seed)) {
        try places(of: request.tag, seed, transaction).map(\.number)
      }
      let rows = try numbers.dropFirst(first).prefix(limit(request.limit)).compactMap { number in
        try transaction.row("SELECT \(albumColumns) FROM albums a WHERE a.id = ?", number) { try AlbumRow($0) }
      }
      return part(rows, first, total: numbers.count, seed: seed, generation, request.limit)
    }
    let order = Self.order(request.sort)
    let rows = try transaction.rows(
      """
      SELECT \(albumColumns) FROM (SELECT a.id AS place FROM albums a WHERE a.shelf = a.id \(condition(request.tag))
        ORDER BY \(order) LIMIT ?3 OFFSET ?4) JOIN albums a ON a.id = place ORDER BY \(order)
      """, request.tag.map(AlbumTags.kind), request.tag.map(AlbumTags.folded), limit(request.limit), first
    ) { try AlbumRow($0) }
    let total = try count("TRUE", request.tag, [nil, nil], transaction)
    return part(rows, first, total: total, seed: nil, generation, request.limit)
  }

  private static func part(
    _ rows: [AlbumRow], _ first: Int, total: Int, seed: Int64?, _ generation: Int64, _ wanted: Int
  ) -> Library.AlbumWindow {
    var budget = PageBudget(items: limit(wanted))
    let shown = rows.prefix { budget.admits($0.album.size) }
    return Library.AlbumWindow(
      total: total, first: first, items: shown.map(\.album), seed: seed, generation: generation)
  }

  private static func order(_ sort: Library.Sort) -> String {
    switch sort {
    case .name, .random: "a.artist_sort, a.title_sort, a.id"
    case .year: "a.year_order, a.artist_sort, a.title_sort, a.id"
    case .added: "a.added_at DESC, a.id DESC"
    case .played: "a.played_at DESC, a.id DESC"
    }
  }

  private static func generation(_ transaction: ReadTransaction) throws -> Int64 {
    try transaction.row("SELECT generation FROM catalogue") { try $0.value(0) } ?? 0
  }

  /// How many albums with a tag meet a condition on `?3` and `?4`.
  private static func count(
    _ which: String, _ tag: Library.Tag?, _ bounds: [(any SQLBindable)?], _ transaction: ReadTransaction
  ) throws -> Int {
    // The last one is named so that all values count where the conditions do not name them.
    try transaction.row(
      """
      SELECT count(*) FROM albums a WHERE a.shelf = a.id \(condition(tag)) AND \(which)
        AND ?4 IS ?4
      """, tag.map(AlbumTags.kind), tag.map(AlbumTags.folded), bounds[0], bounds[1]
    ) { try $0.value(0) } ?? 0
  }
}

/// Where letters, years and months begin.
extension Catalogue {
  /// How many letters there are at most: the names of some scripts begin with thousands.
  private static let mostLetters = 200

  /// The marks of a list. The index is walked from one mark to the next.
  ///
  /// - Throws: what the database says.
  static func index(_ request: Library.IndexAlbums, _ transaction: ReadTransaction) throws -> Library.AlbumIndex {
    var counts: [(name: String, count: Int)] = []
    switch request.sort {
    case .name: counts = try letters(request.tag, transaction)
    case .year: counts = try years(request.tag, transaction)
    case .added: counts = try months("added_at", request.tag, transaction)
    case .played: counts = try months("played_at", request.tag, transaction)
    case .random: break
    }
    var marks: [Library.AlbumIndex.Mark] = []
    var total = 0
    for (name, count) in counts where count > 0 {
      marks.append(.init(name: name, first: total, count: count))
      total += count
    }
    if request.sort == .random { total = try count("TRUE", request.tag, [nil, nil], transaction) }
    return Library.AlbumIndex(total: total, generation: try generation(transaction), marks: marks)
  }

  private static func letters(_ tag: Library.Tag?, _ transaction: ReadTransaction) throws -> [(String, Int)] {
    var letters: [(String, Int)] = []
    var bound = ""
    while let name: String = try transaction.row(
      "SELECT artist_sort FROM albums WHERE shelf = id AND artist_sort >= ? ORDER BY artist_sort LIMIT 1", bound,
      as: { try $0.value(0) })
    {
      let letter = Letter(of: name)
      let end = letters.count < mostLetters ? letter.end : nil
      let count = try count(
        end == nil ? "a.artist_sort >= ?3" : "a.artist_sort >= ?3 AND a.artist_sort < ?4", tag, [bound, end],
        transaction)
      letters.append((letters.count < mostLetters ? letter.name : "…", count))
      guard let end else { break }
      bound = end
    }
    return letters
  }

  private static func years(_ tag: Library.Tag?, _ transaction: ReadTransaction) throws -> [(String, Int)] {
    try transaction.rows(
      """
      SELECT -a.year_order, count(*) FROM albums a WHERE a.shelf = a.id \(condition(tag))
      GROUP BY a.year_order ORDER BY a.year_order LIMIT ?3
      """, tag.map(AlbumTags.kind), tag.map(AlbumTags.folded), 10_000
    ) { row in
      let year: Int = try row.value(0)
      return (year == 0 ? "" : "\(year)", try row.value(1))
    }
  }

  private static func months(
    _ column: String, _ tag: Library.Tag?, _ transaction: ReadTransaction
  ) throws -> [(String, Int)] {
    var months: [(String, Int)] = []
    var bound = Int64.max
    while let newest: Int64 = try transaction.row(
      "SELECT \(column) FROM albums WHERE shelf = id AND \(column) < ? ORDER BY \(column) DESC LIMIT 1", bound,
      as: { try $0.value(0) })
    {
      // What was never played has no month.
      let month = newest > 0 ? String(Timestamp(microseconds: newest).description.prefix(7)) : ""
      let start = Timestamp("\(month)-01T00:00:00Z")?.microseconds ?? .min
      let count = try count("a.\(column) >= ?3 AND a.\(column) < ?4", tag, [start, bound], transaction)
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
  /// The first key behind all that begin with it; nil where it is the last there can be.
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

import Messages
import Model
import Storage
import Text

/// Pages of albums and artists. Every page begins behind the sort values of the one before, found by an index; so rows
/// that come or go between two pages neither hide nor repeat others.
extension Catalogue {
  private static let longestPage = 200

  /// A page of albums.
  ///
  /// - Throws: `library.badCursor`.
  static func albums(
    _ request: Library.ListAlbums, randomSeed: Int64, _ transaction: ReadTransaction
  ) throws -> Library.Page<Album> {
    switch request.sort {
    case .name: try byName(request, transaction)
    case .year: try byYear(request, transaction)
    case .added: try newest("added_at", request, transaction)
    case .played: try newest("played_at", request, transaction)
    case .random: try shuffled(request, randomSeed: randomSeed, transaction)
    }
  }

  private static func page(
    _ request: Library.ListAlbums, _ rows: [AlbumRow], seed: Int64 = 0
  ) -> Library.Page<Album> {
    var budget = PageBudget(items: limit(request.limit))
    let shown = rows.prefix { budget.admits($0.album.size) }
    let next = shown.count < rows.count ? shown.last.map { cursor(behind: $0, request.sort, seed: seed).text } : nil
    return Library.Page(items: shown.map(\.album), next: next)
  }

  /// Where a list goes on behind an album.
  static func cursor(behind row: AlbumRow, _ sort: Library.Sort, seed: Int64) -> Cursor {
    switch sort {
    case .name: Cursor(sort.rawValue, [row.artistSort, row.titleSort, row.number])
    case .year: Cursor(sort.rawValue, [row.yearOrder, row.artistSort, row.titleSort, row.number])
    case .added: Cursor(sort.rawValue, [row.addedAt, row.number])
    case .played: Cursor(sort.rawValue, [row.playedAt, row.number])
    case .random: cursor(behind: row.number, seed: seed)
    }
  }

  /// Where the random order goes on behind a number, whether there is such an album or not.
  static func cursor(behind number: Int64, seed: Int64) -> Cursor {
    Cursor(Library.Sort.random.rawValue, [seed, place(of: number, seed), number])
  }

  static func limit(_ wanted: Int) -> Int { min(max(1, wanted), longestPage) }

  /// SQL that narrows a list to albums with a tag that one of their members has; its values are `?1` and `?2`.
  static func condition(_ tag: Library.Tag?) -> String {
    guard let tag else { return "" }
    if tag.kind == .year { return "AND a.year_order = -CAST(?2 AS INTEGER)" }
    return """
      AND a.id IN (SELECT m.shelf FROM album_tags g JOIN albums m ON m.id = g.album WHERE g.kind = ?1 AND g.folded = ?2)
      """
  }

  private static func byName(_ request: Library.ListAlbums, _ transaction: ReadTransaction) throws
    -> Library.Page<Album>
  {
    let after = try Cursor(request.after, of: request.sort.rawValue, count: 3)
    let rows = try transaction.rows(
      """
      SELECT \(albumColumns) FROM albums a
      WHERE a.shelf = a.id AND (a.artist_sort, a.title_sort, a.id) > (?3, ?4, ?5) \(condition(request.tag))
      ORDER BY a.artist_sort, a.title_sort, a.id LIMIT ?6
      """, request.tag.map(AlbumTags.kind), request.tag.map(AlbumTags.folded),
      after?.values[0] ?? request.startingAt.map(SortKey.of) ?? "", after?.values[1] ?? "", try after?.number(2) ?? 0,
      limit(request.limit) + 1
    ) { try AlbumRow($0) }
    return page(request, rows)
  }

  private static func byYear(_ request: Library.ListAlbums, _ transaction: ReadTransaction) throws
    -> Library.Page<Album>
  {
    let after = try Cursor(request.after, of: request.sort.rawValue, count: 4)
    let rows = try transaction.rows(
      """
      SELECT \(albumColumns) FROM albums a
      WHERE a.shelf = a.id AND (a.year_order, a.artist_sort, a.title_sort, a.id) > (?3, ?4, ?5, ?6)
        \(condition(request.tag)) ORDER BY a.year_order, a.artist_sort, a.title_sort, a.id LIMIT ?7
      """, request.tag.map(AlbumTags.kind), request.tag.map(AlbumTags.folded), try after?.number(0) ?? .min,
      after?.values[1] ?? "", after?.values[2] ?? "", try after?.number(3) ?? 0, limit(request.limit) + 1
    ) { try AlbumRow($0) }
    return page(request, rows)
  }

  private static func newest(
    _ column: String, _ request: Library.ListAlbums, _ transaction: ReadTransaction
  ) throws -> Library.Page<Album> {
    let after = try Cursor(request.after, of: request.sort.rawValue, count: 2)
    let rows = try transaction.rows(
      """
      SELECT \(albumColumns) FROM albums a
      WHERE a.shelf = a.id AND (a.\(column), a.id) < (?3, ?4) \(condition(request.tag))
      ORDER BY a.\(column) DESC, a.id DESC LIMIT ?5
      """, request.tag.map(AlbumTags.kind), request.tag.map(AlbumTags.folded), try after?.number(0) ?? .max,
      try after?.number(1) ?? .max, limit(request.limit) + 1
    ) { try AlbumRow($0) }
    return page(request, rows)
  }

  /// The order drawn from a seed: by a hash of seed and number, which stays as it is when albums come and go. The seed
  /// travels in the cursor.
  private static func shuffled(
    _ request: Library.ListAlbums, randomSeed: Int64, _ transaction: ReadTransaction
  ) throws -> Library.Page<Album> {
    let after = try Cursor(request.after, of: request.sort.rawValue, count: 3)
    let seed = try after?.number(0) ?? request.seed ?? randomSeed
    let last = try after.map { (place: try $0.number(1), number: try $0.number(2)) }
    var places = try places(of: request.tag, seed, transaction)
    if let last { places.removeAll { ($0.place, $0.number) <= (last.place, last.number) } }
    let rows = try places.prefix(limit(request.limit) + 1).compactMap { place in
      try transaction.row("SELECT \(albumColumns) FROM albums a WHERE a.id = ?", place.number) { try AlbumRow($0) }
    }
    return page(request, rows, seed: seed)
  }

  /// The numbers of the albums with a tag in the order drawn from a seed, each with its place.
  static func places(of tag: Library.Tag?, _ seed: Int64, _ transaction: ReadTransaction) throws
    -> [(place: Int64, number: Int64)]
  {
    var places = try transaction.rows(
      // The limit makes the tag's values count where there is no tag.
      "SELECT a.id FROM albums a WHERE a.shelf = a.id \(condition(tag)) LIMIT ?3", tag.map(AlbumTags.kind),
      tag.map(AlbumTags.folded), -1
    ) { row in
      let number: Int64 = try row.value(0)
      return (place: place(of: number, seed), number: number)
    }
    places.sort { ($0.place, $0.number) < ($1.place, $1.number) }
    return places
  }

  /// SplitMix64 (Steele, Lea and Flood 2014): neighbours get places far apart.
  private static func place(of number: Int64, _ seed: Int64) -> Int64 {
    var mixed = UInt64(bitPattern: seed) &+ UInt64(bitPattern: number) &* 0x9E37_79B9_7F4A_7C15
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return Int64(bitPattern: mixed ^ (mixed >> 31))
  }

  /// A page of artists by name.
  ///
  /// - Throws: `library.badCursor`.
  static func artists(_ request: Library.ListArtists, _ transaction: ReadTransaction) throws -> Library.Page<Artist> {
    let after = try Cursor(request.after, of: "artists", count: 2)
    let rows = try transaction.rows(
      "SELECT \(artistColumns) FROM artists r WHERE (r.sort, r.id) > (?, ?) ORDER BY r.sort, r.id LIMIT ?",
      after?.values[0] ?? request.startingAt.map(SortKey.of) ?? "", try after?.number(1) ?? 0,
      limit(request.limit) + 1, as: artist)
    var budget = PageBudget(items: limit(request.limit))
    let shown = rows.prefix { budget.admits($0.artist.size) }
    let next = shown.count < rows.count ? shown.last.map { Cursor("artists", [$0.sort, $0.number]).text } : nil
    return Library.Page(items: shown.map(\.artist), next: next)
  }
}

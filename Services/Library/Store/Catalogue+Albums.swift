import Messages
import Model
import Storage
import System
import Text

/// Pages of albums, and one album with its tracks.
///
/// Every page begins behind the sort values of the one before, found by an index; so rows that come or go between two
/// pages neither hide nor repeat others.
extension Catalogue {
  /// Returns a page of albums.
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
    Library.Page(rows, limit: limit(request.limit), \.album) { cursor(behind: $0, request.sort, seed: seed) }
  }

  /// Returns the cursor of the albums behind one.
  static func cursor(behind row: AlbumRow, _ sort: Library.Sort, seed: Int64) -> Cursor {
    switch sort {
    case .name: Cursor(sort.rawValue, [row.artistSort, row.titleSort, row.number])
    case .year: Cursor(sort.rawValue, [row.yearOrder, row.artistSort, row.titleSort, row.number])
    case .added: Cursor(sort.rawValue, [row.addedAt, row.number])
    case .played: Cursor(sort.rawValue, [row.playedAt, row.number])
    case .random: cursor(behind: row.number, seed: seed)
    }
  }

  /// Returns the cursor of the random order behind a number, of which there need not be an album.
  static func cursor(behind number: Int64, seed: Int64) -> Cursor {
    Cursor(Library.Sort.random.rawValue, [seed, position(of: number, seed), number])
  }

  /// Returns SQL that narrows a list to albums of which a member has the tag; its values are `?1` and `?2`.
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

  /// Returns a page of the random order of a seed: by a hash of seed and number, which stays as it is when albums come
  /// and go. The seed travels in the cursor.
  private static func shuffled(
    _ request: Library.ListAlbums, randomSeed: Int64, _ transaction: ReadTransaction
  ) throws -> Library.Page<Album> {
    let after = try Cursor(request.after, of: request.sort.rawValue, count: 3)
    let seed = try after?.number(0) ?? request.seed ?? randomSeed
    let last = try after.map { (position: try $0.number(1), number: try $0.number(2)) }
    var positions = try positions(of: request.tag, seed, transaction)
    if let last { positions.removeAll { ($0.position, $0.number) <= (last.position, last.number) } }
    let rows = try positions.prefix(limit(request.limit) + 1).compactMap { try albumRow($0.number, transaction) }
    return page(request, rows, seed: seed)
  }

  /// Returns the numbers of the albums with a tag in the random order of a seed, each with its position.
  static func positions(of tag: Library.Tag?, _ seed: Int64, _ transaction: ReadTransaction) throws
    -> [(position: Int64, number: Int64)]
  {
    var positions = try transaction.rows(
      // The limit makes the tag's values count where there is no tag.
      "SELECT a.id FROM albums a WHERE a.shelf = a.id \(condition(tag)) LIMIT ?3", tag.map(AlbumTags.kind),
      tag.map(AlbumTags.folded), -1
    ) { row in
      let number: Int64 = try row.value(0)
      return (position: position(of: number, seed), number: number)
    }
    positions.sort { ($0.position, $0.number) < ($1.position, $1.number) }
    return positions
  }

  /// Returns the position of an album in the random order of a seed.
  private static func position(of number: Int64, _ seed: Int64) -> Int64 {
    Int64(
      bitPattern: SplitMix64.mix(
        UInt64(bitPattern: seed) &+ UInt64(bitPattern: number) &* SplitMix64.increment))
  }
}

/// One album with its tracks.
extension Catalogue {
  /// Returns the row of an album that is shown; nil where there is none.
  static func albumRow(_ number: Int64, _ transaction: ReadTransaction) throws -> AlbumRow? {
    try transaction.row("SELECT \(albumColumns) FROM albums a WHERE a.id = ?", number) { try AlbumRow($0) }
  }

  /// Returns an album with a page of its tracks by disc, number and title.
  ///
  /// - Throws: `library.unknownID`, `library.badCursor`.
  static func album(_ request: Library.ReadAlbum, _ transaction: ReadTransaction) throws -> Library.AlbumPage {
    let after = try Cursor(request.after, of: "album", count: 4)
    let number = try resolveAlbum(request.id, transaction)
    guard let album = try albumRow(number, transaction)?.album else { throw CatalogueID.unknown(request.id) }
    let rows = try transaction.rows(
      """
      SELECT \(trackColumns) FROM tracks t JOIN albums a ON a.id = t.shelf
      WHERE t.shelf = ? AND (t.disc, ifnull(t.number, 1000000), t.title_sort, t.id) > (?, ?, ?, ?)
      ORDER BY t.disc, ifnull(t.number, 1000000), t.title_sort, t.id LIMIT ?
      """, number, try after?.number(0) ?? .min, try after?.number(1) ?? 0, after?.values[2] ?? "",
      try after?.number(3) ?? 0, longestPage + 1
    ) { try TrackRow($0) }
    var budget = PageBudget(items: longestPage)
    let moods = try AlbumTags.read(.mood, of: number, transaction)
    let styles = try AlbumTags.read(.style, of: number, transaction)
    budget.reserve(album.size + (moods + styles).reduce(40) { $0 + PageBudget.size($1) + 1 })
    let shown = rows.prefix { budget.admits($0.track.size) }
    let next = shown.count < rows.count ? shown.last : nil
    return Library.AlbumPage(
      album: album, tracks: shown.map(\.track),
      next: next.map { Cursor("album", [$0.track.disc, $0.place, $0.titleSort, $0.number]).text },
      moods: moods, styles: styles)
  }
}

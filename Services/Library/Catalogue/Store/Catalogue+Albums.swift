import Messages
package import Model
import Records
package import Storage
import System
import Text

/// Pages of albums, and one album with its tracks.
extension Catalogue {
  /// Returns a page of albums. Throws `library.badCursor`, `library.unknownTag`, `library.badTag`.
  static func albums(
    _ request: Library.ListAlbums, randomSeed: Int64, keeping lists: ListCache = ListCache(),
    _ transaction: ReadTransaction
  ) throws -> Library.Page<Album> {
    switch request.sort {
    case .random: return try shuffled(request, randomSeed: randomSeed, transaction)
    case .plays:
      let places = try placesByPlays(
        of: .albums, request.allTags, withEditions: request.editions == true, keeping: lists, transaction)
      return try pageByPlays(
        "plays", places, after: request.after, limit: limit(request.limit), isReversed: request.isReversed
      ) { try album($0, transaction) }
    default: break
    }
    let filter = try TagConditions(request.allTags, transaction)
    return try transaction.page(
      order(of: request.sort, isReversed: request.isReversed), after: request.after,
      startingAt: request.sort == .name ? request.startingAt.map(SortKey.start) : nil,
      PageBudget(items: limit(request.limit)), albumColumns,
      "FROM albums a WHERE \(isListed(request.editions == true))\(filter.sql)", filter.values, as: album)
  }

  /// Returns the condition for the albums of a list: one edition of each release group, or every edition.
  static func isListed(_ withEditions: Bool) -> String { withEditions ? "a.shelf = a.id" : "a.listed = 1" }

  /// Returns a page of the random order of a seed: albums are sorted by a hash of seed and number, so that the order of
  /// the others stays when albums come and go. The seed is part of the cursor.
  private static func shuffled(
    _ request: Library.ListAlbums, randomSeed: Int64, _ transaction: ReadTransaction
  ) throws -> Library.Page<Album> {
    let after = try Cursor(request.after, of: "random", count: 3)
    let seed = try after?.number(0) ?? request.seed ?? randomSeed
    let last = try after.map { ListCache.Place(value: try $0.number(1), number: try $0.number(2)) }
    let places = try places(of: request.allTags, seed, where: isListed(request.editions == true), transaction)
    let limit = limit(request.limit)
    let rows = try places.behind(last, isReversed: false).prefix(limit + 1).compactMap { place in
      try album(place.number, transaction).map { (album: $0, number: place.number) }
    }
    return Library.Page(rows, PageBudget(items: limit), \.album) { cursor(behind: $0.number, seed: seed) }
  }

  /// Returns the cursor of the random order behind a number, even if no album has it.
  static func cursor(behind number: Int64, seed: Int64) -> Cursor {
    Cursor("random", [seed, position(of: number, seed), number])
  }

  /// Returns the places of the albums with these tags that meet a condition, in the random order of a seed.
  static func places(
    of tags: [Library.Tag], _ seed: Int64, where condition: String = "a.listed = 1", _ transaction: ReadTransaction
  ) throws -> [ListCache.Place] {
    let filter = try TagConditions(tags, for: .count, transaction)
    return try transaction.rows(
      "SELECT a.id FROM albums a WHERE \(condition)\(filter.sql)", values: filter.values
    ) { row in
      let number: Int64 = try row.value(0)
      return ListCache.Place(value: position(of: number, seed), number: number)
    }.sorted()
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
  private static let tracksOfAlbum = ListOrder(
    "album", .number("t.disc"), .number("ifnull(t.number, 1000000)"), .text("t.title_sort"), .number("t.id"))

  /// Returns the album of a row; nil if there is none.
  package static func album(_ number: Int64, _ transaction: ReadTransaction) throws -> Album? {
    try transaction.row("SELECT \(albumColumns) FROM albums a WHERE a.id = ?", number, as: album)
  }

  private static let mostEditions = 20

  /// Returns the other editions of an album's release group, oldest first.
  private static func editions(of number: Int64, _ transaction: ReadTransaction) throws -> [Album] {
    try transaction.rows(
      """
      SELECT \(albumColumns) FROM albums s CROSS JOIN albums a ON a.group_key = s.group_key AND a.shelf = a.id
      WHERE s.id = ?1 AND s.editions > 1 AND a.id <> ?1 ORDER BY a.date IS NULL, a.date, a.title_sort, a.id LIMIT ?2
      """, number, mostEditions, as: album)
  }

  /// Returns the edition that stands in lists for the release group of an album; nil if there is none.
  private static func listedEdition(of number: Int64, _ transaction: ReadTransaction) throws -> AlbumID? {
    try transaction.row(
      """
      SELECT a.source || ':a' || a.id FROM albums s CROSS JOIN albums a ON a.group_key = s.group_key
      WHERE s.id = ? AND a.shelf = a.id AND a.listed = 1 LIMIT 1
      """, number
    ) { try $0.value(0) }
  }

  /// Returns an album with a page of its tracks by disc, number and title.
  ///
  /// - Throws: `library.unknownID`, `library.badCursor`.
  static func album(_ request: Library.ReadAlbum, _ transaction: ReadTransaction) throws -> Library.AlbumPage {
    let number = try number(of: .album, request.id, transaction)
    guard let album = try album(number, transaction) else { throw CatalogueID.unknown(request.id) }
    let moods = try AlbumTags.read(.mood, of: number, transaction)
    let styles = try AlbumTags.read(.style, of: number, transaction)
    let facts = try AlbumDetails.read(of: number, transaction).facts
    let (discs, editions) = (try discs(of: number, transaction), try editions(of: number, transaction))
    var reserved = album.size + 240 + PageBudget.size(moods + styles + facts.labels + facts.catalogueNumbers)
    for disc in discs { reserved += 80 + PageBudget.size(disc.title) + 5 * disc.missing.count }
    for edition in editions { reserved += edition.size }
    let credits = request.after == nil ? try credits(ofAlbum: number, transaction) : []
    for one in credits { reserved += 90 + PageBudget.size([one.credit.name, one.credit.instrument ?? ""]) }
    // The guesses of a page with the most tracks.
    reserved += try hasGuesses(album: number, transaction) ? 90 * longestPage : 0
    // The formats, the sources and the numbers of the first page.
    reserved += request.after == nil ? 2000 : 0
    let page = try transaction.page(
      tracksOfAlbum, after: request.after, PageBudget(items: longestPage, reserved: reserved), trackColumns,
      "FROM tracks t JOIN albums a ON a.id = t.shelf WHERE t.shelf = ?", [number], as: track)
    let guesses = try guesses(of: page.items, onAlbum: number, transaction)
    var answer = Library.AlbumPage(
      album: album, tracks: page.items, next: page.next, moods: moods, styles: styles,
      facts: facts.isEmpty ? nil : facts, discs: discs.isEmpty ? nil : discs,
      editions: editions.isEmpty ? nil : editions,
      listedEdition: editions.isEmpty ? nil : try listedEdition(of: number, transaction),
      credits: credits.isEmpty ? nil : credits, guesses: guesses.isEmpty ? nil : guesses)
    if request.after == nil { try addFacts(to: &answer, of: number, transaction) }
    return answer
  }
}

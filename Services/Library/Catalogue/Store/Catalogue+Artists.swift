import Messages
import Model
import Records
import Storage
import Text

/// Pages of artists, and one artist with their albums.
extension Catalogue {
  /// The columns of an artist `r`, as `artist(_:)` reads them.
  static let artistColumns = "r.source || ':r' || r.id, r.name, r.albums, r.art, nullif(r.credits, 0), r.roles"

  static func artist(_ row: borrowing Row) throws -> Artist {
    let bits: Int = try row.value(5)
    let roles = CreditRole.allCases.filter { role in role.number.map { bits & (1 << $0) != 0 } ?? false }
    return Artist(
      id: try row.value(0), name: try row.value(1), albumCount: try row.value(2), art: try row.value(3),
      trackCount: try row.value(4), roles: roles.isEmpty ? nil : roles)
  }

  /// Returns the artist of a row; nil if there is none.
  static func artist(_ number: Int64, _ transaction: ReadTransaction) throws -> Artist? {
    try transaction.row("SELECT \(artistColumns) FROM artists r WHERE r.id = ?", number, as: artist)
  }

  /// Returns a page of the artists with albums or of those with a role. Throws `library.badCursor`.
  static func artists(_ request: Library.ListArtists, _ transaction: ReadTransaction) throws -> Library.Page<Artist> {
    let role = request.role ?? .albumArtist
    let sort = request.sort ?? .name
    let list = request.role.map { "artists-\($0.rawValue)" } ?? "artists"
    return try transaction.page(
      peopleOrder(sort == .name ? list : "\(list)-albums", role, sort, isReversed: request.isReversed),
      after: request.after, startingAt: sort == .name ? request.startingAt.map(SortKey.start) : nil,
      PageBudget(items: limit(request.limit)), artistColumns, "FROM artists r WHERE \(hasRole(role))", as: artist)
  }

  /// Returns the order of a list of people `r` in a role, without counting the albums of all of them: by albums, people
  /// in other roles than album artist are sorted by the tracks that credit them.
  static func peopleOrder(
    _ list: String, _ role: CreditRole, _ sort: Library.TagSort, isReversed: Bool?
  ) -> ListOrder {
    let order =
      switch sort {
      case .name: ListOrder(list, .text("r.sort"), .number("r.id"))
      case .albums:
        switch role {
        case .albumArtist: ListOrder(list, .number("-r.albums"), .text("r.sort"), .number("r.id"))
        case .artist: ListOrder(list, .number("-(r.albums + r.credits)"), .text("r.sort"), .number("r.id"))
        default: ListOrder(list, .number("-r.credits"), .text("r.sort"), .number("r.id"))
        }
      }
    return order.reversed(isReversed)
  }

  private static let mostWords = 24

  /// The order of an artist's albums: oldest first and those without a year last.
  static let albumsOfArtist = ListOrder(
    "artist", .number("ifnull(a.year, 1000000)"), .text("a.title_sort"), .number("a.id"))

  /// Returns a page of an artist's albums. Throws `library.badCursor`.
  static func albums(
    ofArtist number: Int64, after: String?, _ budget: PageBudget, _ transaction: ReadTransaction
  ) throws -> Library.Page<Album> {
    try transaction.page(
      albumsOfArtist, after: after, budget, albumColumns,
      "FROM albums a WHERE a.listed = 1 AND a.id IN (\(albumNumbers(ofArtist: "?")))",
      [number, number], as: album)
  }

  /// Returns an artist with a page of their albums. Throws `library.unknownID`, `library.badCursor`.
  static func artist(_ request: Library.ReadArtist, _ transaction: ReadTransaction) throws -> Library.ArtistPage {
    let number = try number(of: .artist, request.id, transaction)
    let found = try transaction.row(
      "SELECT \(artistColumns), r.summary, r.genres FROM artists r WHERE r.id = ?", number
    ) { (artist: try artist($0), summary: try $0.value(6) as String?, genres: try $0.value(7) as String) }
    guard var found else { throw CatalogueID.unknown(request.id) }
    // A longer text would leave no room for the albums in the answer.
    let summary = found.summary.map { String($0.prefix(8000)) }
    let genres = try words(.genre, of: number, own: TextList.unpacked(found.genres), transaction)
    let moods = try words(.mood, of: number, transaction)
    let styles = try words(.style, of: number, transaction)
    let aliases = try aliases(of: number, transaction)
    found.artist.aliases = aliases.isEmpty ? nil : aliases
    let appearances = try appearances(of: number, transaction)
    let size =
      found.artist.size + PageBudget.size(summary) + 80 + PageBudget.size(genres + moods + styles)
      + 60 * appearances.count
    let page = try albums(
      ofArtist: number, after: request.after, PageBudget(items: longestPage, reserved: size), transaction)
    return Library.ArtistPage(
      artist: found.artist, summary: summary, genres: genres, albums: page.items, next: page.next, moods: moods,
      styles: styles, appearances: appearances)
  }

  /// Returns the words that sources have for the artist, then those that most of the albums have.
  private static func words(
    _ kind: Library.Tag.Kind, of artist: Int64, own: [String] = [], _ transaction: ReadTransaction
  ) throws -> [String] {
    var words: [String] = []
    var folded: Set<String> = []
    let ofAlbums: [String] = try transaction.values(
      """
      SELECT g.name, count(*), min(g.album) FROM albums s CROSS JOIN albums m ON m.merge_key = s.merge_key
      CROSS JOIN album_tags g ON g.album = m.id AND g.kind = ? WHERE s.artist_id = ? AND s.shelf = s.id
      GROUP BY g.folded ORDER BY 2 DESC, g.folded LIMIT ?
      """, AlbumTags.number(of: kind), artist, mostWords)
    for word in own + ofAlbums where words.count < mostWords && folded.insert(word.trimmed.folded).inserted {
      words.append(word)
    }
    return words
  }
}

extension Artist: SizedItem {
  var size: Int { 180 + PageBudget.size(name) + 15 * (roles?.count ?? 0) + PageBudget.size(aliases ?? []) }
}

import Messages
import Model
import Storage
import Text

/// Pages of tags with their numbers of albums.
extension Catalogue {
  /// Returns a page of tags with their numbers of listed albums; of several spellings the first.
  ///
  /// Without `among` and in the order by name, a page reads its own rows only; one of words in the opposite order does
  /// not. Otherwise the albums that are counted are all read for each page. Only people are sorted without counting the
  /// albums of all of them, as `peopleOrder` says.
  ///
  /// - Throws: `library.badCursor`, `library.unknownTag`, `library.badTag`.
  static func tags(_ request: Library.ListTags, _ transaction: ReadTransaction) throws -> Library.Page<Library.TagCount>
  {
    let query = TagQuery(
      kind: request.of, sort: request.sort ?? .name,
      albums: try TagConditions(request.among ?? [], for: .count, transaction),
      isReversed: request.isReversed == true, after: request.after, limit: limit(request.limit),
      start: request.startingAt, transaction: transaction)
    switch request.of {
    case .genre, .mood, .style, .label, .type, .media, .country, .language, .grouping, .key, .format, .sampleRate,
      .bitDepth:
      return try query.words()
    case .artist, .albumArtist, .composer, .conductor, .lyricist, .remixer, .performer: return try query.people()
    case .work: return try query.works()
    case .year: return try query.few(try query.years(of: "-a.year_order"))
    case .decade: return try query.few(try query.years(of: "-a.year_order / 10 * 10"))
    case .rating: return try query.few(try query.ratings())
    case .added: return try query.few(try query.arrivals())
    case .source: return try query.few(try query.sources())
    case .unplayed:
      return try query.few([Library.TagCount(name: "", albums: try query.count(ImportedPlays.unplayedAlbums))])
    case .folder:
      throw LunaraError("library.unknownTag", "Folders are not counted. `lunara folders` lists them.")
    case .unknown: throw Library.Tag.Kind.unknownTag
    }
  }
}

extension Library.TagCount: SizedItem {
  var size: Int { PageBudget.size(name) + 80 }
}

/// A request for tags, as the parts of its queries.
private struct TagQuery {
  let kind: Library.Tag.Kind
  let sort: Library.TagSort
  /// The condition of the albums that are counted.
  let albums: TagConditions
  let isReversed: Bool
  let after: String?
  let limit: Int
  let start: String?
  let transaction: ReadTransaction

  private typealias Page = Library.Page<Library.TagCount>

  /// The name of the list in cursors.
  private var list: String { "tags-\(kind.rawValue)-\(sort.rawValue)" }
  private var budget: PageBudget { PageBudget(items: limit) }
  private var listed: String { "a.listed = 1\(albums.sql)" }
  /// The albums that are counted, with the albums `m` that were merged into each.
  private var members: String {
    "FROM albums a CROSS JOIN albums m ON m.merge_key = a.merge_key AND m.shelf = a.id"
  }

  /// Returns a page of groups: rows with the columns `key`, `name`, `albums` and `id`.
  private func page(
    of groups: String, _ values: [(any SQLBindable)?], startingAt start: String?
  ) throws -> Library.Page<Library.TagCount> {
    let order =
      switch sort {
      case .name: ListOrder(list, .text("g.key"), .number("g.number"))
      case .albums: ListOrder(list, .number("-g.albums"), .text("g.key"), .number("g.number"))
      }
    return try transaction.page(
      order.reversed(isReversed), after: after, startingAt: sort == .name ? start : nil, budget,
      "g.name, g.albums, g.id",
      "FROM (\(groups)) g WHERE g.albums > 0", values
    ) { Library.TagCount(name: try $0.value(0), albums: try $0.value(1), id: try $0.value(2)) }
  }
}

/// Words of albums.
extension TagQuery {
  func words() throws -> Library.Page<Library.TagCount> {
    let number = AlbumTags.number(of: kind)
    // The name is that of the row with the smallest album (sqlite.org/lang_select.html#bareagg).
    let columns = "g.folded AS key, g.name AS name, count(DISTINCT a.id) AS albums, min(g.album) AS number, NULL AS id"
    guard sort == .name, albums.isEmpty, !isReversed else {
      return try page(
        of: """
          SELECT \(columns) \(members) CROSS JOIN album_tags g ON g.album = m.id AND g.kind = ? WHERE \(listed)
          GROUP BY g.folded
          """, [number] + albums.values, startingAt: start?.trimmed.folded)
    }
    let cursor = try Cursor(after, of: list, count: 1)
    typealias TagRow = (key: String, tag: Library.TagCount)
    let rows: [TagRow] = try transaction.rows(
      """
      SELECT \(columns) FROM album_tags g CROSS JOIN albums m ON m.id = g.album CROSS JOIN albums a ON a.id = m.shelf
      WHERE g.kind = ? AND g.folded >= ? AND g.folded > ? AND \(listed) GROUP BY g.folded ORDER BY g.folded LIMIT ?
      """,
      values: [number, start?.trimmed.folded ?? "", cursor?.values[0] ?? ""] + albums.values + [limit + 1]
    ) { (try $0.value(0), .init(name: try $0.value(1), albums: try $0.value(2))) }
    return Library.Page(rows, budget, \.tag) { Cursor(list, [$0.key]) }
  }
}

/// People and works.
extension TagQuery {
  func people() throws -> Library.Page<Library.TagCount> {
    let role = kind.role ?? .artist
    let (columns, start) = ("r.sort AS key, r.name AS name", start.map(SortKey.start))
    let id = "r.id AS number, r.source || ':r' || r.id AS id"
    if albums.isEmpty {
      let number = role.number ?? 0
      let count =
        switch kind {
        case .albumArtist: "r.albums"
        case .artist:
          """
          (SELECT count(*) FROM albums a WHERE a.listed = 1 AND a.id IN (\(Catalogue.albumNumbers(ofArtist: "r.id"))
            UNION \(Catalogue.creditedAlbums) c.artist = r.id AND c.role = \(number)))
          """
        default:
          """
          (SELECT count(*) FROM albums a WHERE a.listed = 1
            AND a.id IN (\(Catalogue.creditedAlbums) c.artist = r.id AND c.role = \(number)))
          """
        }
      return try transaction.page(
        Catalogue.peopleOrder(list, role, sort, isReversed: isReversed), after: after,
        startingAt: sort == .name ? start : nil, budget,
        "r.name, \(count), r.source || ':r' || r.id", "FROM artists r WHERE \(Catalogue.hasRole(role))"
      ) { Library.TagCount(name: try $0.value(0), albums: try $0.value(1), id: try $0.value(2)) }
    }
    let own = """
      SELECT a.id AS album, x.artist AS artist \(members) CROSS JOIN album_artists x ON x.album = m.id WHERE \(listed)
      UNION SELECT a.id, a.artist_id FROM albums a WHERE \(listed)
      """
    let credited = """
      SELECT a.id AS album, c.artist AS artist FROM albums a CROSS JOIN tracks s ON s.shelf = a.id
      CROSS JOIN credits c ON c.track = s.id AND c.role = \(role.number ?? 0) WHERE \(listed)
      """
    let (pairs, uses) =
      switch kind {
      case .albumArtist: (own, 2)
      case .artist: ("\(own) UNION \(credited)", 3)
      default: (credited, 1)
      }
    return try page(
      of: """
        SELECT \(columns), count(DISTINCT p.album) AS albums, \(id) FROM (\(pairs)) p CROSS JOIN artists r
          ON r.id = p.artist GROUP BY r.id
        """, Array(repeating: albums.values, count: uses).flatMap { $0 }, startingAt: start)
  }

  func works() throws -> Library.Page<Library.TagCount> {
    let start = start.map(SortKey.start)
    let id = "'\(WorkRow.source):w' || w.id"
    if albums.isEmpty, sort == .name {
      return try transaction.page(
        ListOrder(list, .text("w.sort"), .number("w.id")).reversed(isReversed), after: after, startingAt: start, budget,
        """
        w.title, (SELECT count(DISTINCT s.shelf) FROM track_works c CROSS JOIN tracks s ON s.id = c.track
          CROSS JOIN albums a ON a.id = s.shelf WHERE c.work = w.id AND a.listed = 1), \(id)
        """, "FROM works w WHERE TRUE"
      ) { Library.TagCount(name: try $0.value(0), albums: try $0.value(1), id: try $0.value(2)) }
    }
    return try page(
      of: """
        SELECT w.sort AS key, w.title AS name, count(DISTINCT a.id) AS albums, w.id AS number, \(id) AS id
        FROM albums a CROSS JOIN tracks s ON s.shelf = a.id CROSS JOIN track_works c ON c.track = s.id
        CROSS JOIN works w ON w.id = c.work WHERE \(listed) GROUP BY w.id
        """, albums.values, startingAt: start)
  }
}

/// Kinds with so few tags that all are counted for each page.
extension TagQuery {
  /// Returns a page of a list that is in the order by name.
  func few(_ tags: [Library.TagCount]) throws -> Library.Page<Library.TagCount> {
    let list = isReversed ? "\(self.list)-reversed" : self.list
    let first = Int(clamping: try Cursor(after, of: list, count: 1)?.number(0) ?? 0)
    // The sort is stable, so that tags of as many albums stay in their order.
    let sorted = sort == .name ? tags : tags.sorted { $0.albums > $1.albums }
    let counted = (isReversed ? sorted.reversed() : sorted).filter { $0.albums > 0 }
    let rows = Array(counted.enumerated().dropFirst(max(0, first)).prefix(limit + 1))
    return Library.Page(rows, budget, \.element) { Cursor(list, [$0.offset + 1]) }
  }

  /// Returns the number of the albums that meet another condition.
  func count(_ condition: String, _ values: (any SQLBindable)?...) throws -> Int {
    try transaction.rows(
      "SELECT count(*) FROM albums a WHERE \(listed) AND \(condition)", values: albums.values + values
    ) { try $0.value(0) as Int }.first ?? 0
  }

  /// Returns the values of a column with their numbers of albums, the largest first.
  private func counts(of column: String, where condition: String) throws -> [(value: Int, albums: Int)] {
    try transaction.rows(
      "SELECT \(column) AS value, count(*) FROM albums a WHERE \(listed) AND \(condition) GROUP BY 1 ORDER BY 1 DESC",
      values: albums.values
    ) { (try $0.value(0), try $0.value(1)) }
  }

  func years(of column: String) throws -> [Library.TagCount] {
    try counts(of: column, where: "a.year_order <> 0").map { .init(name: "\($0.value)", albums: $0.albums) }
  }

  /// Each number of stars counts the albums with as many or more.
  func ratings() throws -> [Library.TagCount] {
    var albums = 0
    return try counts(of: "a.rating", where: "a.rating IS NOT NULL").map { rating, count in
      albums += count
      return .init(name: rating.isMultiple(of: 2) ? "\(rating / 2)" : "\(rating / 2).5", albums: albums)
    }
  }

  func arrivals() throws -> [Library.TagCount] {
    let recent = try [7, 30, 365].map { days in
      Library.TagCount(
        name: "\(days)d", albums: try count("a.added_at >= (unixepoch() - ?) * 1000000", days * 86_400))
    }
    let year = "CAST(strftime('%Y', a.added_at / 1000000, 'unixepoch') AS INTEGER)"
    return recent + (try counts(of: year, where: "TRUE").map { .init(name: "\($0.value)", albums: $0.albums) })
  }

  func sources() throws -> [Library.TagCount] {
    try transaction.rows(
      "SELECT m.source, count(DISTINCT a.id) \(members) WHERE \(listed) GROUP BY m.source ORDER BY m.source",
      values: albums.values
    ) { .init(name: try $0.value(0), albums: try $0.value(1)) }
  }
}

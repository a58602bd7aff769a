import Messages
import Model
import Storage

/// What follows an album in the list that a person looked at.
extension Catalogue {
  private static let mostFollowing = 20
  private static let longestList = 200

  /// The albums behind one, and a cursor where there are more. Where that one is gone, lists that know its place all the
  /// same go on behind it: one of ids, and the random order, which follows from numbers alone.
  ///
  /// - Throws: the errors of the database.
  static func following(
    _ request: Library.ListNextAlbums, _ transaction: ReadTransaction
  ) throws -> Library.Page<Album> {
    let limit = min(max(1, request.limit), mostFollowing)
    let list = request.list
    if let ids = list.albums {
      let numbers = try ids.prefix(longestList).map { id in (id, try album(id, transaction)) }
      let after = try album(request.after, transaction)
      guard let index = numbers.lastIndex(where: { $0 == request.after || ($1 != nil && $1 == after) }) else {
        return none
      }
      return try page(numbers.dropFirst(index + 1).compactMap(\.1), limit, transaction)
    }
    if let collection = list.collection {
      return try following(request.after, inCollection: collection, limit, transaction)
    }
    if let artist = list.artist { return try following(request.after, of: artist, limit, transaction) }
    let seed = list.seed ?? 0
    let cursor: Cursor
    if let row = try row(of: request.after, transaction) {
      cursor = self.cursor(behind: row, list.sort, seed: seed)
    } else if list.sort == .random, case .album(let number)? = CatalogueID(request.after) {
      cursor = self.cursor(behind: number, seed: seed)
    } else {
      return none
    }
    return try albums(
      Library.ListAlbums(after: cursor.text, limit: limit, sort: list.sort, seed: seed, tag: list.tag),
      randomSeed: seed, transaction)
  }

  private static var none: Library.Page<Album> { Library.Page(items: [], next: nil) }

  private static func album(_ id: AlbumID, _ transaction: ReadTransaction) throws -> Int64? {
    guard case .album(let number)? = try shown(id, transaction) else { return nil }
    return number
  }

  private static func row(of id: AlbumID, _ transaction: ReadTransaction) throws -> AlbumRow? {
    guard let number = try album(id, transaction) else { return nil }
    return try transaction.row("SELECT \(albumColumns) FROM albums a WHERE a.id = ?", number) { try AlbumRow($0) }
  }

  /// Those of these albums that are first, each once.
  private static func page(
    _ numbers: some Sequence<Int64>, _ limit: Int, _ transaction: ReadTransaction
  ) throws -> Library.Page<Album> {
    var seen: Set<Int64> = []
    let numbers = numbers.filter { seen.insert($0).inserted }
    let rows = try numbers.prefix(limit).compactMap { number in
      try transaction.row("SELECT \(albumColumns) FROM albums a WHERE a.id = ?", number) { try AlbumRow($0) }
    }
    return page(rows, of: numbers.count)
  }

  private static func page(_ rows: [AlbumRow], of count: Int) -> Library.Page<Album> {
    var budget = PageBudget(items: rows.count)
    let shown = rows.prefix { budget.admits($0.album.size) }
    let next = shown.count < count ? shown.last.map { Cursor("following", [$0.number]).text } : nil
    return Library.Page(items: shown.map(\.album), next: next)
  }

  private static func following(
    _ after: AlbumID, inCollection id: CollectionID, _ limit: Int, _ transaction: ReadTransaction
  ) throws -> Library.Page<Album> {
    guard case .collection(let number)? = try shown(id, transaction), let after = try album(after, transaction) else {
      return none
    }
    let albums = try items(ofCollection: number, from: .min, limit: .max, transaction).compactMap { _, item -> Int64? in
      if case .album(let number) = item { number } else { nil }
    }
    guard let index = albums.firstIndex(of: after) else { return none }
    return try page(albums.dropFirst(index + 1), limit, transaction)
  }

  /// Oldest first and those without a year last, as an artist's page has them.
  private static func following(
    _ after: AlbumID, of artist: ArtistID, _ limit: Int, _ transaction: ReadTransaction
  ) throws -> Library.Page<Album> {
    guard case .artist(let number)? = try shown(artist, transaction), let last = try row(of: after, transaction) else {
      return none
    }
    let rows = try transaction.rows(
      """
      SELECT \(albumColumns) FROM albums a WHERE a.artist_id = ? AND a.shelf = a.id
        AND (ifnull(a.year, 1000000), a.title_sort, a.id) > (?, ?, ?)
      ORDER BY ifnull(a.year, 1000000), a.title_sort, a.id LIMIT ?
      """, number, last.album.year ?? 1_000_000, last.titleSort, last.number, limit + 1
    ) { try AlbumRow($0) }
    return page(Array(rows.prefix(limit)), of: rows.count)
  }
}

import Messages
import Model
import Storage

/// The albums that a queue goes on with, behind one in the list that a person looked at.
extension Catalogue {
  private static let mostNext = 20
  private static let longestList = 200

  /// Returns the albums behind one, and a cursor where there are more. Where that one was removed, two lists still know
  /// its position and go on behind it: a list of ids, and the random order, which follows from numbers alone.
  ///
  /// - Throws: the errors of the database.
  static func nextAlbums(
    _ request: Library.ListNextAlbums, _ transaction: ReadTransaction
  ) throws -> Library.Page<Album> {
    let limit = min(max(1, request.limit), mostNext)
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
      return try nextAlbums(after: request.after, inCollection: collection, limit, transaction)
    }
    if let artist = list.artist { return try nextAlbums(after: request.after, of: artist, limit, transaction) }
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
    guard case .album(let number)? = try resolve(id, transaction) else { return nil }
    return number
  }

  private static func row(of id: AlbumID, _ transaction: ReadTransaction) throws -> AlbumRow? {
    try album(id, transaction).flatMap { try albumRow($0, transaction) }
  }

  /// Returns a page of the first of these albums, each once.
  private static func page(
    _ numbers: some Sequence<Int64>, _ limit: Int, _ transaction: ReadTransaction
  ) throws -> Library.Page<Album> {
    var seen: Set<Int64> = []
    let numbers = numbers.filter { seen.insert($0).inserted }
    return page(try numbers.prefix(limit).compactMap { try albumRow($0, transaction) }, of: numbers.count)
  }

  private static func page(_ rows: [AlbumRow], of count: Int) -> Library.Page<Album> {
    var budget = PageBudget(items: rows.count)
    let shown = rows.prefix { budget.admits($0.album.size) }
    let next = shown.count < count ? shown.last.map { Cursor("following", [$0.number]).text } : nil
    return Library.Page(items: shown.map(\.album), next: next)
  }

  private static func nextAlbums(
    after: AlbumID, inCollection id: CollectionID, _ limit: Int, _ transaction: ReadTransaction
  ) throws -> Library.Page<Album> {
    guard case .collection(let number)? = try resolve(id, transaction), let after = try album(after, transaction) else {
      return none
    }
    let albums = try items(ofCollection: number, from: .min, limit: .max, transaction).compactMap { _, item -> Int64? in
      if case .album(let number) = item { number } else { nil }
    }
    guard let index = albums.firstIndex(of: after) else { return none }
    return try page(albums.dropFirst(index + 1), limit, transaction)
  }

  /// Returns the albums of an artist behind one: oldest first and those without a year last, as on the artist's page.
  private static func nextAlbums(
    after: AlbumID, of artist: ArtistID, _ limit: Int, _ transaction: ReadTransaction
  ) throws -> Library.Page<Album> {
    guard case .artist(let number)? = try resolve(artist, transaction), let last = try row(of: after, transaction)
    else {
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

/// The tracks of queues that were removed.
extension Catalogue {
  private static let mostTracks = 500

  /// Returns those of these tracks that were removed for good: the catalogue has no row and no copy of them, and their
  /// source says so, or a person removed the source.
  ///
  /// Numbers are the catalogue's own and survive a server that numbers its items again, so a track that only has another
  /// id there is not removed. An id that this catalogue never gave is never called removed.
  ///
  /// - Parameter answering: the sources that answer and were read as a whole.
  /// - Throws: `library.tooManyIDs`.
  static func removedTracks(
    _ request: Library.ListRemovedTracks, answering: Set<String>, _ transaction: ReadTransaction
  ) throws -> Library.RemovedTracks {
    guard request.tracks.count <= mostTracks else {
      throw LunaraError(
        "library.tooManyIDs", "\(request.tracks.count) tracks at once are too many. Ask for \(mostTracks) at a time.")
    }
    let catalogue = try transaction.row("SELECT generation, next_track FROM catalogue") { row in
      (generation: try row.value(0) as Int64, nextTrack: try row.value(1) as Int64)
    }
    let known = Set(try transaction.rows("SELECT name FROM sources") { try $0.value(0) as String })
    let removed = try request.tracks.filter { id in
      guard case .track(let number)? = CatalogueID(id), number < catalogue?.nextTrack ?? 0,
        answering.contains(id.source) || !known.contains(id.source)
      else { return false }
      return try resolve(id, transaction) == nil
    }
    return Library.RemovedTracks(tracks: removed, generation: catalogue?.generation ?? 0)
  }
}

import Messages
import Model
import Records
import Storage

/// The albums with which a queue continues: those after one album in the list from which a person played it.
extension Catalogue {
  private static let mostNext = 20
  private static let longestList = 200

  /// Returns the albums after one, and a cursor where there are more. If that album was removed, its position is still
  /// known in two kinds of list: a list of ids, and the random order, which depends on numbers only.
  static func nextAlbums(
    _ request: Library.ListNextAlbums, keeping lists: ListCache = ListCache(), _ transaction: ReadTransaction
  ) throws -> Library.Page<Album> {
    let limit = min(max(1, request.limit), mostNext)
    let list = request.list
    let none = Library.Page<Album>(items: [], next: nil)
    let after = try find(.album, request.after, transaction)
    if let ids = list.albums {
      let numbers = try ids.prefix(longestList).map { id in (id, try find(.album, id, transaction)) }
      guard let index = numbers.lastIndex(where: { $0 == request.after || ($1 != nil && $1 == after) }) else {
        return none
      }
      return try page(numbers.dropFirst(index + 1).compactMap(\.1), limit, transaction)
    }
    if let id = list.collection {
      guard let number = try find(.collection, id, transaction) else { return none }
      let albums = try items(ofCollection: number, from: .min, limit: .max, transaction)
        .compactMap { $0.item.kind == .album ? $0.item.number : nil }
      guard let after, let index = albums.firstIndex(of: after) else { return none }
      return try page(albums.dropFirst(index + 1), limit, transaction)
    }
    let row = "FROM albums a WHERE a.id = ?"
    if let id = list.artist {
      guard let artist = try find(.artist, id, transaction), let after,
        let cursor = try transaction.cursor(albumsOfArtist, row, after)
      else { return none }
      return try albums(ofArtist: artist, after: cursor.text, PageBudget(items: limit), transaction)
    }
    let (seed, number) = (list.seed ?? 0, CatalogueID.number(of: request.after, .album))
    var following = Library.ListAlbums(
      limit: limit, sort: list.sort, seed: seed, tag: list.tag, tags: list.tags, isReversed: list.isReversed)
    let cursor: Cursor?
    switch list.sort {
    case .random: cursor = (after ?? number).map { self.cursor(behind: $0, seed: seed) }
    case .plays:
      let places = try placesByPlays(of: .albums, following.allTags, keeping: lists, transaction)
      cursor = places.first { $0.number == after }.map { self.cursor(ofPlays: "plays", behind: $0, list.isReversed) }
    default:
      let order = order(of: list.sort, isReversed: list.isReversed)
      cursor = try after.flatMap { try transaction.cursor(order, row, $0) }
    }
    guard let cursor else { return none }
    following.after = cursor.text
    return try albums(following, randomSeed: seed, keeping: lists, transaction)
  }

  /// Returns a page of the first of these albums, each once.
  private static func page(
    _ numbers: some Sequence<Int64>, _ limit: Int, _ transaction: ReadTransaction
  ) throws -> Library.Page<Album> {
    var seen: Set<Int64> = []
    let rows = try numbers.filter { seen.insert($0).inserted }.prefix(limit + 1).compactMap {
      try album($0, transaction)
    }
    return Library.Page(rows, PageBudget(items: limit), \.self) { Cursor("following", [$0.id]) }
  }
}

/// The tracks in queues that no longer exist.
extension Catalogue {
  private static let mostTracks = 500

  /// Returns those of these tracks that were removed for good: the catalogue has no row and no copy of them, and their
  /// source was read completely or was removed by a person.
  ///
  /// Numbers are the catalogue's own and stay when a server changes its ids, so a track with only a new id at the
  /// server is not removed. An id that this catalogue never assigned is not returned.
  ///
  /// - Parameter answering: the sources that answer and were read completely.
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
    let known: Set<String> = Set(try transaction.values("SELECT name FROM sources"))
    let removed = try request.tracks.filter { id in
      guard let number = CatalogueID.number(of: id, .track), number < catalogue?.nextTrack ?? 0,
        answering.contains(id.source) || !known.contains(id.source)
      else { return false }
      return try resolve(id, transaction) == nil
    }
    return Library.RemovedTracks(tracks: removed, generation: catalogue?.generation ?? 0)
  }
}

import Messages
import Model
import Storage

/// Collections and their items.
extension Catalogue {
  /// Returns SQL for the items of a collection that are shown, each once: its position, kind and number.
  private static func shownItems(of collection: String) -> String {
    """
    SELECT min(position) AS place, kind, shown FROM (SELECT i.position, i.kind, CASE i.kind
        WHEN 1 THEN (SELECT id FROM artists WHERE id = i.item)
        WHEN 2 THEN (SELECT shelf FROM albums WHERE id = i.item)
        WHEN 3 THEN (SELECT shown FROM tracks WHERE id = i.item) END AS shown
      FROM collection_items i WHERE i.collection = \(collection)) WHERE shown IS NOT NULL GROUP BY kind, shown
    """
  }

  /// True for a collection that a person pinned, and for these two titles until a person unpins them.
  private static let isPinned = """
    ifnull((SELECT is_pinned FROM pins p WHERE p.source = c.source AND p.title = c.title_sort),
      c.title_sort IN ('current vibes', 'key albums'))
    """

  private static let collectionColumns = """
    c.source, c.id, c.title, (SELECT count(*) FROM (\(shownItems(of: "c.id")))), \(isPinned), c.summary, c.art,
    c.title_sort
    """

  private typealias Found = (collection: MusicCollection, number: Int64, sort: String)

  private static func collection(_ row: borrowing Row) throws -> Found {
    let (source, number): (String, Int64) = (try row.value(0), try row.value(1))
    let collection = MusicCollection(
      id: CatalogueID.collection(source: source, number), title: try row.value(2), itemCount: try row.value(3),
      isPinned: try row.value(4), summary: (try row.value(5) as String?).map { String($0.prefix(8000)) },
      art: (try row.value(6) as String?).map { ArtID(source: source, native: $0) })
    return (collection, number, try row.value(7))
  }

  /// Returns a page of collections, the pinned ones first, then by title.
  ///
  /// - Throws: `library.badCursor`.
  static func collections(
    _ request: Library.ListCollections, _ transaction: ReadTransaction
  ) throws -> Library.Page<MusicCollection> {
    let after = try Cursor(request.after, of: "collections", count: 3)
    let limit = limit(request.limit)
    let rows = try transaction.rows(
      """
      SELECT \(collectionColumns) FROM collections c
      WHERE (1 - \(isPinned), c.title_sort, c.id) > (?, ?, ?) ORDER BY 1 - \(isPinned), c.title_sort, c.id LIMIT ?
      """, try after?.number(0) ?? -1, after?.values[1] ?? "", try after?.number(2) ?? 0, limit + 1, as: collection)
    return Library.Page(rows, limit: limit, \.collection) {
      Cursor("collections", [$0.collection.isPinned ? 0 : 1, $0.sort, $0.number])
    }
  }

  /// Returns the collections that match a query of FTS5, in the order of the index.
  static func collections(matching query: String, limit: Int, _ transaction: ReadTransaction) throws
    -> [MusicCollection]
  {
    try transaction.rows(
      """
      SELECT \(collectionColumns) FROM search CROSS JOIN collections c ON c.id = search.item
      WHERE search.search MATCH ? AND search.rowid BETWEEN ? AND ? ORDER BY search.rowid LIMIT ?
      """, query, SearchIndex.Kind.collection.first, SearchIndex.Kind.collection.last, limit
    ) { try collection($0).collection }
  }

  /// Returns the items of a collection from a position on, in its order.
  static func items(
    ofCollection number: Int64, from position: Int64, limit: Int, _ transaction: ReadTransaction
  ) throws -> [(position: Int64, item: CatalogueID)] {
    try transaction.rows(
      "SELECT place, kind, shown FROM (\(shownItems(of: "?1"))) WHERE place >= ?2 ORDER BY place LIMIT ?3", number,
      position, limit
    ) { row in
      let item: Int64 = try row.value(2)
      let kind = SearchIndex.Kind(rawValue: try row.value(1))
      let position: Int64 = try row.value(0)
      return (position, kind == .artist ? .artist(item) : kind == .track ? .track(item) : .album(item))
    }
  }

  /// Returns a collection with a page of its items.
  ///
  /// - Throws: `library.unknownID`, `library.badCursor`.
  static func collection(
    _ request: Library.ReadCollection, _ transaction: ReadTransaction
  ) throws -> Library.CollectionPage {
    let after = try Cursor(request.after, of: "collection", count: 1)
    guard case .collection(let number)? = try resolve(request.id, transaction),
      let found = try transaction.row(
        "SELECT \(collectionColumns) FROM collections c WHERE c.id = ?", number, as: { try collection($0).collection })
    else { throw CatalogueID.unknown(request.id) }
    var page = Library.CollectionPage(collection: found, albums: [])
    var budget = PageBudget(items: longestPage)
    budget.reserve(found.size)
    for (position, item) in try items(
      ofCollection: number, from: try after?.number(0) ?? .min, limit: longestPage + 1, transaction)
    {
      guard try add(item, to: &page, &budget, transaction) else {
        page.next = Cursor("collection", [position]).text
        break
      }
    }
    return page
  }

  /// Adds one item to a page; returns false where there is no room for it.
  private static func add(
    _ item: CatalogueID, to page: inout Library.CollectionPage, _ budget: inout PageBudget,
    _ transaction: ReadTransaction
  ) throws -> Bool {
    switch item {
    case .album(let number):
      guard let album = try albumRow(number, transaction)?.album else { return true }
      guard budget.admits(album.size) else { return false }
      page.albums.append(album)
    case .artist(let number):
      let found = try transaction.row("SELECT \(artistColumns) FROM artists r WHERE r.id = ?", number, as: artist)
      guard let found else { return true }
      guard budget.admits(found.artist.size) else { return false }
      page.artists.append(found.artist)
    case .track(let number):
      let track = try transaction.row(
        "SELECT \(trackColumns) FROM tracks t JOIN albums a ON a.id = t.shelf WHERE t.id = ?", number
      ) { try TrackRow($0).track }
      guard let track else { return true }
      guard budget.admits(track.size) else { return false }
      page.tracks.append(track)
    case .collection, .playlist: break
    }
    return true
  }
}

/// Playlists and their tracks.
extension Catalogue {
  private static let playlistColumns = """
    p.source, p.id, p.title, p.is_smart, p.art, p.title_sort,
    (SELECT count(*) FROM playlist_items i CROSS JOIN tracks c ON c.id = i.track WHERE i.playlist = p.id),
    (SELECT ifnull(sum(t.duration), 0) FROM playlist_items i CROSS JOIN tracks c ON c.id = i.track
      CROSS JOIN tracks t ON t.id = c.shown WHERE i.playlist = p.id)
    """

  private static func playlist(_ row: borrowing Row) throws -> (playlist: Playlist, number: Int64, sort: String) {
    let (source, number): (String, Int64) = (try row.value(0), try row.value(1))
    let playlist = Playlist(
      id: CatalogueID.playlist(source: source, number), title: try row.value(2), trackCount: try row.value(6),
      duration: try row.value(7), isSmart: try row.value(3),
      art: (try row.value(4) as String?).map { ArtID(source: source, native: $0) })
    return (playlist, number, try row.value(5))
  }

  /// Returns a page of playlists by title.
  ///
  /// - Throws: `library.badCursor`.
  static func playlists(
    _ request: Library.ListPlaylists, _ transaction: ReadTransaction
  ) throws -> Library.Page<Playlist> {
    let after = try Cursor(request.after, of: "playlists", count: 2)
    let limit = limit(request.limit)
    let rows = try transaction.rows(
      """
      SELECT \(playlistColumns) FROM playlists p WHERE (p.title_sort, p.id) > (?, ?) ORDER BY p.title_sort, p.id LIMIT ?
      """, after?.values[0] ?? "", try after?.number(1) ?? 0, limit + 1, as: playlist)
    return Library.Page(rows, limit: limit, \.playlist) { Cursor("playlists", [$0.sort, $0.number]) }
  }

  /// Returns the positions of a playlist from one on, with the tracks that are shown there.
  static func items(
    ofPlaylist number: Int64, from position: Int64, limit: Int, _ transaction: ReadTransaction
  ) throws -> [(position: Int64, track: Int64)] {
    try transaction.rows(
      """
      SELECT i.position, c.shown FROM playlist_items i CROSS JOIN tracks c ON c.id = i.track
      WHERE i.playlist = ? AND i.position >= ? ORDER BY i.position LIMIT ?
      """, number, position, limit
    ) { (position: try $0.value(0), track: try $0.value(1)) }
  }

  /// Returns a playlist with a page of its tracks.
  ///
  /// - Throws: `library.unknownID`, `library.badCursor`.
  static func playlist(_ request: Library.ReadPlaylist, _ transaction: ReadTransaction) throws -> Library.PlaylistPage {
    let after = try Cursor(request.after, of: "playlist", count: 1)
    guard case .playlist(let number)? = try resolve(request.id, transaction),
      let found = try transaction.row(
        "SELECT \(playlistColumns) FROM playlists p WHERE p.id = ?", number, as: { try playlist($0).playlist })
    else { throw CatalogueID.unknown(request.id) }
    var page = Library.PlaylistPage(playlist: found, tracks: [])
    var budget = PageBudget(items: longestPage)
    budget.reserve(found.size)
    for (position, shown) in try items(
      ofPlaylist: number, from: try after?.number(0) ?? .min, limit: longestPage + 1, transaction)
    {
      let track = try transaction.row(
        "SELECT \(trackColumns) FROM tracks t JOIN albums a ON a.id = t.shelf WHERE t.id = ?", shown
      ) { try TrackRow($0).track }
      guard let track else { continue }
      guard budget.admits(track.size) else {
        page.next = Cursor("playlist", [position]).text
        break
      }
      page.tracks.append(track)
    }
    return page
  }
}

extension MusicCollection: SizedItem {
  var size: Int { 200 + PageBudget.size(title) + PageBudget.size(summary) }
}

extension Playlist: SizedItem {
  var size: Int { 220 + PageBudget.size(title) }
}

import Catalogue
import Messages
import Model
import Records
import Storage

/// The tracks of the albums, artists, lists and searches that a person plays.
extension Catalogue {
  private static let playablePage = 100
  private static let mostIDs = 2000
  /// The id that stands for all albums.
  static let everything = PlayableID(source: "library", native: "all")

  /// The prefix of the native part of an id that stands for the results of a search.
  static let searched = "search:"

  /// Returns a page of the tracks of these ids, in the order of the ids: an artist's albums by year and title, or the
  /// tracks that credit an artist without albums; works one recording after the other; folders by path; collections,
  /// playlists and themes in their own order; all albums in the order in which they were added; results in the order of
  /// the search. `searches` keeps what a search with misspelt words needs from one page to the next.
  ///
  /// - Throws: `library.unknownID`, `library.badCursor`, `library.tooManyIDs`.
  static func playable(
    _ request: Library.ListPlayable, host: String, keeping searches: SearchCache = SearchCache(.none),
    _ transaction: ReadTransaction
  ) throws -> Library.PlayablePage {
    guard request.ids.count <= mostIDs else {
      throw LunaraError(
        "library.tooManyIDs", "\(request.ids.count) things at once are too many. Play at most \(mostIDs) at a time.")
    }
    let after = try Cursor(request.after, of: "playable", count: 3)
    // The text of a cursor may come from anywhere.
    var index = max(0, Int(clamping: try after?.number(0) ?? 0))
    var position = try after?.number(1) ?? .min
    var last = try after?.number(2)
    // All ids are checked at the first page: an error is better than half of what was asked for.
    if after == nil { for id in request.ids { _ = try Playable(id, searches, transaction) } }
    var listed: [Library.PlayableTrack] = []
    var budget = PageBudget(items: playablePage)
    while index < request.ids.count {
      let wanted = budget.items + 1
      let parts = try Playable(request.ids[index], searches, transaction).parts(
        from: position, limit: wanted, transaction)
      for part in parts {
        if part.position != position {
          position = part.position
          last = nil
        }
        for playable in try tracks(of: part.item, host: host, after: last, limit: budget.items + 1, transaction) {
          guard budget.admits(playable.size) else {
            return Library.PlayablePage(tracks: listed, next: Cursor("playable", [index, position, last ?? 0]).text)
          }
          listed.append(playable)
          last = CatalogueID(playable.track.id)?.number
        }
      }
      if let end = parts.last, parts.count == wanted {
        position = end.position + 1
        last = nil
      } else {
        index = index + 1
        position = .min
        last = nil
      }
    }
    return Library.PlayablePage(tracks: listed, next: nil)
  }

  /// Returns the tracks of one item behind the track `after`, in playing order.
  private static func tracks(
    of item: PlayableItem, host: String, after: Int64?, limit: Int, _ transaction: ReadTransaction
  ) throws -> [Library.PlayableTrack] {
    switch item {
    case .described(let track): [Library.PlayableTrack(track, host: host)]
    case .catalogue(let item): try tracks(of: item, host: host, after: after, limit: limit, transaction)
    }
  }

  private static func tracks(
    of item: CatalogueID, host: String, after: Int64?, limit: Int, _ transaction: ReadTransaction
  ) throws -> [Library.PlayableTrack] {
    let condition: String
    switch item.kind {
    case .album: condition = "t.shelf = ?1"
    case .track: condition = "t.id = ?1 AND t.shelf IS NOT NULL"
    case .artist:
      let own = "a.listed = 1 AND a.id IN (\(albumNumbers(ofArtist: "?1")))"
      let hasAlbums: Bool? = try transaction.value("SELECT 1 FROM albums a WHERE \(own) LIMIT 1", item.number)
      condition =
        hasAlbums == true
        ? own : "t.shelf IS NOT NULL AND t.id IN (SELECT c.track FROM credits c WHERE c.artist = ?1)"
    case .collection, .playlist: return []
    }
    let order = "a.year_order = 0, a.year, a.title_sort, a.id, t.disc, ifnull(t.number, 1000000), t.title_sort, t.id"
    // An artist has at most some thousands of tracks, so a page may skip those before it.
    return try transaction.rows(
      """
      WITH listed AS (SELECT t.id AS track, row_number() OVER (ORDER BY \(order)) AS position
        FROM tracks t JOIN albums a ON a.id = t.shelf WHERE \(condition))
      SELECT \(trackColumns), d.path, f.name, \(segmentColumns) FROM listed JOIN tracks t ON t.id = listed.track
      JOIN albums a ON a.id = t.shelf LEFT JOIN files f ON f.track = t.id LEFT JOIN folders d ON d.id = f.folder
      WHERE listed.position > ifnull((SELECT position FROM listed WHERE track = ?2), 0) ORDER BY listed.position LIMIT ?3
      """, item.number, after, limit
    ) { row in
      let column = row.count - 8
      return Library.PlayableTrack(
        track: try track(row), path: path(try row.value(column), try row.value(column + 1)), host: host,
        segment: try segment(row, from: column + 2))
    }
  }
}

extension Library.PlayableTrack: SizedItem {
  var size: Int { track.size + 3 * (path?.bytes.count ?? 0) + host.utf8.count + (described?.size ?? 0) + 140 }
}

/// A part of something that can be played: an item of the catalogue, or a track that is not in it.
enum PlayableItem {
  case catalogue(CatalogueID)
  case described(DescribedTrack)
}

/// Something that can be played, as a list of parts.
private enum Playable {
  /// One part; the parts are ordered by `position`.
  typealias Part = (position: Int64, item: PlayableItem)

  case item(CatalogueID)
  case everything
  /// The items of one kind that a query of the search index finds.
  case found(CatalogueID.Kind, String)
  case work(Int64)
  case folder([UInt8])
  /// The albums of a theme.
  case theme([Int64])

  /// - Throws: `library.unknownID`.
  init(_ id: PlayableID, _ searches: SearchCache, _ transaction: ReadTransaction) throws {
    switch try Catalogue.resolve(id, transaction) {
    case let item?: self = .item(item)
    case nil where id == Catalogue.everything: self = .everything
    case nil where WorkRow.number(id) != nil:
      let number: Int64? = try transaction.value("SELECT id FROM works WHERE id = ?", WorkRow.number(id))
      guard let number else { throw CatalogueID.unknown(id) }
      self = .work(number)
    case nil where Catalogue.folder(id) != nil:
      guard let path = Catalogue.folder(id),
        try !Catalogue.items(ofFolder: path, from: 0, limit: 1, transaction).isEmpty
      else { throw CatalogueID.unknown(id) }
      self = .folder(path)
    case nil where ThemeID.number(id) != nil:
      guard let theme = try ThemeID.number(id).flatMap({ try ThemeStore.read($0, transaction) }) else {
        throw CatalogueID.unknown(id)
      }
      self = .theme(theme.albums)
    case nil where id.source == Catalogue.everything.source && id.native.hasPrefix(Catalogue.searched):
      let words = String(id.native.dropFirst(Catalogue.searched.count))
      guard let (kind, query) = try Catalogue.found(by: words, keeping: searches, transaction) else {
        throw CatalogueID.unknown(id)
      }
      self = .found(kind, query)
    case nil: throw CatalogueID.unknown(id)
    }
  }

  /// Returns the parts from a position on.
  func parts(from position: Int64, limit: Int, _ transaction: ReadTransaction) throws -> [Part] {
    if case .item(let item) = self, item.kind == .playlist {
      return try Catalogue.items(ofPlaylist: item.number, from: position, limit: limit, transaction)
    }
    return try items(from: position, limit: limit, transaction).map { ($0.position, .catalogue($0.item)) }
  }

  /// Returns the parts of anything but a playlist from a position on.
  private func items(
    from position: Int64, limit: Int, _ transaction: ReadTransaction
  ) throws -> [(position: Int64, item: CatalogueID)] {
    switch self {
    case .item(let item) where item.kind == .collection:
      try Catalogue.items(ofCollection: item.number, from: position, limit: limit, transaction)
    case .work(let number): try Catalogue.items(ofWork: number, from: position, limit: limit, transaction)
    case .folder(let path): try Catalogue.items(ofFolder: path, from: position, limit: limit, transaction)
    case .theme(let albums):
      albums.enumerated().filter { Int64($0.offset) >= position }.prefix(limit).map {
        (position: Int64($0.offset), item: CatalogueID(.album, $0.element))
      }
    case .item(let item): position <= 0 ? [(position: Int64(0), item: item)] : []
    case .everything:
      try transaction.rows(
        "SELECT id FROM albums WHERE listed = 1 AND id >= ? ORDER BY id LIMIT ?", position, limit
      ) { (try $0.value(0), CatalogueID(.album, try $0.value(0))) }
    case .found(let kind, let query):
      try transaction.rows(
        "SELECT rowid, item FROM search WHERE search MATCH ? AND rowid BETWEEN ? AND ? ORDER BY rowid LIMIT ?", query,
        max(position, kind.first), kind.last, limit
      ) { (try $0.value(0), CatalogueID(kind, try $0.value(1))) }
    }
  }
}

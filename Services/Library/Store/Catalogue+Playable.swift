import Messages
import Model
import Storage
import Text

/// What ids stand for when they are played.
extension Catalogue {
  private static let playablePage = 100
  private static let mostIDs = 2000
  /// The id that stands for every album there is.
  static let everything = PlayableID(source: "library", native: "all")

  /// What the native part of an id begins with that stands for what words find.
  static let searched = "search:"

  /// The tracks behind ids, in the order of the ids; an artist's albums by year and title, collections and playlists in
  /// their own order, everything in the order in which it came, what is found in the order of the search.
  ///
  /// - Throws: `library.unknownID`, `library.badCursor`, `library.tooManyIDs`.
  static func playable(
    _ request: Library.ListPlayable, host: String, _ transaction: ReadTransaction
  ) throws -> Library.PlayablePage {
    guard request.ids.count <= mostIDs else {
      throw LunaraError(
        "library.tooManyIDs", "\(request.ids.count) things at once are too many. Play at most \(mostIDs) at a time.")
    }
    let after = try Cursor(request.after, of: "playable", count: 3)
    var index = Int(clamping: try after?.number(0) ?? 0)
    var place = try after?.number(1) ?? .min
    var last = try after?.number(2)
    // All at the first page: playing half of what was asked for would be worse than a refusal.
    if after == nil { for id in request.ids { _ = try Playable(id, transaction) } }
    var listed: [Library.PlayableTrack] = []
    var budget = PageBudget(items: playablePage)
    while index < request.ids.count {
      let wanted = budget.items + 1
      let parts = try Playable(request.ids[index], transaction).parts(from: place, limit: wanted, transaction)
      for part in parts {
        if part.place != place { (place, last) = (part.place, nil) }
        for row in try tracks(of: part.item, after: last, limit: budget.items + 1, transaction) {
          guard budget.admits(row.track.size + 3 * (row.path?.bytes.count ?? 0) + host.utf8.count + 60) else {
            return Library.PlayablePage(tracks: listed, next: Cursor("playable", [index, place, last ?? 0]).text)
          }
          listed.append(Library.PlayableTrack(track: row.track, path: row.path, host: host))
          last = row.number
        }
      }
      if let end = parts.last, parts.count == wanted {
        (place, last) = (end.place + 1, nil)
      } else {
        (index, place, last) = (index + 1, .min, nil)
      }
    }
    return Library.PlayablePage(tracks: listed, next: nil)
  }

  private typealias Located = (track: Track, number: Int64, path: LocalPath?)

  /// The tracks of one thing behind the track `after`, in playing order.
  private static func tracks(
    of item: CatalogueID, after: Int64?, limit: Int, _ transaction: ReadTransaction
  ) throws -> [Located] {
    let (condition, number): (String, Int64)
    switch item {
    case .album(let album): (condition, number) = ("t.shelf = ?1", album)
    case .track(let track): (condition, number) = ("t.id = ?1 AND t.shelf IS NOT NULL", track)
    case .artist(let artist): (condition, number) = ("a.artist_id = ?1 AND a.shelf = a.id", artist)
    case .collection, .playlist: return []
    }
    let order = "a.year_order = 0, a.year, a.title_sort, a.id, t.disc, ifnull(t.number, 1000000), t.title_sort, t.id"
    // An artist has at most some thousands of tracks, so a page may skip those before it.
    return try transaction.rows(
      """
      WITH listed AS (SELECT t.id AS track, row_number() OVER (ORDER BY \(order)) AS place
        FROM tracks t JOIN albums a ON a.id = t.shelf WHERE \(condition))
      SELECT \(trackColumns), d.path, f.name FROM listed JOIN tracks t ON t.id = listed.track
      JOIN albums a ON a.id = t.shelf LEFT JOIN files f ON f.track = t.id LEFT JOIN folders d ON d.id = f.folder
      WHERE listed.place > ifnull((SELECT place FROM listed WHERE track = ?2), 0) ORDER BY listed.place LIMIT ?3
      """, number, after, limit
    ) { row in
      let track = try TrackRow(row)
      return (track.track, track.number, path(try row.value(trackColumnCount), try row.value(trackColumnCount + 1)))
    }
  }
}

/// Something that can be played, as the parts it is played in.
private enum Playable {
  /// One part: `place` orders the parts.
  struct Part {
    var place: Int64
    var item: CatalogueID
  }

  case one(CatalogueID)
  case collection(Int64)
  case playlist(Int64)
  case everything
  /// What a query of the search index finds of a kind.
  case found(SearchIndex.Kind, String)

  /// - Throws: `library.unknownID`.
  init(_ id: PlayableID, _ transaction: ReadTransaction) throws {
    switch try Catalogue.resolve(id, transaction) {
    case .collection(let number)?: self = .collection(number)
    case .playlist(let number)?: self = .playlist(number)
    case let item?: self = .one(item)
    case nil where id == Catalogue.everything: self = .everything
    case nil where id.source == Catalogue.everything.source && id.native.hasPrefix(Catalogue.searched):
      let query = SearchText.query(String(id.native.dropFirst(Catalogue.searched.count)))
      guard let query, let kind = try Catalogue.kind(found: query, transaction) else { throw CatalogueID.unknown(id) }
      self = .found(kind, query)
    case nil: throw CatalogueID.unknown(id)
    }
  }

  /// The parts from a place on.
  func parts(from place: Int64, limit: Int, _ transaction: ReadTransaction) throws -> [Part] {
    switch self {
    case .one(let item): return place <= 0 ? [Part(place: 0, item: item)] : []
    case .collection(let number):
      return try Catalogue.items(ofCollection: number, from: place, limit: limit, transaction)
        .map { Part(place: $0.place, item: $0.item) }
    case .playlist(let number):
      return try Catalogue.items(ofPlaylist: number, from: place, limit: limit, transaction)
        .map { Part(place: $0.place, item: .track($0.track)) }
    case .everything:
      return try transaction.rows(
        "SELECT id FROM albums WHERE shelf = id AND id >= ? ORDER BY id LIMIT ?", place, limit
      ) { row in
        let number: Int64 = try row.value(0)
        return Part(place: number, item: .album(number))
      }
    case .found(let kind, let query):
      return try transaction.rows(
        "SELECT rowid, item FROM search WHERE search MATCH ? AND rowid BETWEEN ? AND ? ORDER BY rowid LIMIT ?", query,
        max(place, kind.first), kind.last, limit
      ) { row in
        let number: Int64 = try row.value(1)
        let item: CatalogueID =
          switch kind {
          case .artist: .artist(number)
          case .album: .album(number)
          case .track: .track(number)
          case .collection: .collection(number)
          }
        return Part(place: try row.value(0), item: item)
      }
    }
  }
}

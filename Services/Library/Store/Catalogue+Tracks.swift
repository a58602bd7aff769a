import Messages
import Model
import Storage

/// Albums with their tracks, and what ids stand for when they are played.
extension Catalogue {
  private static let albumPage = 200
  private static let playablePage = 100
  private static let mostIDs = 2000

  /// An album with a page of its tracks by disc, number and title.
  ///
  /// - Throws: `library.unknownID`, `library.badCursor`.
  static func album(_ request: Library.ReadAlbum, _ transaction: ReadTransaction) throws -> Library.AlbumPage {
    let after = try Cursor(request.after, of: "album", count: 4)
    let number = try shownAlbum(request.id, transaction)
    let album = try transaction.row("SELECT \(albumColumns) FROM albums a WHERE a.id = ?", number) {
      try AlbumRow($0).album
    }
    guard let album else { throw CatalogueID.unknown(request.id) }
    let rows = try transaction.rows(
      """
      SELECT \(trackColumns) FROM tracks t JOIN albums a ON a.id = t.shelf
      WHERE t.shelf = ? AND (t.disc, ifnull(t.number, 1000000), t.title_sort, t.id) > (?, ?, ?, ?)
      ORDER BY t.disc, ifnull(t.number, 1000000), t.title_sort, t.id LIMIT ?
      """, number, try after?.number(0) ?? .min, try after?.number(1) ?? 0, after?.values[2] ?? "",
      try after?.number(3) ?? 0, albumPage + 1
    ) { try TrackRow($0) }
    var budget = PageBudget(items: albumPage)
    _ = budget.admits(album.size)
    let shown = rows.prefix { budget.admits($0.track.size) }
    let next = shown.count < rows.count ? shown.last : nil
    return Library.AlbumPage(
      album: album, tracks: shown.map(\.track),
      next: next.map { Cursor("album", [$0.track.disc, $0.place, $0.titleSort, $0.number]).text })
  }

  /// The tracks behind ids, in the order of the ids; an artist's albums by year and title.
  ///
  /// - Throws: `library.unknownID`, `library.badCursor`, `library.tooManyIDs`.
  static func playable(
    _ request: Library.ListPlayable, host: String, _ transaction: ReadTransaction
  ) throws -> Library.PlayablePage {
    guard request.ids.count <= mostIDs else {
      throw LunaraError(
        "library.tooManyIDs", "\(request.ids.count) things at once are too many. Play at most \(mostIDs) at a time.")
    }
    let after = try Cursor(request.after, of: "playable", count: 2)
    var index = Int(clamping: try after?.number(0) ?? 0)
    var last = try after?.number(1)
    // All at the first page: playing half of what was asked for would be worse than a refusal.
    if after == nil { for id in request.ids { _ = try playable(id, transaction) } }
    var listed: [Library.PlayableTrack] = []
    var budget = PageBudget(items: playablePage)
    while index < request.ids.count {
      let rows = try tracks(of: request.ids[index], after: last, limit: budget.items + 1, transaction)
      for row in rows {
        guard budget.admits(row.track.size + 3 * (row.path?.bytes.count ?? 0) + host.utf8.count + 60) else {
          return Library.PlayablePage(tracks: listed, next: Cursor("playable", [index, last ?? 0]).text)
        }
        listed.append(Library.PlayableTrack(track: row.track, path: row.path, host: host))
        last = row.number
      }
      index += 1
      last = nil
    }
    return Library.PlayablePage(tracks: listed, next: nil)
  }

  /// What an id stands for that can be played.
  private static func playable(_ id: PlayableID, _ transaction: ReadTransaction) throws -> CatalogueID {
    switch try shown(id, transaction) {
    case .album(let number)?: return .album(number)
    case .track(let number)?: return .track(number)
    case .artist(let number)?: return .artist(number)
    default: throw CatalogueID.unknown(id)
    }
  }

  private typealias Located = (track: Track, number: Int64, path: LocalPath?)

  /// The tracks of one id behind the track `after`, in playing order.
  private static func tracks(
    of id: PlayableID, after: Int64?, limit: Int, _ transaction: ReadTransaction
  ) throws -> [Located] {
    let (condition, number): (String, Int64)
    switch try shown(id, transaction) {
    case .album(let album)?: (condition, number) = ("t.shelf = ?1", album)
    case .track(let track)?: (condition, number) = ("t.id = ?1 AND t.shelf IS NOT NULL", track)
    case .artist(let artist)?: (condition, number) = ("a.artist_id = ?1 AND a.shelf = a.id", artist)
    default: return []
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

  static func path(_ folder: [UInt8]?, _ name: [UInt8]?) -> LocalPath? {
    guard let folder, let name else { return nil }
    return LocalPath(bytes: FilePath.join(folder, name))
  }
}

import Messages
import Model
import Storage

extension Catalogue {
  private static let longestPage = 200

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

  /// A page of playlists by title.
  ///
  /// - Throws: `library.badCursor`.
  static func playlists(
    _ request: Library.ListPlaylists, _ transaction: ReadTransaction
  ) throws -> Library.Page<Playlist> {
    let after = try Cursor(request.after, of: "playlists", count: 2)
    let limit = min(max(1, request.limit), longestPage)
    let rows = try transaction.rows(
      """
      SELECT \(playlistColumns) FROM playlists p WHERE (p.title_sort, p.id) > (?, ?) ORDER BY p.title_sort, p.id LIMIT ?
      """, after?.values[0] ?? "", try after?.number(1) ?? 0, limit + 1, as: playlist)
    var budget = PageBudget(items: limit)
    let shown = rows.prefix { budget.admits($0.playlist.size) }
    let next = shown.count < rows.count ? shown.last : nil
    return Library.Page(
      items: shown.map(\.playlist), next: next.map { Cursor("playlists", [$0.sort, $0.number]).text })
  }

  /// Places of a playlist from one on, with the tracks that are shown there.
  static func items(
    ofPlaylist number: Int64, from place: Int64, limit: Int, _ transaction: ReadTransaction
  ) throws -> [(place: Int64, track: Int64)] {
    try transaction.rows(
      """
      SELECT i.position, c.shown FROM playlist_items i CROSS JOIN tracks c ON c.id = i.track
      WHERE i.playlist = ? AND i.position >= ? ORDER BY i.position LIMIT ?
      """, number, place, limit
    ) { (place: try $0.value(0), track: try $0.value(1)) }
  }

  /// A playlist with a page of its tracks.
  ///
  /// - Throws: `library.unknownID`, `library.badCursor`.
  static func playlist(_ request: Library.ReadPlaylist, _ transaction: ReadTransaction) throws -> Library.PlaylistPage {
    let after = try Cursor(request.after, of: "playlist", count: 1)
    guard case .playlist(let number)? = try shown(request.id, transaction),
      let found = try transaction.row(
        "SELECT \(playlistColumns) FROM playlists p WHERE p.id = ?", number, as: { try playlist($0).playlist })
    else { throw CatalogueID.unknown(request.id) }
    var page = Library.PlaylistPage(playlist: found, tracks: [])
    var budget = PageBudget(items: longestPage)
    budget.take(found.size)
    for (place, shown) in try items(
      ofPlaylist: number, from: try after?.number(0) ?? .min, limit: longestPage + 1, transaction)
    {
      let track = try transaction.row(
        "SELECT \(trackColumns) FROM tracks t JOIN albums a ON a.id = t.shelf WHERE t.id = ?", shown
      ) { try TrackRow($0).track }
      guard let track else { continue }
      guard budget.admits(track.size) else {
        page.next = Cursor("playlist", [place]).text
        break
      }
      page.tracks.append(track)
    }
    return page
  }
}

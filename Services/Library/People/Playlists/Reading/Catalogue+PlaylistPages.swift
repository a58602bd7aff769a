import Catalogue
import Messages
import Model
import Records
import Storage

/// Playlists as they are listed, read, played and exported.
extension Catalogue {
  /// Returns a page of playlists by title. Throws `library.badCursor`.
  static func playlists(
    _ request: Library.ListPlaylists, keeping counts: SmartCounts? = nil, _ transaction: ReadTransaction
  ) throws -> Library.Page<Playlist> {
    var page = try transaction.page(
      ListOrder("playlists", .text("p.title_sort"), .number("p.id")), after: request.after,
      PageBudget(items: limit(request.limit)), playlistColumns, "FROM playlists p WHERE TRUE", as: playlist)
    page.items = try counted(page.items, counts, transaction)
    return page
  }

  /// Returns a playlist by its number; nil if there is none.
  static func playlist(_ number: Int64, _ transaction: ReadTransaction) throws -> Playlist? {
    let found = try transaction.row("SELECT \(playlistColumns) FROM playlists p WHERE p.id = ?", number, as: playlist)
    return try found.map { try counted([$0], nil, transaction)[0] }
  }

  /// Returns the places of a playlist from one on that have a track or a description, with what is shown there.
  static func items(
    ofPlaylist number: Int64, from place: Int64, limit: Int, _ transaction: ReadTransaction
  ) throws -> [(position: Int64, item: PlayableItem)] {
    if let rules = try rules(ofPlaylist: number, transaction) {
      let first = max(0, place)
      let found = try tracks(
        of: rules, ruleContext(of: number), window: .init(offset: first, count: Int64(limit)), transaction)
      return found.enumerated().map { (first + Int64($0), .catalogue(CatalogueID(.track, $1))) }
    }
    return try transaction.rows(
      """
      SELECT place, shown, described FROM (SELECT e.place, \(shownTrack) AS shown, e.described FROM playlist_entries e
        WHERE e.playlist = ? AND e.place >= ?) WHERE shown IS NOT NULL OR described IS NOT NULL ORDER BY place LIMIT ?
      """, number, place, limit
    ) { row in
      if let track: Int64 = try row.value(1) { return (try row.value(0), .catalogue(CatalogueID(.track, track))) }
      let text: String = try row.value(2)
      return (try row.value(0), .described(try MessageCoding.decode(DescribedTrack.self, from: text.utf8)))
    }
  }

  /// One row of a page: an entry, and its track where that is here.
  private struct PlacedEntry: SizedItem, Codable, Hashable {
    var place: Int64
    var entry: Library.PlaylistEntry
    var track: Track?

    var size: Int { 40 + (track?.size ?? 0) + (entry.described?.size ?? 0) }
  }

  /// Returns a playlist with a page of its entries. Throws `library.unknownID`, `library.badCursor`.
  static func playlist(_ request: Library.ReadPlaylist, _ transaction: ReadTransaction) throws -> Library.PlaylistPage {
    let after = try Cursor(request.after, of: "playlist", count: 1)
    let number = try number(of: .playlist, request.id, transaction)
    guard let found = try playlist(number, transaction) else { throw CatalogueID.unknown(request.id) }
    if let rules = try rules(ofPlaylist: number, transaction) {
      return try smartPlaylist(found, number, rules, after: after, transaction)
    }
    let rows = try transaction.rows(
      """
      SELECT e.place, e.id, \(shownTrack), e.described FROM \(shownEntries(of: "?1")) AND e.place >= ?2
      ORDER BY e.place LIMIT ?3
      """, number, try after?.number(0) ?? .min, longestPage + 1
    ) { row in
      (
        place: try row.value(0) as Int64, entry: try row.value(1) as Int64, track: try row.value(2) as Int64?,
        described: try row.value(3) as String?
      )
    }
    let entries: [PlacedEntry] = try rows.compactMap { row in
      if let number = row.track, let track = try track(number, transaction) {
        return PlacedEntry(place: row.place, entry: Library.PlaylistEntry(entry: row.entry), track: track)
      }
      guard let text = row.described else { return nil }
      let described = try MessageCoding.decode(DescribedTrack.self, from: text.utf8)
      return PlacedEntry(place: row.place, entry: Library.PlaylistEntry(entry: row.entry, described: described))
    }
    var page = Library.Page(entries, PageBudget(items: longestPage, reserved: found.size), \.self) { row in
      Cursor("playlist", [row.place + 1])
    }
    // A row whose track is not shown is no entry, so a full page may have fewer of them.
    if page.next == nil, rows.count > longestPage, let last = rows.last {
      page.next = Cursor("playlist", [last.place + 1]).text
    }
    return Library.PlaylistPage(
      playlist: found, tracks: page.items.compactMap(\.track), entries: page.items.map(\.entry), next: page.next)
  }
}

/// Playlists as list files need them.
extension Catalogue {
  /// Returns a playlist with a page of its tracks and their files. Throws `library.unknownID`, `library.badCursor`.
  static func export(
    _ request: Library.ExportPlaylist, _ transaction: ReadTransaction
  ) throws -> Library.ExportedPlaylist {
    let page = try playlist(Library.ReadPlaylist(id: request.id, after: request.after), transaction)
    var tracks = page.tracks.makeIterator()
    let exported: [DescribedTrack] = try (page.entries ?? []).compactMap { entry in
      if let described = entry.described { return described }
      guard let track = tracks.next() else { return nil }
      var described = DescribedTrack(track)
      described.location = try location(of: track.id, transaction)
      return described
    }
    return Library.ExportedPlaylist(playlist: page.playlist, tracks: exported, next: page.next)
  }

  /// Returns the absolute path of a track's file, or of that of a copy; nil if no copy is a file.
  private static func location(of id: TrackID, _ transaction: ReadTransaction) throws -> String? {
    let found = try transaction.row(
      """
      SELECT d.path, f.name FROM tracks t JOIN files f ON f.track = t.id JOIN folders d ON d.id = f.folder
      WHERE t.id = ?1 OR (t.shown = ?1 AND t.shown <> t.id) ORDER BY t.id <> ?1 LIMIT 1
      """, CatalogueID.number(of: id, .track)
    ) { path(try $0.value(0), try $0.value(1)) }
    guard let path = found ?? nil else { return nil }
    return String(validating: path.bytes, as: UTF8.self) ?? path.url
  }
}

extension DescribedTrack {
  /// The description of a track of the library.
  init(_ track: Track) {
    self.init(
      title: track.title, artist: track.artist, album: track.album.isEmpty ? nil : track.album,
      duration: track.duration, isrc: track.isrc, recordingID: track.recordingID)
  }
}

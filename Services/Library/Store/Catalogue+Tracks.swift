import Messages
import Model
import Storage

/// Albums with their tracks.
extension Catalogue {
  private static let albumPage = 200

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
    let moods = try AlbumTags.read(.mood, of: number, transaction)
    let styles = try AlbumTags.read(.style, of: number, transaction)
    budget.take(album.size + (moods + styles).reduce(40) { $0 + PageBudget.size($1) + 1 })
    let shown = rows.prefix { budget.admits($0.track.size) }
    let next = shown.count < rows.count ? shown.last : nil
    return Library.AlbumPage(
      album: album, tracks: shown.map(\.track),
      next: next.map { Cursor("album", [$0.track.disc, $0.place, $0.titleSort, $0.number]).text },
      moods: moods, styles: styles)
  }

  static func path(_ folder: [UInt8]?, _ name: [UInt8]?) -> LocalPath? {
    guard let folder, let name else { return nil }
    return LocalPath(bytes: FilePath.join(folder, name))
  }
}

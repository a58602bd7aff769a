import Messages
import Model
import Storage
import Text

extension Catalogue {
  private static let artistPage = 200
  private static let mostWords = 24

  /// An artist with a page of their albums, oldest first and those without a year last.
  ///
  /// - Throws: `library.unknownID`, `library.badCursor`.
  static func artist(_ request: Library.ReadArtist, _ transaction: ReadTransaction) throws -> Library.ArtistPage {
    let after = try Cursor(request.after, of: "artist", count: 3)
    guard case .artist(let number)? = try shown(request.id, transaction) else { throw CatalogueID.unknown(request.id) }
    let found = try transaction.row(
      "SELECT \(artistColumns), r.summary, r.genres FROM artists r WHERE r.id = ?", number
    ) { row in
      (artist: try artist(row).artist, summary: try row.value(6) as String?, genres: try row.value(7) as String)
    }
    guard let found else { throw CatalogueID.unknown(request.id) }
    let rows = try transaction.rows(
      """
      SELECT \(albumColumns) FROM albums a WHERE a.artist_id = ? AND a.shelf = a.id
        AND (ifnull(a.year, 1000000), a.title_sort, a.id) > (?, ?, ?)
      ORDER BY ifnull(a.year, 1000000), a.title_sort, a.id LIMIT ?
      """, number, try after?.number(0) ?? .min, after?.values[1] ?? "", try after?.number(2) ?? 0, artistPage + 1
    ) { try AlbumRow($0) }
    // A text as long as a book is no help on a page, nor would it leave room for the albums.
    let summary = found.summary.map { String($0.prefix(8000)) }
    var budget = PageBudget(items: artistPage)
    let genres = try words(.genre, of: number, own: TextList.unpacked(found.genres), transaction)
    let moods = try words(.mood, of: number, transaction)
    let styles = try words(.style, of: number, transaction)
    budget.take(
      found.artist.size + PageBudget.size(summary)
        + (genres + moods + styles).reduce(60) { $0 + PageBudget.size($1) + 1 })
    let shown = rows.prefix { budget.admits($0.album.size) }
    let next = shown.count < rows.count ? shown.last : nil
    return Library.ArtistPage(
      artist: found.artist, summary: summary, genres: genres, albums: shown.map(\.album),
      next: next.map { Cursor("artist", [Int64($0.album.year ?? 1_000_000), $0.titleSort, $0.number]).text },
      moods: moods, styles: styles)
  }

  /// What sources say of the artist first, then what most of the albums are.
  private static func words(
    _ kind: AlbumTags.Kind, of artist: Int64, own: [String] = [], _ transaction: ReadTransaction
  ) throws -> [String] {
    var words: [String] = []
    var folded: Set<String> = []
    let ofAlbums = try transaction.rows(
      """
      SELECT g.name, count(*), min(g.album) FROM albums s CROSS JOIN albums m ON m.merge_key = s.merge_key
      CROSS JOIN album_tags g ON g.album = m.id AND g.kind = ? WHERE s.artist_id = ? AND s.shelf = s.id
      GROUP BY g.folded ORDER BY 2 DESC, g.folded LIMIT ?
      """, kind, artist, mostWords
    ) { try $0.value(0) as String }
    for word in own + ofAlbums where words.count < mostWords && folded.insert(word.trimmed.folded).inserted {
      words.append(word)
    }
    return words
  }
}

import Model
import Storage

/// The rows of the albums of the music folders, while a refresh writes them.
struct AlbumRows {
  private let writer: CatalogueWriter
  private var transaction: Transaction { writer.transaction }
  private var source: String { writer.source }
  private var numbers: [String: Int64] = [:]
  private var touched: Set<Int64> = []

  init(_ writer: CatalogueWriter) { self.writer = writer }

  /// Notes that an album's tracks are not what they were.
  mutating func touch(_ album: Int64) { touched.insert(album) }

  /// The number of the album with this key; nil where there is none yet.
  mutating func number(of key: String) throws -> Int64? {
    if let known = numbers[key] { return known }
    let found: Int64? = try transaction.row(
      "SELECT id FROM albums WHERE source = ? AND key = ?", source, key
    ) { try $0.value(0) }
    if let found { numbers[key] = found }
    return found
  }

  /// Takes in a new album with all its tracks.
  mutating func insert(_ album: AlbumGrouping.Album, _ summary: AlbumSummary) throws -> Int64 {
    let number = writer.numbers.nextAlbum()
    numbers[album.key] = number
    try transaction.execute(
      """
      INSERT INTO albums (id, source, key, merge_key, title, title_sort, artist, artist_sort, artist_id, year, genres,
        tracks, duration, added_at, arrived_at, own_art) VALUES (?1, ?2, ?3, ?3, ?4, ?5, ?6, ?7, ?8, ?9, '', 0, 0, ?10,
        ?10, ?11)
      """, number, source, album.key, album.title, album.titleSort, album.artist, album.artistSort,
      try writer.artist(album.artist, sort: album.artistSort), album.year, writer.now, summary.art?.native)
    try AlbumTags.write(summary.genres, .genre, of: number, transaction)
    writer.touch(album.key)
    return number
  }

  /// The track of an album that has been there for longest; nil where it has none.
  func oldestTrack(of number: Int64) throws -> Int64? {
    try transaction.row("SELECT min(id) FROM tracks WHERE album = ?", number) { try $0.value(0) } ?? nil
  }

  /// Gives an album another name; its number stays, and with it what people know it by.
  mutating func rename(_ number: Int64, to album: AlbumGrouping.Album) throws {
    let before = try transaction.row(
      """
      SELECT artist_id, key, artist, title || char(0) || title_sort || char(0) || artist || char(0) || artist_sort
      FROM albums WHERE id = ?
      """, number
    ) { row in
      (
        artist: try row.value(0) as Int64, key: try row.value(1) as String, artistName: try row.value(2) as String,
        name: try row.value(3) as String
      )
    }
    if let before {
      let name = [album.title, album.titleSort, album.artist, album.artistSort].joined(separator: "\u{0}")
      if before.key == album.key, before.name == name { return }
      writer.artists.touch(before.artist)
      writer.touch(before.key)
      writer.ratings.remember(album: number, before.key, artist: before.artist)
      numbers[before.key] = nil
      if before.name != name {
        try writer.reindex(album: number, withTracks: before.artistName != album.artist)
      }
    }
    try transaction.execute(
      """
      UPDATE albums SET key = ?1, merge_key = ?1, title = ?2, title_sort = ?3, artist = ?4, artist_sort = ?5,
        artist_id = ?6, year = ?7 WHERE id = ?8
      """, album.key, album.title, album.titleSort, album.artist, album.artistSort,
      try writer.artist(album.artist, sort: album.artistSort), album.year, number)
    numbers[album.key] = number
    writer.touch(album.key)
    touched.insert(number)
  }

  /// The albums whose tracks are not what they were, in order.
  var touchedAlbums: [Int64] { touched.sorted() }

  /// Writes what an album's own tracks come to; nil where it has none any more.
  mutating func update(_ number: Int64, _ summary: AlbumSummary?) throws {
    guard let summary else { return try writer.delete(album: number) }
    let key = try transaction.row("SELECT merge_key FROM albums WHERE id = ?", number) { try $0.value(0) as String }
    if let key { writer.touch(key) }
    try transaction.execute("UPDATE albums SET own_art = ? WHERE id = ?", summary.art?.native, number)
    try AlbumTags.write(summary.genres, .genre, of: number, transaction)
  }
}

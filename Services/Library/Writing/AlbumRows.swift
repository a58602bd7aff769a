import Model
import Storage
import Text

/// Writes the albums of the music folders during a refresh.
struct AlbumRows {
  private let writer: CatalogueWriter
  private var transaction: Transaction { writer.transaction }
  private var source: String { writer.source }
  private var numbers: [String: Int64] = [:]
  private var touched: Set<Int64> = []

  init(_ writer: CatalogueWriter) { self.writer = writer }

  /// Marks an album whose tracks changed.
  mutating func touch(_ album: Int64) { touched.insert(album) }

  /// Returns the number of the album with this key; nil where there is none yet.
  mutating func number(of key: String) throws -> Int64? {
    if let known = numbers[key] { return known }
    let found: Int64? = try transaction.row(
      "SELECT id FROM albums WHERE source = ? AND key = ?", source, key
    ) { try $0.value(0) }
    if let found { numbers[key] = found }
    return found
  }

  /// Adds a new album; `summary` is that of all its tracks.
  mutating func insert(_ album: AlbumGrouping.Album, _ summary: AlbumSummary) throws -> Int64 {
    let number = writer.numbers.nextAlbum()
    numbers[album.key] = number
    try writer.write(SourceAlbum(album, art: summary.art, addedAt: writer.now), as: number)
    try AlbumTags.write(summary.genres, .genre, of: number, transaction)
    writer.touch(album.key)
    return number
  }

  /// Returns the track of an album that was added first; nil where the album has none.
  func oldestTrack(of number: Int64) throws -> Int64? {
    try transaction.row("SELECT min(id) FROM tracks WHERE album = ?", number) { try $0.value(0) } ?? nil
  }

  /// Gives an album another name; its number and so its id stay.
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
    try writer.write(SourceAlbum(album, addedAt: writer.now), as: number)
    numbers[album.key] = number
    writer.touch(album.key)
    touched.insert(number)
  }

  /// The albums whose tracks changed, in order.
  var touchedAlbums: [Int64] { touched.sorted() }

  /// Writes the summary of an album's tracks; nil deletes the album, which has none left.
  mutating func update(_ number: Int64, _ summary: AlbumSummary?) throws {
    guard let summary else { return try writer.delete(album: number) }
    let key = try transaction.row("SELECT merge_key FROM albums WHERE id = ?", number) { try $0.value(0) as String }
    if let key { writer.touch(key) }
    try transaction.execute("UPDATE albums SET own_art = ? WHERE id = ?", summary.art?.native, number)
    try AlbumTags.write(summary.genres, .genre, of: number, transaction)
  }
}

/// The genres and the cover that an album has from its tracks. Tracks are added in the album's order.
struct AlbumSummary: Equatable {
  /// The part of one track.
  struct Part {
    var genres: [String]
    /// A picture in its folder, or in the folder that holds all discs.
    var folderCover: ArtReference?
    /// True where that folder holds other albums as well.
    var isFolderShared: Bool
    /// The picture in its file.
    var embedded: ArtReference?
  }

  private(set) var tracks = 0
  private(set) var genres: [String] = []
  private var foldedGenres: Set<String> = []
  private var folderCover: ArtReference?
  private var embedded: ArtReference?
  private var sharedCover: ArtReference?

  private static let mostGenres = 24

  /// The picture in its own folder, else the first in a file, else the one of a folder it shares.
  var art: ArtReference? { folderCover ?? embedded ?? sharedCover }

  /// Adds the next track.
  mutating func add(_ part: Part) {
    tracks += 1
    for genre in part.genres where genres.count < Self.mostGenres && !genres.contains(genre) {
      if foldedGenres.insert(genre.caseFolded).inserted { genres.append(genre) }
    }
    if part.isFolderShared {
      sharedCover = sharedCover ?? part.folderCover
    } else {
      folderCover = folderCover ?? part.folderCover
    }
    embedded = embedded ?? part.embedded
  }
}

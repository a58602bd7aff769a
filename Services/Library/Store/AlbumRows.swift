import Model
import Storage

/// The rows of a source's albums and of the artists they belong to, while a refresh writes them.
struct AlbumRows {
  private let source: String
  private let now: Timestamp
  let transaction: Transaction
  private var numbers: [String: Int64] = [:]
  private var artists: [String: Int64] = [:]
  private var touched: Set<Int64> = []
  var touchedArtists: Set<Int64> = []
  var gone: [Int64] = []
  /// Albums whose words in the search index are to be written.
  var named: Set<Int64> = []
  private var nextArtist: Int64
  private var nextAlbum: Int64
  private var nextTrack: Int64

  init(source: String, now: Timestamp, _ transaction: Transaction) throws {
    self.source = source
    self.now = now
    self.transaction = transaction
    let next: [Int64]? = try transaction.row("SELECT next_artist, next_album, next_track FROM catalogue") { row in
      [try row.value(0), try row.value(1), try row.value(2)]
    }
    (nextArtist, nextAlbum, nextTrack) = next.map { ($0[0], $0[1], $0[2]) } ?? (1, 1, 1)
  }

  /// Notes which numbers were given: none is ever given twice, also not after the row that had it is gone.
  func keepNumbers() throws {
    try transaction.execute(
      "UPDATE catalogue SET next_artist = ?, next_album = ?, next_track = ?", nextArtist, nextAlbum, nextTrack)
  }

  /// A number for a new track.
  mutating func drawTrack() -> Int64 {
    nextTrack += 1
    return nextTrack - 1
  }

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
    let number = nextAlbum
    nextAlbum += 1
    numbers[album.key] = number
    try transaction.execute(
      """
      INSERT INTO albums (id, source, key, title, title_sort, artist, artist_sort, artist_id, year, genres, tracks,
        duration, added_at, art) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """, number, source, album.key, album.title, album.titleSort, album.artist, album.artistSort,
      try artist(of: album), album.year, TextList.packed(summary.genres), summary.tracks, summary.duration, now,
      summary.art?.native)
    named.insert(number)
    return number
  }

  /// The track of an album that has been there for longest; nil where it has none.
  func oldestTrack(of number: Int64) throws -> Int64? {
    try transaction.row("SELECT min(id) FROM tracks WHERE album = ?", number) { try $0.value(0) } ?? nil
  }

  /// Gives an album another name; its number stays, and with it what people know it by.
  mutating func rename(_ number: Int64, to album: AlbumGrouping.Album) throws {
    let before = try transaction.row(
      "SELECT artist_id, key, title || char(0) || title_sort || char(0) || artist || char(0) || artist_sort FROM albums WHERE id = ?",
      number
    ) { row in (artist: try row.value(0) as Int64, key: try row.value(1) as String, name: try row.value(2) as String) }
    if let before {
      let name = [album.title, album.titleSort, album.artist, album.artistSort].joined(separator: "\u{0}")
      if before.key == album.key, before.name == name { return }
      touchedArtists.insert(before.artist)
      numbers[before.key] = nil
    }
    try transaction.execute(
      """
      UPDATE albums SET key = ?, title = ?, title_sort = ?, artist = ?, artist_sort = ?, artist_id = ?, year = ?
      WHERE id = ?
      """, album.key, album.title, album.titleSort, album.artist, album.artistSort, try artist(of: album), album.year,
      number)
    numbers[album.key] = number
    named.insert(number)
    touched.insert(number)
  }

  /// The albums whose tracks are not what they were, in order.
  var touchedAlbums: [Int64] { touched.sorted() }

  /// Writes what an album shows of its tracks; nil where it has none any more.
  mutating func update(_ number: Int64, _ summary: AlbumSummary?) throws {
    if let summary {
      try transaction.execute(
        "UPDATE albums SET genres = ?, tracks = ?, duration = ?, art = ?, played_at = ? WHERE id = ?",
        TextList.packed(summary.genres), summary.tracks, summary.duration, summary.art?.native, summary.playedAt,
        number)
    } else {
      gone.append(number)
    }
  }

  private mutating func artist(of album: AlbumGrouping.Album) throws -> Int64 {
    let key = album.artist.caseFolded
    if let known = artists[key] {
      touchedArtists.insert(known)
      return known
    }
    let found: Int64? = try transaction.row(
      "SELECT id FROM artists WHERE source = ? AND key = ?", source, key
    ) { try $0.value(0) }
    if let found {
      artists[key] = found
      touchedArtists.insert(found)
      return found
    }
    let number = nextArtist
    nextArtist += 1
    try transaction.execute(
      "INSERT INTO artists (id, source, key, name, sort, albums) VALUES (?, ?, ?, ?, ?, 0)", number, source, key,
      album.artist, album.artistSort)
    artists[key] = number
    touchedArtists.insert(number)
    return number
  }
}

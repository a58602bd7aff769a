import Messages
import Model
import Records
import Storage
import Text

/// The tracks, albums and artists of all listens, each with a place in a list, so that sums are kept in arrays.
///
/// A listen belongs to the track that is shown today for what was played, to its album, and to the artist of that
/// album. A track that is no longer in the library belongs to the names that it had; its album and artist are still
/// those of the library if they are there.
struct HeardItems {
  /// A track, an album or an artist.
  enum Key: Hashable {
    /// The number of its row.
    case here(Int64)
    /// The id or name that it had.
    case gone(String)
  }

  /// Keys in the order in which they came.
  struct List {
    private(set) var keys: [Key] = []
    /// A row of `listen_tracks` of each.
    private(set) var samples: [Int64] = []
    private var places: [Key: Int] = [:]

    var count: Int { keys.count }

    /// Returns the place of a key, and true if it is a new one.
    mutating func place(of key: Key, sample: Int64) -> (place: Int, isNew: Bool) {
      if let place = places[key] { return (place, false) }
      places[key] = keys.count
      keys.append(key)
      samples.append(sample)
      return (keys.count - 1, true)
    }
  }

  /// The places of a track, its album and its artist.
  struct Places {
    var track: Int
    var album: Int
    var artist: Int
  }

  private(set) var tracks = List()
  private(set) var albums = List()
  private(set) var artists = List()
  /// The names of the genres, each in its first spelling.
  private(set) var genres: [String] = []
  /// The places of the genres of each album.
  private(set) var genresOfAlbums: [[Int]] = []
  /// By the rows of `listen_tracks`.
  private(set) var places: [Int64: Places] = [:]
  private var placesOfGenres: [String: Int] = [:]

  /// Reads all rows of `listen_tracks`. The tags in them are read only of what is no longer in the library.
  init(_ transaction: ReadTransaction) throws {
    var gone: [Int64] = []
    _ = try transaction.rows(
      """
      SELECT h.id, t.id, a.id, a.artist_id, a.genres FROM listen_tracks h INDEXED BY listen_tracks_by_number
      \(Successors.join(.track, "h.number")) LEFT JOIN tracks c ON c.id = ifnull(e.heir, h.number)
      LEFT JOIN tracks t ON t.id = c.shown LEFT JOIN albums a ON a.id = t.shelf
      """
    ) { row in
      let sample: Int64 = try row.value(0)
      let (track, album): (Int64?, Int64?) = (try row.value(1), try row.value(2))
      guard let track, let album else { return gone.append(sample) }
      let artist: Int64 = try row.value(3)
      guard add(sample, .here(track), .here(album), .here(artist)) else { return }
      let genres = places(ofGenres: TextList.unpacked(try row.value(4)))
      genresOfAlbums.append(genres)
    }
    var artistKeys: [String: Key] = [:]
    for start in stride(from: 0, to: gone.count, by: 1000) {
      let part = gone[start..<min(start + 1000, gone.count)].map(String.init).joined(separator: ",")
      for row in try Self.former("[\(part)]", transaction) { try add(row, &artistKeys, transaction) }
    }
  }

  /// A row of `listen_tracks` whose track is no longer in the library.
  private struct Former {
    var sample: Int64
    var track: String
    var albumID: String
    var albumArtist: String
    /// The genres that the track had, as JSON.
    var genres: String
    /// The album, with the number of its artist and its genres, if it is still in the library.
    var album: (number: Int64, artist: Int64, genres: String)?
  }

  /// Returns the rows whose numbers are in a list of JSON.
  private static func former(_ numbers: String, _ transaction: ReadTransaction) throws -> [Former] {
    try transaction.rows(
      """
      SELECT h.id, h.track, h.body ->> 'albumID', h.body ->> 'albumArtist', ifnull(h.body -> 'genres', '[]'),
        a.id, a.artist_id, a.genres
      FROM json_each(?) j CROSS JOIN listen_tracks h ON h.id = j.value
      \(Successors.join(.album, "h.album")) LEFT JOIN albums m ON m.id = ifnull(e.heir, h.album)
      LEFT JOIN albums a ON a.id = m.shelf
      """, numbers
    ) { row in
      let (album, artist): (String?, String?) = (try row.value(2), try row.value(3))
      var former = Former(
        sample: try row.value(0), track: try row.value(1), albumID: album ?? "", albumArtist: artist ?? "",
        genres: try row.value(4))
      if let number: Int64 = try row.value(5) {
        former.album = (number: number, artist: try row.value(6), genres: try row.value(7))
      }
      return former
    }
  }

  /// Adds a row whose track is no longer in the library: to its album and its artist, as far as these still are. `keys`
  /// has the artists that were looked up before, by their names.
  private mutating func add(_ row: Former, _ keys: inout [String: Key], _ transaction: ReadTransaction) throws {
    if let album = row.album {
      guard add(row.sample, .gone(row.track), .here(album.number), .here(album.artist)) else { return }
      let genres = places(ofGenres: TextList.unpacked(album.genres))
      return genresOfAlbums.append(genres)
    }
    let artist = try keys[row.albumArtist] ?? Self.artist(named: row.albumArtist, transaction)
    keys[row.albumArtist] = artist
    guard add(row.sample, .gone(row.track), .gone(row.albumID), artist) else { return }
    let genres = places(ofGenres: try MessageCoding.decode([String].self, from: row.genres.utf8))
    genresOfAlbums.append(genres)
  }

  /// Returns the artist of a name, who may be in the library without the album.
  private static func artist(named name: String, _ transaction: ReadTransaction) throws -> Key {
    let number: Int64? = try transaction.value(
      """
      SELECT r.id FROM artist_names n JOIN artists r ON r.id = n.artist WHERE n.key = ? AND r.albums + r.credits > 0
      """, ArtistRows.key(of: name))
    return number.map { Key.here($0) } ?? Key.gone(name)
  }

  /// Adds a row of `listen_tracks`, and returns true if its album is a new one.
  private mutating func add(_ sample: Int64, _ track: Key, _ album: Key, _ artist: Key) -> Bool {
    let (albumPlace, isNew) = albums.place(of: album, sample: sample)
    places[sample] = Places(
      track: tracks.place(of: track, sample: sample).place, album: albumPlace,
      artist: artists.place(of: artist, sample: sample).place)
    return isNew
  }

  private mutating func places(ofGenres names: [String]) -> [Int] {
    var found: [Int] = []
    for name in names {
      let key = name.caseFolded
      let place = placesOfGenres[key] ?? genres.count
      if place == genres.count {
        placesOfGenres[key] = place
        genres.append(name)
      }
      if !found.contains(place) { found.append(place) }
    }
    return found
  }
}

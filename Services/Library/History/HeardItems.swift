import Messages
import Model
import Storage
import Text

/// The tracks, albums and artists of all listens, each with a place in a list, so that sums are kept in arrays.
///
/// A listen belongs to the track that is shown today for what was heard, to its album, and to the artist of that album.
/// Where the track is no longer in the library, it belongs to the names that it had.
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
      LEFT JOIN heirs e ON e.kind = 3 AND e.number = h.number LEFT JOIN tracks c ON c.id = ifnull(e.heir, h.number)
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
    for start in stride(from: 0, to: gone.count, by: 1000) {
      let part = gone[start..<min(start + 1000, gone.count)].map(String.init).joined(separator: ",")
      _ = try transaction.rows(
        """
        SELECT h.id, h.track, h.body ->> 'albumID', h.body ->> 'albumArtist', ifnull(h.body -> 'genres', '[]')
        FROM json_each(?) j CROSS JOIN listen_tracks h ON h.id = j.value
        """, "[\(part)]"
      ) { row in
        let (album, artist): (String?, String?) = (try row.value(2), try row.value(3))
        let isNew = add(
          try row.value(0), .gone(try row.value(1)), .gone(album ?? ""), .gone(artist ?? ""))
        guard isNew else { return }
        let names = try MessageCoding.decode([String].self, from: (try row.value(4) as String).utf8)
        let genres = places(ofGenres: names)
        genresOfAlbums.append(genres)
      }
    }
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

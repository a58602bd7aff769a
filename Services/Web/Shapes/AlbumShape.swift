import Messages
import Model

extension Shape {
  /// An album.
  struct Album: Encodable {
    var id: AlbumID
    var title: String
    var artist: String
    var artistID: ArtistID?
    var year: Int?
    var genres: [String]
    var trackCount: Int
    var durationSeconds: Double
    var addedAt: Timestamp
    var lastPlayedAt: Timestamp?
    var art: ArtID?

    init(_ album: Model.Album) {
      id = album.id
      title = album.title
      artist = album.artist
      artistID = album.artistID
      year = album.year
      genres = album.genres
      trackCount = album.trackCount
      durationSeconds = album.duration.seconds
      addedAt = album.addedAt
      lastPlayedAt = album.lastPlayedAt
      art = album.art
    }
  }

  /// A track.
  struct Track: Encodable {
    var id: TrackID
    var albumID: AlbumID
    var title: String
    var artist: String
    var albumArtist: String
    var album: String
    var disc: Int
    var number: Int?
    var year: Int?
    var genres: [String]
    var durationSeconds: Double
    var art: ArtID?

    init(_ track: Model.Track) {
      id = track.id
      albumID = track.albumID
      title = track.title
      artist = track.artist
      albumArtist = track.albumArtist
      album = track.album
      disc = track.disc
      number = track.number
      year = track.year
      genres = track.genres
      durationSeconds = track.duration.seconds
      art = track.art
    }
  }

  /// A page of albums and where to go on.
  struct AlbumPage: Encodable {
    var items: [Album]
    @Nullable var next: String?

    init(_ page: Library.Page<Model.Album>) {
      items = page.items.map(Album.init)
      next = page.next
    }
  }

  /// An album with a page of its tracks.
  struct AlbumWithTracks: Encodable {
    private var album: Album
    private var tracks: [Track]
    private var next: String?

    private enum CodingKeys: String, CodingKey { case tracks, next }

    init(_ page: Library.AlbumPage) {
      album = Album(page.album)
      tracks = page.tracks.map(Track.init)
      next = page.next
    }

    func encode(to encoder: any Encoder) throws {
      try album.encode(to: encoder)
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(tracks, forKey: .tracks)
      try container.encode(next, forKey: .next)
    }
  }

  /// What a search found.
  struct Found: Encodable {
    var artists: [Model.Artist]
    var albums: [Album]
    var tracks: [Track]
    /// None exist yet; the key is there for readers that rely on it.
    var collections: [String] = []

    init(_ results: Library.SearchResults) {
      artists = results.artists
      albums = results.albums.map(Album.init)
      tracks = results.tracks.map(Track.init)
    }
  }
}

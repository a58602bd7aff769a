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
    /// In stars, 0 to 5 in halves.
    var rating: Double?
    /// The cover's colours.
    var palette: Palette?

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
      rating = album.rating?.stars
      palette = album.palette
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
    /// In stars, 0 to 5 in halves.
    var rating: Double?

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
      rating = track.rating?.stars
    }
  }

  /// Albums: a page and where to go on, or the part of the list at a place.
  struct AlbumPage: Encodable {
    var items: [Album]
    @Nullable var next: String?
    /// How many the whole list has; with a place only, as what follows.
    var total: Int?
    /// The place of the first.
    var first: Int?
    /// The catalogue's generation.
    var generation: Int64?
    /// The seed of the random order.
    var seed: Int64?

    init(_ page: Library.Page<Model.Album>) {
      items = page.items.map(Album.init)
      next = page.next
    }

    init(_ window: Library.AlbumWindow) {
      items = window.items.map(Album.init)
      total = window.total
      first = window.first
      generation = window.generation
      seed = window.seed
    }
  }

  /// An album with a page of its tracks.
  struct AlbumWithTracks: Encodable {
    private struct Tracks: Encodable {
      var moods: [String]
      var styles: [String]
      var tracks: [Track]
      @Nullable var next: String?
    }
    private let joined: Joined<Album, Tracks>

    init(_ page: Library.AlbumPage) {
      joined = Joined(
        first: Album(page.album),
        second: Tracks(
          moods: page.moods ?? [], styles: page.styles ?? [], tracks: page.tracks.map(Track.init), next: page.next))
    }

    func encode(to encoder: any Encoder) throws { try joined.encode(to: encoder) }
  }

  /// What a search found.
  struct Found: Encodable {
    var artists: [Model.Artist]
    var albums: [Album]
    var tracks: [Track]
    var collections: [MusicCollection]

    init(_ results: Library.SearchResults) {
      artists = results.artists
      albums = results.albums.map(Album.init)
      tracks = results.tracks.map(Track.init)
      collections = results.collections ?? []
    }
  }
}

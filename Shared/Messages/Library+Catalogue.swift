public import Model

/// Reading the catalogue's other shelves.
extension Library {
  /// A word that describes albums.
  public struct Tag: Codable, Hashable, Sendable {
    /// What kind of word it is.
    public var kind: Kind
    /// The word in its first spelling; case and marks do not matter in a question.
    public var name: String

    /// Makes a tag.
    public init(kind: Kind, name: String) {
      self.kind = kind
      self.name = name
    }

    /// The kinds of words.
    public enum Kind: String, Codable, Sendable {
      /// What sort of music it is.
      case genre
      /// What it feels like.
      case mood
      /// A finer sort than the genre.
      case style
      /// The year of release, as digits.
      case year
    }
  }

  /// All words of one kind, with how many albums have each.
  public struct ListTags: Request {
    /// The stable name.
    public static let kind = "library.list-tags"
    /// It changes nothing.
    public static let isCommand = false
    /// Sorted by word; years by number, newest first.
    public typealias Answer = Page<TagCount>
    /// Which kind.
    public var of: Tag.Kind
    /// Where to go on; nil for the first page.
    public var after: String?
    /// How many at most; capped at 200.
    public var limit: Int

    /// Makes a request.
    public init(of kind: Tag.Kind, after: String? = nil, limit: Int = 100) {
      of = kind
      self.after = after
      self.limit = limit
    }
  }

  /// A word and how many albums have it.
  public struct TagCount: Codable, Hashable, Sendable {
    /// The word.
    public var name: String
    /// How many albums have it.
    public var albums: Int

    /// Makes a count.
    public init(name: String, albums: Int) {
      self.name = name
      self.albums = albums
    }
  }

  /// A page of tracks.
  public struct ListTracks: Request {
    /// The stable name.
    public static let kind = "library.list-tracks"
    /// It changes nothing.
    public static let isCommand = false
    /// Sorted tracks and the cursor of the next page. By name means by title.
    public typealias Answer = Page<Track>
    /// Where to go on; nil for the first page.
    public var after: String?
    /// How many at most; capped at 200.
    public var limit: Int
    /// The order.
    public var sort: Sort
    /// The seed of the random order.
    public var seed: Int64?

    /// Makes a request.
    public init(after: String? = nil, limit: Int = 100, sort: Sort = .name, seed: Int64? = nil) {
      self.after = after
      self.limit = limit
      self.sort = sort
      self.seed = seed
    }
  }

  /// One track.
  public struct ReadTrack: Request {
    /// The stable name.
    public static let kind = "library.read-track"
    /// It changes nothing.
    public static let isCommand = false
    /// The track with the places it can be had from.
    public typealias Answer = TrackDetail
    /// The track; any copy's id will do.
    public var id: TrackID

    /// Makes a request.
    public init(id: TrackID) { self.id = id }
  }

  /// A track and its copies.
  public struct TrackDetail: Codable, Hashable, Sendable {
    /// The track.
    public var track: Track
    /// Its copies, best first.
    public var copies: [Copy]

    /// Makes a detail.
    public init(track: Track, copies: [Copy]) {
      self.track = track
      self.copies = copies
    }

    /// One place a track can be had from.
    public struct Copy: Codable, Hashable, Sendable {
      /// The copy's own id.
      public var id: TrackID
      /// The file's ending in lower case: `flac`, `mp3`; nil where unknown.
      public var format: String?
      /// Whether nothing was lost in its encoding.
      public var isLossless: Bool

      /// Makes a copy.
      public init(id: TrackID, format: String?, isLossless: Bool) {
        self.id = id
        self.format = format
        self.isLossless = isLossless
      }
    }
  }

  /// One artist with a page of their albums.
  public struct ReadArtist: Request {
    /// The stable name.
    public static let kind = "library.read-artist"
    /// It changes nothing.
    public static let isCommand = false
    /// The artist and albums, oldest first.
    public typealias Answer = ArtistPage
    /// The artist.
    public var id: ArtistID
    /// Where to go on; nil for the first page of at most 200 albums.
    public var after: String?

    /// Makes a request.
    public init(id: ArtistID, after: String? = nil) {
      self.id = id
      self.after = after
    }
  }

  /// An artist with a page of their albums.
  public struct ArtistPage: Codable, Hashable, Sendable {
    /// The artist.
    public var artist: Artist
    /// What their source says about them; nil where it says nothing.
    public var summary: String?
    /// The genres of their albums and their own.
    public var genres: [String]
    /// Their albums, oldest first.
    public var albums: [Album]
    /// The cursor of the next page; nil on the last.
    public var next: String?
    /// The moods of their albums, the most frequent first; nil from an older library.
    public var moods: [String]?
    /// The styles of their albums, likewise.
    public var styles: [String]?

    /// Makes a page.
    public init(
      artist: Artist, summary: String?, genres: [String], albums: [Album], next: String? = nil, moods: [String]? = nil,
      styles: [String]? = nil
    ) {
      self.artist = artist
      self.summary = summary
      self.genres = genres
      self.albums = albums
      self.next = next
      self.moods = moods
      self.styles = styles
    }
  }

  /// A page of collections: the pinned ones first, then by title.
  public struct ListCollections: Request {
    /// The stable name.
    public static let kind = "library.list-collections"
    /// It changes nothing.
    public static let isCommand = false
    /// Sorted collections and the cursor of the next page.
    public typealias Answer = Page<MusicCollection>
    /// Where to go on; nil for the first page.
    public var after: String?
    /// How many at most; capped at 200.
    public var limit: Int

    /// Makes a request.
    public init(after: String? = nil, limit: Int = 100) {
      self.after = after
      self.limit = limit
    }
  }

  /// One collection with a page of what it holds.
  public struct ReadCollection: Request {
    /// The stable name.
    public static let kind = "library.read-collection"
    /// It changes nothing.
    public static let isCommand = false
    /// The collection and its items in its order.
    public typealias Answer = CollectionPage
    /// The collection.
    public var id: CollectionID
    /// Where to go on; nil for the first page of at most 200 items.
    public var after: String?

    /// Makes a request.
    public init(id: CollectionID, after: String? = nil) {
      self.id = id
      self.after = after
    }
  }

  /// A collection with a page of what it holds. One holds albums as a rule; what else it holds comes apart.
  public struct CollectionPage: Codable, Hashable, Sendable {
    /// The collection.
    public var collection: MusicCollection
    /// Its albums.
    public var albums: [Album]
    /// Its artists.
    public var artists: [Artist]
    /// Its tracks.
    public var tracks: [Track]
    /// The cursor of the next page; nil on the last.
    public var next: String?

    /// Makes a page.
    public init(
      collection: MusicCollection, albums: [Album], artists: [Artist] = [], tracks: [Track] = [], next: String? = nil
    ) {
      self.collection = collection
      self.albums = albums
      self.artists = artists
      self.tracks = tracks
      self.next = next
    }
  }

  /// A page of playlists, by title.
  public struct ListPlaylists: Request {
    /// The stable name.
    public static let kind = "library.list-playlists"
    /// It changes nothing.
    public static let isCommand = false
    /// Sorted playlists and the cursor of the next page.
    public typealias Answer = Page<Playlist>
    /// Where to go on; nil for the first page.
    public var after: String?
    /// How many at most; capped at 200.
    public var limit: Int

    /// Makes a request.
    public init(after: String? = nil, limit: Int = 100) {
      self.after = after
      self.limit = limit
    }
  }

  /// One playlist with a page of its tracks.
  public struct ReadPlaylist: Request {
    /// The stable name.
    public static let kind = "library.read-playlist"
    /// It changes nothing.
    public static let isCommand = false
    /// The playlist and its tracks in its order.
    public typealias Answer = PlaylistPage
    /// The playlist.
    public var id: PlaylistID
    /// Where to go on; nil for the first page of at most 200 tracks.
    public var after: String?

    /// Makes a request.
    public init(id: PlaylistID, after: String? = nil) {
      self.id = id
      self.after = after
    }
  }

  /// A playlist with a page of its tracks.
  public struct PlaylistPage: Codable, Hashable, Sendable {
    /// The playlist.
    public var playlist: Playlist
    /// Its tracks in its order; one may come several times.
    public var tracks: [Track]
    /// The cursor of the next page; nil on the last.
    public var next: String?

    /// Makes a page.
    public init(playlist: Playlist, tracks: [Track], next: String? = nil) {
      self.playlist = playlist
      self.tracks = tracks
      self.next = next
    }
  }
}

public import Model

/// Artists, tracks, tags and the search.
extension Library {
  /// A page of artists, by name.
  public struct ListArtists: ReadRequest {
    public static let kind = "library.list-artists"
    /// Sorted artists and the cursor of the next page.
    public typealias Answer = Page<Artist>
    /// The cursor; nil for the first page.
    public var after: String?
    /// The most items; capped at 200.
    public var limit: Int
    /// Begin with the first artist whose sort value is not before this text; nil for all.
    public var startingAt: String?

    public init(after: String? = nil, limit: Int = 100, startingAt: String? = nil) {
      self.after = after
      self.limit = limit
      self.startingAt = startingAt
    }
  }

  /// One artist with a page of their albums.
  public struct ReadArtist: ReadRequest {
    public static let kind = "library.read-artist"
    /// The artist and albums, oldest first.
    public typealias Answer = ArtistPage
    /// The artist.
    public var id: ArtistID
    /// The cursor; nil for the first page of at most 200 albums.
    public var after: String?

    public init(id: ArtistID, after: String? = nil) {
      self.id = id
      self.after = after
    }
  }

  /// An artist with a page of their albums.
  public struct ArtistPage: Codable, Hashable, Sendable {
    /// The artist.
    public var artist: Artist
    /// The description that their source gives; nil where it gives none.
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

  /// A page of tracks.
  public struct ListTracks: ReadRequest {
    public static let kind = "library.list-tracks"
    /// Sorted tracks and the cursor of the next page. By name means by title.
    public typealias Answer = Page<Track>
    /// The cursor; nil for the first page.
    public var after: String?
    /// The most items; capped at 200.
    public var limit: Int
    /// The order.
    public var sort: Sort
    /// The seed of the random order.
    public var seed: Int64?

    public init(after: String? = nil, limit: Int = 100, sort: Sort = .name, seed: Int64? = nil) {
      self.after = after
      self.limit = limit
      self.sort = sort
      self.seed = seed
    }
  }

  /// One track.
  public struct ReadTrack: ReadRequest {
    public static let kind = "library.read-track"
    /// The track with its copies.
    public typealias Answer = TrackDetail
    /// The track; any copy's id will do.
    public var id: TrackID

    public init(id: TrackID) { self.id = id }
  }

  /// A track and its copies.
  public struct TrackDetail: Codable, Hashable, Sendable {
    /// The track.
    public var track: Track
    /// Its copies, best first.
    public var copies: [Copy]

    public init(track: Track, copies: [Copy]) {
      self.track = track
      self.copies = copies
    }

    /// One copy of a track.
    public struct Copy: Codable, Hashable, Sendable {
      /// The copy's own id.
      public var id: TrackID
      /// The file's ending in lower case: `flac`, `mp3`; nil where unknown.
      public var format: String?
      /// True where its encoding is lossless.
      public var isLossless: Bool

      public init(id: TrackID, format: String?, isLossless: Bool) {
        self.id = id
        self.format = format
        self.isLossless = isLossless
      }
    }
  }

  /// A word that describes albums.
  public struct Tag: Codable, Hashable, Sendable {
    /// The kind of the tag.
    public var kind: Kind
    /// The word in its first spelling; case and marks do not matter in a question.
    public var name: String

    public init(kind: Kind, name: String) {
      self.kind = kind
      self.name = name
    }

    /// The kinds of words.
    public enum Kind: String, Codable, Sendable {
      case genre
      case mood
      /// A finer sort than the genre.
      case style
      /// The year of release, as digits.
      case year
    }
  }

  /// Lists all tags of one kind with their numbers of albums.
  public struct ListTags: ReadRequest {
    public static let kind = "library.list-tags"
    /// Sorted by word; years by number, newest first.
    public typealias Answer = Page<TagCount>
    /// The kind of tags.
    public var of: Tag.Kind
    /// The cursor; nil for the first page.
    public var after: String?
    /// The most items; capped at 200.
    public var limit: Int

    public init(of kind: Tag.Kind, after: String? = nil, limit: Int = 100) {
      of = kind
      self.after = after
      self.limit = limit
    }
  }

  /// A tag and the number of albums that have it.
  public struct TagCount: Codable, Hashable, Sendable {
    /// The word.
    public var name: String
    /// The number of albums that have it.
    public var albums: Int

    public init(name: String, albums: Int) {
      self.name = name
      self.albums = albums
    }
  }

  /// Searches titles and names: each word a prefix, case and marks ignored.
  public struct Search: ReadRequest {
    public static let kind = "library.search"
    /// The hits, each kind in its own order.
    public typealias Answer = SearchResults
    /// The words.
    public var words: String
    /// The most hits of each kind; capped at 100.
    public var limit: Int

    public init(words: String, limit: Int = 50) {
      self.words = words
      self.limit = limit
    }
  }

  /// The hits of a search.
  public struct SearchResults: Codable, Hashable, Sendable {
    /// Artists by name.
    public var artists: [Artist]
    /// Albums by artist and title.
    public var albums: [Album]
    /// Tracks by title.
    public var tracks: [Track]
    /// Collections by title; nil where an older library answers.
    public var collections: [MusicCollection]?

    public init(artists: [Artist], albums: [Album], tracks: [Track], collections: [MusicCollection]? = nil) {
      self.artists = artists
      self.albums = albums
      self.tracks = tracks
      self.collections = collections
    }
  }
}

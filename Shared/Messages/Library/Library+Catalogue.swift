public import Model

/// Artists, tracks and the search.
extension Library {
  /// Reads a page of artists, by name.
  public struct ListArtists: ReadRequest {
    public static let kind = "library.list-artists"
    /// Sorted artists and the cursor of the next page.
    public typealias Answer = Page<Artist>
    /// The cursor; nil for the first page.
    public var after: String?
    /// The largest number of items; at most 200.
    public var limit: Int
    /// The text at whose place in the order the list begins; nil for the whole list.
    public var startingAt: String?
    /// Only artists who are credited in this role; nil for those who have albums.
    public var role: CreditRole?

    public init(after: String? = nil, limit: Int = 100, startingAt: String? = nil, role: CreditRole? = nil) {
      self.after = after
      self.limit = limit
      self.startingAt = startingAt
      self.role = role
    }
  }

  /// Reads an artist with a page of their albums.
  public struct ReadArtist: ReadRequest {
    public static let kind = "library.read-artist"
    /// The artist, and their albums, oldest first.
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
    /// The description of the artist by their source; nil if it has none.
    public var summary: String?
    /// The genres of the artist and of their albums.
    public var genres: [String]
    /// Their albums, oldest first.
    public var albums: [Album]
    /// The cursor of the next page; nil on the last.
    public var next: String?
    /// The moods of their albums, the most frequent first; nil from an older library.
    public var moods: [String]?
    /// The styles of their albums, the most frequent first; nil from an older library.
    public var styles: [String]?
    /// The roles in which they are credited on other albums and on single tracks; nil from an older library.
    public var appearances: [CreditGroup]?

    public init(
      artist: Artist, summary: String?, genres: [String], albums: [Album], next: String? = nil, moods: [String]? = nil,
      styles: [String]? = nil, appearances: [CreditGroup]? = nil
    ) {
      self.artist = artist
      self.summary = summary
      self.genres = genres
      self.albums = albums
      self.next = next
      self.moods = moods
      self.styles = styles
      self.appearances = appearances
    }
  }

  /// Reads a page of tracks.
  public struct ListTracks: ReadRequest {
    public static let kind = "library.list-tracks"
    /// Sorted tracks and the cursor of the next page. The order `name` is by title.
    public typealias Answer = Page<Track>
    /// The cursor; nil for the first page.
    public var after: String?
    /// The largest number of items; at most 200.
    public var limit: Int
    /// The order.
    public var sort: Sort
    /// The seed of the random order.
    public var seed: Int64?
    /// Only tracks with these tags, or of albums with them: of one kind any of them, of several kinds one of each; nil
    /// for all.
    public var tags: [Tag]?

    public init(
      after: String? = nil, limit: Int = 100, sort: Sort = .name, seed: Int64? = nil, tags: [Tag]? = nil
    ) {
      self.after = after
      self.limit = limit
      self.sort = sort
      self.seed = seed
      self.tags = tags
    }
  }

  /// Reads a track.
  public struct ReadTrack: ReadRequest {
    public static let kind = "library.read-track"
    /// The track with its copies.
    public typealias Answer = TrackDetail
    /// The id of the track, or of any copy of it.
    public var id: TrackID

    public init(id: TrackID) { self.id = id }
  }

  /// A track and its copies.
  public struct TrackDetail: Codable, Hashable, Sendable {
    /// The track.
    public var track: Track
    /// The copies, best first.
    public var copies: [Copy]
    /// Everybody who is credited, artists first; nil from an older library.
    public var credits: [Credit]?
    /// The other facts that the tags have; nil if there are none.
    public var facts: TrackFacts?
    /// True if lyrics are embedded; nil if that is not known.
    public var hasLyrics: Bool?
    /// The values that were guessed from the names of the file and its folders; nil if none was.
    public var guessed: [GuessedField]?

    public init(
      track: Track, copies: [Copy], credits: [Credit]? = nil, facts: TrackFacts? = nil, hasLyrics: Bool? = nil,
      guessed: [GuessedField]? = nil
    ) {
      self.track = track
      self.copies = copies
      self.credits = credits
      self.facts = facts
      self.hasLyrics = hasLyrics
      self.guessed = guessed
    }

    /// One copy of a track.
    public struct Copy: Codable, Hashable, Sendable {
      /// The id of this copy.
      public var id: TrackID
      /// The file extension in lower case, such as `flac` or `mp3`; nil if unknown.
      public var format: String?
      /// True if the encoding is lossless.
      public var isLossless: Bool
      /// The properties of its audio; nil where none is known.
      public var audio: AudioProperties?
      /// Its file on the library's host; nil for a copy on a server.
      public var path: LocalPath?
      /// The part of the file that it is; nil for a whole file.
      public var segment: AudioSegment?

      public init(
        id: TrackID, format: String?, isLossless: Bool, audio: AudioProperties? = nil, path: LocalPath? = nil,
        segment: AudioSegment? = nil
      ) {
        self.id = id
        self.format = format
        self.isLossless = isLossless
        self.audio = audio
        self.path = path
        self.segment = segment
      }
    }
  }

  /// The values of a track that are guessed from names where tags are missing.
  public enum GuessedField: String, TolerantName {
    case title
    case artist
    case album
    case year
    case disc
    case number
    case unknown
  }

  /// The values of one track that were guessed.
  public struct TrackGuess: Codable, Hashable, Sendable {
    /// The track.
    public var track: TrackID
    /// The values.
    public var fields: [GuessedField]

    public init(track: TrackID, fields: [GuessedField]) {
      self.track = track
      self.fields = fields
    }
  }

  /// Searches titles and names for words that begin with the given words; case and diacritics are ignored.
  public struct Search: ReadRequest {
    public static let kind = "library.search"
    /// The results, each kind in its own order.
    public typealias Answer = SearchResults
    /// The words.
    public var words: String
    /// The largest number of results of each kind; at most 100.
    public var limit: Int
    /// True to search notes as well; nil for false.
    public var inNotes: Bool?

    public init(words: String, limit: Int = 50, inNotes: Bool? = nil) {
      self.words = words
      self.limit = limit
      self.inNotes = inNotes
    }
  }

  /// The results of a search.
  public struct SearchResults: Codable, Hashable, Sendable {
    /// Artists by name.
    public var artists: [Artist]
    /// Albums by artist and title.
    public var albums: [Album]
    /// Tracks by title.
    public var tracks: [Track]
    /// Collections by title; nil from an older library.
    public var collections: [MusicCollection]?
    /// Playlists by title; nil from an older library.
    public var playlists: [Playlist]?
    /// Notes, the latest first; nil if they were not searched.
    public var notes: [Note]?

    public init(
      artists: [Artist], albums: [Album], tracks: [Track], collections: [MusicCollection]? = nil,
      playlists: [Playlist]? = nil, notes: [Note]? = nil
    ) {
      self.artists = artists
      self.albums = albums
      self.tracks = tracks
      self.collections = collections
      self.playlists = playlists
      self.notes = notes
    }
  }
}

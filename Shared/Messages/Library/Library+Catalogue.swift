public import Model

/// Artists, tracks and the search.
extension Library {
  /// Reads a page of artists.
  public struct ListArtists: ReadRequest {
    public static let kind = "library.list-artists"
    /// Sorted artists and the cursor of the next page; refused with `library.badCursor`.
    public typealias Answer = Page<Artist>
    /// The cursor: `next` of the page before; nil for the first page.
    public var after: String? = nil
    /// The largest number of items; at most 200.
    public var limit: Int = 100
    /// The list begins at the first artist whose name does not sort before this text; only in the order by name. Nil
    /// for the whole list.
    public var startingAt: String? = nil
    /// Only artists who are credited in this role, as in `Credit`; nil for those who have albums.
    public var role: CreditRole? = nil
    /// The order; nil for `name`. The order by albums is, for people in a role, that by the tracks that credit them;
    /// for artists these tracks count as well. Since 0.2.
    public var sort: TagSort? = nil
    /// True for the opposite direction of the order; nil for false. Since 0.2.
    public var isReversed: Bool? = nil
  }

  /// Reads an artist with a page of their albums.
  public struct ReadArtist: ReadRequest {
    public static let kind = "library.read-artist"
    /// The artist, and their albums, oldest first; refused with `library.unknownID`, `library.badCursor`.
    public typealias Answer = ArtistPage
    /// The artist.
    public var id: ArtistID
    /// The cursor: `next` of the page before; nil for the first page of at most 200 albums.
    public var after: String? = nil
  }

  /// An artist with a page of their albums.
  public struct ArtistPage: Codable, Hashable, Sendable {
    /// The artist.
    public var artist: Artist
    /// The description of the artist by their source; nil if it has none.
    public var summary: String?
    /// The genres of the artist and of their albums.
    public var genres: [String]
    /// Their albums, oldest first, 200 a page.
    public var albums: [Album]
    /// The cursor of the next page; nil on the last.
    public var next: String? = nil
    /// The moods of their albums, the most frequent first; nil from an older library.
    public var moods: [String]? = nil
    /// The styles of their albums, the most frequent first; nil from an older library.
    public var styles: [String]? = nil
    /// The roles in which they are credited on other albums and on single tracks; nil from an older library.
    public var appearances: [CreditGroup]? = nil
  }

  /// Reads a page of tracks.
  public struct ListTracks: ReadRequest {
    public static let kind = "library.list-tracks"
    /// Sorted tracks and the cursor of the next page. The order `name` is by title. Refused with `library.badCursor`,
    /// `library.unknownTag`, `library.badTag`.
    public typealias Answer = Page<Track>
    /// The cursor: `next` of the page before; nil for the first page.
    public var after: String? = nil
    /// The largest number of items; at most 200.
    public var limit: Int = 100
    /// The order, as for `ListAlbums`; by name means by title.
    public var sort: Sort = .name
    /// The seed of the random order.
    public var seed: Int64? = nil
    /// Only tracks with these tags, or of albums with them: of one kind any of them, of several kinds one of each; nil
    /// for all.
    public var tags: [Tag]? = nil
    /// True for the opposite direction of the order; nil for false. The random order has none. Since 0.2.
    public var isReversed: Bool? = nil
  }

  /// Reads a part of the list of tracks by position, for a view that draws only the visible part of a long list. Since
  /// 0.2.
  public struct ReadTrackWindow: ReadRequest {
    public static let kind = "library.read-track-window"
    /// The part, and the length of the whole list; refused with `library.unknownTag`, `library.badTag`.
    public typealias Answer = TrackWindow
    /// The order, as for `ListTracks`.
    public var sort: Sort = .name
    /// True for the opposite direction of the order; nil for false. The random order has none.
    public var isReversed: Bool? = nil
    /// The seed of the random order; nil for a new one, which the answer contains.
    public var seed: Int64? = nil
    /// Only tracks with these tags, or of albums with them; nil for all.
    public var tags: [Tag]? = nil
    /// The position of the first track, from 0.
    public var first: Int = 0
    /// The largest number of items; at most 200.
    public var limit: Int = 100
  }

  /// A part of the list of tracks. Parts of the same generation are of one list; of two generations the higher is
  /// newer.
  public struct TrackWindow: Codable, Hashable, Sendable {
    /// The number of tracks in the whole list.
    public var total: Int
    /// The position of the first item.
    public var first: Int
    /// The tracks; fewer than requested at the end of the list, or if more do not fit into an answer.
    public var items: [Track]
    /// The seed of the random order; nil for other orders.
    public var seed: Int64? = nil
    /// The generation of the catalogue; parts of the same generation fit together.
    public var generation: Int64
  }

  /// Reads the positions at which letters, years, months or stars begin in the list of tracks. Since 0.2.
  public struct IndexTracks: ReadRequest {
    public static let kind = "library.index-tracks"
    /// The index, as for `IndexAlbums`, with the letters of titles; its numbers count tracks; refused with
    /// `library.unknownTag`, `library.badTag`.
    public typealias Answer = AlbumIndex
    /// The order, as for `ListTracks`; the random order and that by plays have no marks.
    public var sort: Sort = .name
    /// True for the opposite direction of the order; nil for false.
    public var isReversed: Bool? = nil
    /// Only tracks with these tags, or of albums with them; nil for all.
    public var tags: [Tag]? = nil
  }

  /// Reads a track.
  public struct ReadTrack: ReadRequest {
    public static let kind = "library.read-track"
    /// The track with its copies. Where the track was merged with others, it is the one that is shown. Refused with
    /// `library.unknownID`.
    public typealias Answer = TrackDetail
    /// The id of the track, or of any copy of it.
    public var id: TrackID
  }

  /// A track and its copies.
  public struct TrackDetail: Codable, Hashable, Sendable {
    /// The track.
    public var track: Track
    /// The copies, best first.
    public var copies: [Copy]
    /// Everybody who is credited, artists first; nil from an older library.
    public var credits: [Credit]? = nil
    /// The other facts that the tags of its file have; nil if there are none.
    public var facts: TrackFacts? = nil
    /// True if the file or an LRC file beside it has lyrics; nil for a track of a server.
    public var hasLyrics: Bool? = nil
    /// The values that were guessed from the names of the file and its folders; nil if none was.
    public var guessed: [GuessedField]? = nil

    /// One copy of a track.
    public struct Copy: Codable, Hashable, Sendable {
      /// The id of this copy.
      public var id: TrackID
      /// The file extension in lower case, such as `flac` or `mp3`; nil if unknown.
      public var format: String?
      /// True if the encoding is lossless.
      public var isLossless: Bool
      /// The properties of its audio; nil if none is known.
      public var audio: AudioProperties? = nil
      /// Its file on the library's host, as a `file:` URL; nil for a copy on a server.
      public var path: LocalPath? = nil
      /// The part of the file that it is; nil for a whole file.
      public var segment: AudioSegment? = nil
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
  }

  /// Searches titles and names for words that begin with the given words; case and diacritics are ignored.
  public struct Search: ReadRequest {
    public static let kind = "library.search"
    /// The results, each kind in its own order.
    public typealias Answer = SearchResults
    /// The words, each of which may be the beginning of a word; case and accents do not matter.
    public var words: String
    /// The largest number of results of each kind; at most 100.
    public var limit: Int = 50
    /// True to search notes as well; nil for false.
    public var inNotes: Bool? = nil
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
    public var collections: [MusicCollection]? = nil
    /// Playlists by title; nil from an older library.
    public var playlists: [Playlist]? = nil
    /// Notes, the latest first; nil unless `inNotes` is true.
    public var notes: [Note]? = nil
    /// The result that fits the words best; nil if there is none, and from an older library. Since 0.2.
    public var best: BestResult? = nil
    /// At most 10 genres, styles and moods all of whose words begin with the words, and the year or decade that the
    /// words name, such as `1977`, `1970s` and `70s`; nil from an older library. Since 0.2.
    public var tags: [TagCount]? = nil
    /// The roles of up to four of the artists otherwise than as artists, as `ListCredits` lists them; nil from an older
    /// library. Since 0.2.
    public var people: [CreditGroup]? = nil
    /// The words that were searched instead, as nothing but notes fits those that were given; nil if they were searched
    /// as they are. They are words of the catalogue that are spelt nearly alike: a word of 4 or 5 letters may have one
    /// error, a longer one two. Since 0.2.
    public var searchedWords: String? = nil
  }

  /// The result of a search that fits its words best. The item itself is also in the list of its kind.
  public struct BestResult: Codable, Hashable, Sendable {
    /// The kinds of results.
    public enum Kind: String, TolerantName {
      case artist, album, track, playlist, unknown
    }

    /// The kind of the result.
    public var kind: Kind
    /// Its id.
    public var id: PlayableID
  }
}

public import Model

/// What `lunara-library` answers.
extension Library {
  /// How a list is sorted.
  public enum Sort: String, Codable, Sendable {
    /// By artist's sort name, then title.
    case name
    /// Newest arrival first.
    case added
    /// Newest release first.
    case year
    /// Last heard first.
    case played
    /// In an order drawn from the seed.
    case random
  }

  /// A page of albums.
  public struct ListAlbums: Request {
    /// The stable name.
    public static let kind = "library.list-albums"
    /// It changes nothing.
    public static let isCommand = false
    /// Sorted albums and the cursor of the next page.
    public typealias Answer = Page<Album>
    /// Where to go on: `next` of the page before; nil for the first page.
    public var after: String?
    /// How many at most; capped at 200.
    public var limit: Int
    /// The order.
    public var sort: Sort
    /// The seed of the random order.
    public var seed: Int64?
    /// Only albums with this genre, mood or style; nil for all.
    public var tag: Tag?
    /// Begin with the first album whose sort value is not before this text, in the order by name alone; nil for all.
    public var startingAt: String?

    /// Makes a request.
    public init(
      after: String? = nil, limit: Int = 100, sort: Sort = .name, seed: Int64? = nil, tag: Tag? = nil,
      startingAt: String? = nil
    ) {
      self.after = after
      self.limit = limit
      self.sort = sort
      self.seed = seed
      self.tag = tag
      self.startingAt = startingAt
    }
  }

  /// A page of artists, by name.
  public struct ListArtists: Request {
    /// The stable name.
    public static let kind = "library.list-artists"
    /// It changes nothing.
    public static let isCommand = false
    /// Sorted artists and the cursor of the next page.
    public typealias Answer = Page<Artist>
    /// Where to go on; nil for the first page.
    public var after: String?
    /// How many at most; capped at 200.
    public var limit: Int
    /// Begin with the first artist whose sort value is not before this text; nil for all.
    public var startingAt: String?

    /// Makes a request.
    public init(after: String? = nil, limit: Int = 100, startingAt: String? = nil) {
      self.after = after
      self.limit = limit
      self.startingAt = startingAt
    }
  }

  /// A page of a sorted list.
  public struct Page<Item: Codable & Hashable & Sendable>: Codable, Hashable, Sendable {
    /// The items, sorted.
    public var items: [Item]
    /// The cursor to give as `after`; nil on the last page.
    public var next: String?

    /// Makes a page.
    public init(items: [Item], next: String?) {
      self.items = items
      self.next = next
    }
  }

  /// One album with a page of its tracks.
  public struct ReadAlbum: Request {
    /// The stable name.
    public static let kind = "library.read-album"
    /// It changes nothing.
    public static let isCommand = false
    /// The album and tracks by disc and number.
    public typealias Answer = AlbumPage
    /// The album; any of a merged album's member ids will do.
    public var id: AlbumID
    /// Where to go on; nil for the first page of at most 200 tracks.
    public var after: String?

    /// Makes a request.
    public init(id: AlbumID, after: String? = nil) {
      self.id = id
      self.after = after
    }
  }

  /// An album with a page of its tracks.
  public struct AlbumPage: Codable, Hashable, Sendable {
    /// The album.
    public var album: Album
    /// Its tracks by disc, number, title.
    public var tracks: [Track]
    /// The cursor of the next page; nil on the last.
    public var next: String?
    /// The moods that its sources see in it; nil from an older library.
    public var moods: [String]?
    /// The styles that its sources say it is of; nil from an older library.
    public var styles: [String]?

    /// Makes a page.
    public init(
      album: Album, tracks: [Track], next: String? = nil, moods: [String]? = nil, styles: [String]? = nil
    ) {
      self.album = album
      self.tracks = tracks
      self.next = next
      self.moods = moods
      self.styles = styles
    }
  }

  /// Searches titles and names: each word a prefix, case and marks ignored.
  public struct Search: Request {
    /// The stable name.
    public static let kind = "library.search"
    /// It changes nothing.
    public static let isCommand = false
    /// What was found, each kind in its own order.
    public typealias Answer = SearchResults
    /// The words.
    public var words: String
    /// How many of each kind at most; capped at 100.
    public var limit: Int

    /// Makes a request.
    public init(words: String, limit: Int = 50) {
      self.words = words
      self.limit = limit
    }
  }

  /// What a search found.
  public struct SearchResults: Codable, Hashable, Sendable {
    /// Artists by name.
    public var artists: [Artist]
    /// Albums by artist and title.
    public var albums: [Album]
    /// Tracks by title.
    public var tracks: [Track]
    /// Collections by title; nil where an older library answers.
    public var collections: [MusicCollection]?

    /// Makes results.
    public init(artists: [Artist], albums: [Album], tracks: [Track], collections: [MusicCollection]? = nil) {
      self.artists = artists
      self.albums = albums
      self.tracks = tracks
      self.collections = collections
    }
  }

  /// The tracks behind ids of any kind, in the order they should play: what the router hands to a room.
  public struct ListPlayable: Request {
    /// The stable name.
    public static let kind = "library.list-playable"
    /// It changes nothing.
    public static let isCommand = false
    /// A page of tracks with their places.
    public typealias Answer = PlayablePage
    /// Albums, tracks, artists, collections and playlists; an unknown id is refused with `library.unknownID`.
    public var ids: [PlayableID]
    /// Where to go on; nil for the first page of at most 100.
    public var after: String?

    /// Makes a request.
    public init(ids: [PlayableID], after: String? = nil) {
      self.ids = ids
      self.after = after
    }
  }

  /// A page of tracks to play.
  public struct PlayablePage: Codable, Hashable, Sendable {
    /// The tracks in playing order, each with its place on the library's host.
    public var tracks: [PlayableTrack]
    /// The cursor of the next page; nil on the last.
    public var next: String?

    /// Makes a page.
    public init(tracks: [PlayableTrack], next: String?) {
      self.tracks = tracks
      self.next = next
    }
  }

  /// A track and where its audio lies.
  public struct PlayableTrack: Codable, Hashable, Sendable {
    /// The track.
    public var track: Track
    /// The file on the library's host; nil where there is none.
    public var path: LocalPath?
    /// The library's host id.
    public var host: String

    /// Makes a pair.
    public init(track: Track, path: LocalPath?, host: String) {
      self.track = track
      self.path = path
      self.host = host
    }
  }

  /// Where a track's audio can be had right now.
  public struct LocateTrack: Request {
    /// The stable name.
    public static let kind = "library.locate-track"
    /// It changes nothing.
    public static let isCommand = false
    /// The place; refused with `library.unknownID` or `library.fileMissing`.
    public typealias Answer = Locator
    /// The track.
    public var id: TrackID
    /// The asking room's host id: a local path is given only to the library's own host.
    public var host: String

    /// Makes a request.
    public init(id: TrackID, host: String) {
      self.id = id
      self.host = host
    }
  }

  /// Where a picture can be had right now.
  public struct LocateArt: Request {
    /// The stable name.
    public static let kind = "library.locate-art"
    /// It changes nothing.
    public static let isCommand = false
    /// The place of the picture file; refused with `library.unknownID` or `library.fileMissing`.
    public typealias Answer = Locator
    /// The picture.
    public var id: ArtID
    /// The asking node's host id.
    public var host: String
    /// The longest side that is needed, in pixels: answered with the smallest of 300 and 1024 that is not less; nil for
    /// the picture as the source has it.
    public var size: Int?
    /// Whether the asker can show WebP; nil for no.
    public var takesWebP: Bool?

    /// Makes a request.
    public init(id: ArtID, host: String, size: Int? = nil, takesWebP: Bool? = nil) {
      self.id = id
      self.host = host
      self.size = size
      self.takesWebP = takesWebP
    }
  }

  /// Refreshes sources now.
  public struct Sync: Request {
    /// The stable name.
    public static let kind = "library.sync"
    /// Asking twice does no harm, yet it is a command.
    public static let isCommand = true
    /// Answers as soon as the refresh is under way; progress is in `CatalogueState`, the end is `SyncFinished` or
    /// `SyncFailed`.
    public typealias Answer = Done
    /// The source; nil for all.
    public var source: String?
    /// Whether tracks that are not found any more may be deleted however many they are; nil for no.
    public var acceptDeletions: Bool?

    /// Makes a request.
    public init(source: String? = nil, acceptDeletions: Bool? = nil) {
      self.source = source
      self.acceptDeletions = acceptDeletions
    }
  }
}

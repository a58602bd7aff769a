public import Model

/// The requests of rooms and of the router: tracks to play, the place of their audio, and
/// the albums that a queue goes on with.
extension Library {
  /// The tracks behind ids of any kind, in the order they should play: what the router hands to a room.
  public struct ListPlayable: ReadRequest {
    public static let kind = "library.list-playable"
    /// A page of tracks with their files.
    public typealias Answer = PlayablePage
    /// Albums, tracks, artists, collections and playlists; an unknown id is refused with `library.unknownID`.
    public var ids: [PlayableID]
    /// The cursor; nil for the first page of at most 100.
    public var after: String?

    public init(ids: [PlayableID], after: String? = nil) {
      self.ids = ids
      self.after = after
    }
  }

  /// A page of tracks to play.
  public struct PlayablePage: Codable, Hashable, Sendable {
    /// The tracks in playing order, each with its file on the library's host.
    public var tracks: [PlayableTrack]
    /// The cursor of the next page; nil on the last.
    public var next: String?

    public init(tracks: [PlayableTrack], next: String?) {
      self.tracks = tracks
      self.next = next
    }
  }

  /// A track and the file of its audio.
  public struct PlayableTrack: Codable, Hashable, Sendable {
    /// The track.
    public var track: Track
    /// The file on the library's host; nil where there is none.
    public var path: LocalPath?
    /// The library's host id.
    public var host: String

    public init(track: Track, path: LocalPath?, host: String) {
      self.track = track
      self.path = path
      self.host = host
    }
  }

  /// Asks where a track's audio can be read now.
  public struct LocateTrack: ReadRequest {
    public static let kind = "library.locate-track"
    /// The location; refused with `library.unknownID` or `library.fileMissing`.
    public typealias Answer = Locator
    /// The track.
    public var id: TrackID
    /// The asking room's host id: a local path is given only to the library's own host.
    public var host: String

    public init(id: TrackID, host: String) {
      self.id = id
      self.host = host
    }
  }

  /// Asks where a picture can be read now.
  public struct LocateArt: ReadRequest {
    public static let kind = "library.locate-art"
    /// The location of the picture file; refused with `library.unknownID` or `library.fileMissing`.
    public typealias Answer = Locator
    /// The picture.
    public var id: ArtID
    /// The asking node's host id.
    public var host: String
    /// The longest side that is needed, in pixels: answered with the smallest of 300 and 1024 that is not less; nil for
    /// the picture as the source has it.
    public var size: Int?
    /// True where the asking node can show WebP; nil for no.
    public var takesWebP: Bool?

    public init(id: ArtID, host: String, size: Int? = nil, takesWebP: Bool? = nil) {
      self.id = id
      self.host = host
      self.size = size
      self.takesWebP = takesWebP
    }
  }

  /// The location of a file. It is kept in memory only.
  public enum Locator: Hashable, Sendable {
    /// A file on the asking node's own host.
    case file(LocalPath)
    /// A URL with headers. `expiresIn` says for how long from the answer on it is good; nil for as long as the source
    /// lets it be.
    case url(String, headers: [String: String], expiresIn: Milliseconds? = nil)
  }

  /// The list of albums that a person looked at when they chose one: a queue goes on with it.
  public struct AlbumList: Codable, Hashable, Sendable {
    /// The order of all albums, or of those with `tag`.
    public var sort: Sort
    /// The seed of the random order.
    public var seed: Int64?
    /// Only albums with this word; nil for all.
    public var tag: Tag?
    /// The albums of this artist instead, by year.
    public var artist: ArtistID?
    /// The albums of this collection instead, in its order.
    public var collection: CollectionID?
    /// These albums instead, in this order, at most 200: what a search found.
    public var albums: [AlbumID]?

    public init(
      sort: Sort = .name, seed: Int64? = nil, tag: Tag? = nil, artist: ArtistID? = nil, collection: CollectionID? = nil,
      albums: [AlbumID]? = nil
    ) {
      self.sort = sort
      self.seed = seed
      self.tag = tag
      self.artist = artist
      self.collection = collection
      self.albums = albums
    }
  }

  /// Lists the albums that follow one in a list. Where that one was removed meanwhile, those that follow its position,
  /// if that is known, or none.
  public struct ListNextAlbums: ReadRequest {
    public static let kind = "library.list-following"
    /// The albums, and a cursor that is not nil where there are more.
    public typealias Answer = Page<Album>
    /// The list.
    public var list: AlbumList
    /// The album.
    public var after: AlbumID
    /// The most albums; capped at 20.
    public var limit: Int

    public init(list: AlbumList, after: AlbumID, limit: Int = 4) {
      self.list = list
      self.after = after
      self.limit = limit
    }
  }

  /// Asks which tracks of a queue were removed: they are missing in the catalogue, and their source has answered since.
  public struct ListRemovedTracks: ReadRequest {
    public static let kind = "library.list-gone"
    /// The tracks that were removed for good.
    public typealias Answer = RemovedTracks
    /// The tracks, at most 500.
    public var tracks: [TrackID]

    public init(tracks: [TrackID]) { self.tracks = tracks }
  }

  /// Tracks that were removed.
  public struct RemovedTracks: Codable, Hashable, Sendable {
    /// Their ids, as they were given.
    public var tracks: [TrackID]
    /// The catalogue's generation that says so.
    public var generation: Int64

    public init(tracks: [TrackID], generation: Int64) {
      self.tracks = tracks
      self.generation = generation
    }
  }
}

extension Library.Locator: Codable {
  private struct Form: Codable {
    enum Name: String, Codable { case file, url }

    var name: Name
    var path: LocalPath?
    var url: String?
    var headers: [String: String]?
    var expiresIn: Milliseconds?
  }

  /// Reads `{"name": "file", "path": …}` or `{"name": "url", "url": …, "headers": …, "expiresIn": …}`. A location of a
  /// newer version is an error, since this version cannot read it.
  public init(from decoder: any Decoder) throws {
    let form = try Form(from: decoder)
    self =
      switch form.name {
      case .file: .file(try form.path.required(by: decoder))
      case .url: .url(try form.url.required(by: decoder), headers: form.headers ?? [:], expiresIn: form.expiresIn)
      }
  }

  /// Writes the same form.
  public func encode(to encoder: any Encoder) throws {
    let form =
      switch self {
      case .file(let path): Form(name: .file, path: path)
      case .url(let url, let headers, let time): Form(name: .url, url: url, headers: headers, expiresIn: time)
      }
    try form.encode(to: encoder)
  }
}

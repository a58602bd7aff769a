public import Model

extension Library {
  /// A list of albums that a person looked at when they chose one: what music goes on with.
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

    /// Makes a list.
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

  /// The albums that follow one in a list. Where that one is gone meanwhile, those that follow the place where it was,
  /// or else none.
  public struct ListNextAlbums: Request {
    /// The stable name.
    public static let kind = "library.list-following"
    /// It changes nothing.
    public static let isCommand = false
    /// The albums, and a cursor that is not nil where there are more.
    public typealias Answer = Page<Album>
    /// The list.
    public var list: AlbumList
    /// The album.
    public var after: AlbumID
    /// How many at most; capped at 20.
    public var limit: Int

    /// Makes a request.
    public init(list: AlbumList, after: AlbumID, limit: Int = 4) {
      self.list = list
      self.after = after
      self.limit = limit
    }
  }

  /// Which tracks of a queue no longer are: gone from the catalogue, and their source has answered since.
  public struct ListRemovedTracks: Request {
    /// The stable name.
    public static let kind = "library.list-gone"
    /// It changes nothing.
    public static let isCommand = false
    /// Those that are gone for good.
    public typealias Answer = RemovedTracks
    /// The tracks, at most 500.
    public var tracks: [TrackID]

    /// Makes a request.
    public init(tracks: [TrackID]) { self.tracks = tracks }
  }

  /// Tracks that are gone.
  public struct RemovedTracks: Codable, Hashable, Sendable {
    /// Their ids, as they were given.
    public var tracks: [TrackID]
    /// The catalogue's generation that says so.
    public var generation: Int64

    /// Makes an answer.
    public init(tracks: [TrackID], generation: Int64) {
      self.tracks = tracks
      self.generation = generation
    }
  }
}

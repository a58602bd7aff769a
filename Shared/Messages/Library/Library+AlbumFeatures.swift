public import Model

/// The facts about albums by which other services choose among them.
extension Library {
  /// Lists the albums by their ids, or those of some ids, with what other services need to choose among them. Those of
  /// some ids come in pages too where they do not fit into one answer. Since 0.2.
  public struct ListAlbumFeatures: ReadRequest {
    public static let kind = "library.list-album-features"
    /// A page of albums; refused with `library.badCursor` and `library.tooManyIDs`.
    public typealias Answer = AlbumFeaturesPage
    /// The cursor: `next` of the page before; nil for the first page.
    public var after: String?
    /// The largest number of items; at most 500.
    public var limit: Int
    /// Only these albums, at most 200; the id of a track stands for its album. Those that are not listed are left out
    /// of the pages. Nil for all.
    public var ids: [AlbumID]?

    public init(after: String? = nil, limit: Int = 500, ids: [AlbumID]? = nil) {
      self.after = after
      self.limit = limit
      self.ids = ids
    }
  }

  /// A page of albums with their history.
  public struct AlbumFeaturesPage: Codable, Hashable, Sendable {
    /// The generation of the catalogue of which the page is.
    public var generation: Int64
    /// The albums.
    public var items: [AlbumFeatures]
    /// The cursor of the next page; nil on the last.
    public var next: String?

    public init(generation: Int64, items: [AlbumFeatures], next: String? = nil) {
      self.generation = generation
      self.items = items
      self.next = next
    }
  }

  /// An album with the facts by which it may be chosen.
  public struct AlbumFeatures: Codable, Hashable, Sendable {
    /// The id.
    public var id: AlbumID
    /// The title.
    public var title: String
    /// The album artist.
    public var artist: String
    /// The artist's id; nil if the source does not give it.
    public var artistID: ArtistID?
    /// The year of the original release; nil if unknown.
    public var year: Int?
    /// The genres and styles, at most 24 of each.
    public var tags: [String]
    /// The time when the library first found it.
    public var addedAt: Timestamp
    /// The rating in half stars, 0 to 10; nil if it has none.
    public var rating: Rating?
    /// The number of plays of its tracks: those of the household and of tags, or those that a server counted, where
    /// they are more.
    public var plays: Int
    /// The time of the last play; nil if there is none.
    public var lastPlayedAt: Timestamp?
    /// The time of the first play in the household; nil if there is none.
    public var firstPlayedAt: Timestamp?
    /// The cover; nil if it has none.
    public var art: ArtID?
    /// The MusicBrainz id of its release group; nil if unknown.
    public var releaseGroup: String?
    /// The time of the last note about the album; nil if there is none.
    public var notedAt: Timestamp?
    /// The number of listeners at Last.fm of its best known track, as a Plex server gives it; nil if unknown.
    public var listeners: Int?

    public init(
      id: AlbumID, title: String, artist: String, artistID: ArtistID? = nil, year: Int? = nil, tags: [String] = [],
      addedAt: Timestamp, rating: Rating? = nil, plays: Int = 0, lastPlayedAt: Timestamp? = nil,
      firstPlayedAt: Timestamp? = nil, art: ArtID? = nil, releaseGroup: String? = nil,
      notedAt: Timestamp? = nil, listeners: Int? = nil
    ) {
      self.id = id
      self.title = title
      self.artist = artist
      self.artistID = artistID
      self.year = year
      self.tags = tags
      self.addedAt = addedAt
      self.rating = rating
      self.plays = plays
      self.lastPlayedAt = lastPlayedAt
      self.firstPlayedAt = firstPlayedAt
      self.art = art
      self.releaseGroup = releaseGroup
      self.notedAt = notedAt
      self.listeners = listeners
    }
  }
}

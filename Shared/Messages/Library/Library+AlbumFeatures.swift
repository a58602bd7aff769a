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
    public var after: String? = nil
    /// The largest number of items; at most 500.
    public var limit: Int = 500
    /// Only these albums, at most 200; the id of a track stands for its album. Those that are not listed are left out
    /// of the pages. Nil for all.
    public var ids: [AlbumID]? = nil
  }

  /// A page of albums with their history.
  public struct AlbumFeaturesPage: Codable, Hashable, Sendable {
    /// The generation of the catalogue of which the page is.
    public var generation: Int64
    /// The albums.
    public var items: [AlbumFeatures]
    /// The cursor of the next page; nil on the last.
    public var next: String? = nil
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
    public var artistID: ArtistID? = nil
    /// The year of the original release; nil if unknown.
    public var year: Int? = nil
    /// The genres and styles, at most 24 of each.
    public var tags: [String] = []
    /// The time when the library first found it.
    public var addedAt: Timestamp
    /// The rating in half stars, 0 to 10; nil if it has none.
    public var rating: Rating? = nil
    /// The number of plays of its tracks: those of the household and of tags, or those that a server counted, where
    /// they are more.
    public var plays: Int = 0
    /// The time of the last play; nil if there is none.
    public var lastPlayedAt: Timestamp? = nil
    /// The time of the first play in the household; nil if there is none.
    public var firstPlayedAt: Timestamp? = nil
    /// The cover; nil if it has none.
    public var art: ArtID? = nil
    /// The MusicBrainz id of its release group; nil if unknown.
    public var releaseGroup: String? = nil
    /// The time of the last note about the album; nil if there is none.
    public var notedAt: Timestamp? = nil
    /// The number of listeners at Last.fm of its best known track, as a Plex server gives it; nil if unknown.
    public var listeners: Int? = nil
  }
}

public import Model

/// Pages of walls and feeds, and the albums with which a queue continues.
extension Discovery {
  /// Reads a page of a wall or of a feed. The albums of a page count as shown: they are held back in later walls for
  /// some days. Where `after` is given, all fields but `count` are left out. Since 0.2.
  public struct ReadWall: ReadRequest {
    public static let kind = "discovery.read-wall"
    /// The page; refused with `discovery.badCount`, `discovery.badDial`, `discovery.badCursor`,
    /// `discovery.unknownGenre`, `discovery.notReady`.
    public typealias Answer = Wall
    /// The cursor: `next` of the page before; nil for the first page. The other fields but `count` are then left out.
    public var after: String? = nil
    /// The seed, 0 to 2^53 - 1; nil for a new wall, whose seed is drawn.
    public var seed: Int64? = nil
    /// The position of the dial, 1 to 5; nil for the stored one.
    public var dial: Int? = nil
    /// The number of albums, 1 to 200; nil for 100 on the first page of a wall and 50 on others, for 50 and 25 in
    /// feeds.
    public var count: Int? = nil
    /// The id or the name of the genre of a feed; nil for the wall.
    public var genre: String? = nil
    /// The ids or names of subcategories of the genre; nil for all of it.
    public var subcategories: [String]? = nil
  }

  /// A page of a wall or of a feed.
  public struct Wall: Codable, Hashable, Sendable {
    /// The name by which the same wall or feed is read again.
    public var name: WallName
    /// The albums, in their order.
    public var tiles: [Tile]
    /// The cursor of the next page; nil if there is no album at all.
    public var next: String?
    /// The number of the round, from 1: a new one begins after every album was shown.
    public var round: Int = 1
    /// True if the round ends with this page.
    public var endsRound: Bool = false
  }

  /// An album on a wall, with the reason why it is there.
  public struct Tile: Codable, Hashable, Sendable {
    /// The album; nil for one that is not in the library.
    public var id: AlbumID?
    /// Its title, at most 200 characters.
    public var title: String
    /// Its artist, at most 200 characters.
    public var artist: String
    /// The artist's id; nil if the source does not give it.
    public var artistID: ArtistID? = nil
    /// The year of the original release; nil if unknown.
    public var year: Int? = nil
    /// The cover; nil if it has none.
    public var art: ArtID? = nil
    /// True if the album is in the library and can be played.
    public var isOnShelf: Bool = true
    /// The kind of choice.
    public var signal: Signal
    /// The reason in one sentence.
    public var reason: String
    /// The facts behind the sentence.
    public var evidence: Evidence = .none
    /// The known details of an album that is not in the library; nil for others.
    public var missing: MissingAlbum? = nil
  }

  /// The facts for which an album was chosen. Only those that the sentence names, or that weighed in the choice, are
  /// set.
  public struct Evidence: Codable, Hashable, Sendable {
    /// No evidence.
    public static let none = Evidence()
    /// The genre or the subcategory for which it was chosen, as its name.
    public var genre: String? = nil
    /// The time of its last play.
    public var lastPlayedAt: Timestamp? = nil
    /// The number of its plays.
    public var plays: Int? = nil
    /// The person's own rating.
    public var rating: Rating? = nil
    /// The time when it was added.
    public var addedAt: Timestamp? = nil
    /// The place in the chart of its genre, from 1.
    public var place: Int? = nil
    /// The number of albums of its artist that a person likes, or rated with 4 stars or more.
    public var favouritesOfArtist: Int? = nil
    /// The number of artists of favourites that share a subcategory with it.
    public var likedArtists: Int? = nil
    /// The title of the favourite near which it is.
    public var favourite: String? = nil
    /// The name on screen of the source outside the house for which it was chosen.
    public var source: String? = nil
    /// The number of listens that the source counted in the world.
    public var listens: Int? = nil
    /// The number of listeners at Last.fm of its best known track, as a Plex server gives it.
    public var listeners: Int? = nil
    /// The time of the last note that a person wrote about it.
    public var notedAt: Timestamp? = nil
  }

  /// Lists the albums that follow one on a wall or in a feed, for the queue of a room. Disliked albums and those that
  /// left the library are passed over. Since 0.2.
  public struct ListNextAlbums: ReadRequest {
    public static let kind = "discovery.list-following"
    /// The albums; none if the album is not on the wall; refused with `discovery.badDial`, `discovery.notReady`,
    /// `discovery.unknownGenre`.
    public typealias Answer = NextAlbums
    /// The wall.
    public var wall: WallName
    /// The album.
    public var after: AlbumID
    /// The largest number of albums; at most 20.
    public var limit: Int = 5
  }

  /// The albums that follow on a wall.
  public struct NextAlbums: Codable, Hashable, Sendable {
    /// The albums in their order.
    public var albums: [AlbumID]
    /// True if there are more.
    public var hasMore: Bool
  }

  /// Shows fewer albums like one: those of its artist and those with the same subcategories are held back for 90 days.
  /// Since 0.2.
  public struct ShowLess: CommandRequest {
    public static let kind = "discovery.show-less"
    /// Answers after it is stored; refused with `discovery.unknownAlbum`.
    public typealias Answer = Done
    /// The album. Albums of its artist or with the same subcategories are held back for 90 days.
    public var album: AlbumID
    /// True to take it back; nil for false.
    public var isTakenBack: Bool? = nil
  }
}

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
    public var after: String?
    /// The seed, 0 to 2^53 - 1; nil for a new wall, whose seed is drawn.
    public var seed: Int64?
    /// The position of the dial, 1 to 5; nil for the stored one.
    public var dial: Int?
    /// The number of albums, 1 to 200; nil for 100 on the first page of a wall and 50 on others, for 50 and 25 in
    /// feeds.
    public var count: Int?
    /// The id or the name of the genre of a feed; nil for the wall.
    public var genre: String?
    /// The ids or names of subcategories of the genre; nil for all of it.
    public var subcategories: [String]?

    public init(
      after: String? = nil, seed: Int64? = nil, dial: Int? = nil, count: Int? = nil, genre: String? = nil,
      subcategories: [String]? = nil
    ) {
      self.after = after
      self.seed = seed
      self.dial = dial
      self.count = count
      self.genre = genre
      self.subcategories = subcategories
    }
  }

  /// A page of a wall or of a feed.
  public struct Wall: Codable, Hashable, Sendable {
    /// The name by which the same wall or feed is read again.
    public var name: WallName
    /// The albums, in their order.
    public var tiles: [Tile]
    /// The cursor of the next page; nil where there is no album at all.
    public var next: String?
    /// The number of the round, from 1: a new one begins after every album was shown.
    public var round: Int
    /// True if the round ends with this page.
    public var endsRound: Bool

    public init(name: WallName, tiles: [Tile], next: String?, round: Int = 1, endsRound: Bool = false) {
      self.name = name
      self.tiles = tiles
      self.next = next
      self.round = round
      self.endsRound = endsRound
    }
  }

  /// An album on a wall, with the reason why it is there.
  public struct Tile: Codable, Hashable, Sendable {
    /// The album; nil for one that is not on the shelf.
    public var id: AlbumID?
    /// Its title, at most 200 characters.
    public var title: String
    /// Its artist, at most 200 characters.
    public var artist: String
    /// The artist's id; nil if the source does not give it.
    public var artistID: ArtistID?
    /// The year of the original release; nil if unknown.
    public var year: Int?
    /// The cover; nil if it has none.
    public var art: ArtID?
    /// True if the album is in the library and can be played.
    public var isOnShelf: Bool
    /// The kind of choice.
    public var signal: Signal
    /// The reason in one sentence.
    public var reason: String
    /// The facts behind the sentence.
    public var evidence: Evidence
    /// The known details of an album that is not on the shelf; nil for others.
    public var missing: MissingAlbum?

    public init(
      id: AlbumID?, title: String, artist: String, artistID: ArtistID? = nil, year: Int? = nil, art: ArtID? = nil,
      isOnShelf: Bool = true, signal: Signal, reason: String, evidence: Evidence = Evidence(),
      missing: MissingAlbum? = nil
    ) {
      self.id = id
      self.title = title
      self.artist = artist
      self.artistID = artistID
      self.year = year
      self.art = art
      self.isOnShelf = isOnShelf
      self.signal = signal
      self.reason = reason
      self.evidence = evidence
      self.missing = missing
    }
  }

  /// The facts for which an album was chosen. Only those that the sentence names, or that weighed in the choice, are
  /// set.
  public struct Evidence: Codable, Hashable, Sendable {
    /// The genre or the subcategory for which it was chosen, as its name.
    public var genre: String?
    /// The time of its last play.
    public var lastPlayedAt: Timestamp?
    /// The number of its plays.
    public var plays: Int?
    /// The person's own rating.
    public var rating: Rating?
    /// The time when it was added.
    public var addedAt: Timestamp?
    /// The place in the chart of its genre, from 1.
    public var place: Int?
    /// The number of albums of its artist that a person likes, or rated with 4 stars or more.
    public var favouritesOfArtist: Int?
    /// The number of artists of favourites that share a subcategory with it.
    public var likedArtists: Int?
    /// The title of the favourite near which it is.
    public var favourite: String?
    /// The name on screen of the source outside the house for which it was chosen.
    public var source: String?
    /// The number of listens that the source counted in the world.
    public var listens: Int?
    /// The number of listeners at Last.fm of its best known track, as a Plex server gives it.
    public var listeners: Int?
    /// The time of the last note that a person wrote about it.
    public var notedAt: Timestamp?

    public init(
      genre: String? = nil, lastPlayedAt: Timestamp? = nil, plays: Int? = nil, rating: Rating? = nil,
      addedAt: Timestamp? = nil, place: Int? = nil, favouritesOfArtist: Int? = nil, likedArtists: Int? = nil,
      favourite: String? = nil, source: String? = nil, listens: Int? = nil, listeners: Int? = nil,
      notedAt: Timestamp? = nil
    ) {
      self.genre = genre
      self.lastPlayedAt = lastPlayedAt
      self.plays = plays
      self.rating = rating
      self.addedAt = addedAt
      self.place = place
      self.favouritesOfArtist = favouritesOfArtist
      self.likedArtists = likedArtists
      self.favourite = favourite
      self.source = source
      self.listens = listens
      self.listeners = listeners
      self.notedAt = notedAt
    }
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
    public var limit: Int

    public init(wall: WallName, after: AlbumID, limit: Int = 5) {
      self.wall = wall
      self.after = after
      self.limit = limit
    }
  }

  /// The albums that follow on a wall.
  public struct NextAlbums: Codable, Hashable, Sendable {
    /// The albums in their order.
    public var albums: [AlbumID]
    /// True if there are more.
    public var hasMore: Bool

    public init(albums: [AlbumID], hasMore: Bool) {
      self.albums = albums
      self.hasMore = hasMore
    }
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
    public var isTakenBack: Bool?

    public init(album: AlbumID, isTakenBack: Bool? = nil) {
      self.album = album
      self.isTakenBack = isTakenBack
    }
  }
}

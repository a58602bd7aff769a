/// Genres, and what is known of the service's data.
extension Discovery {
  /// Lists the genres that the library has. Since 0.2.
  public struct ListGenres: ReadRequest {
    public static let kind = "discovery.list-genres"
    /// The genres in the order of the taxonomy; refused with `discovery.notReady`.
    public typealias Answer = GenreList

    public init() {}
  }

  /// The genres of the library.
  public struct GenreList: Codable, Hashable, Sendable {
    /// The genres that have at least one album.
    public var genres: [Genre]
    /// The number of albums with tags.
    public var tagged: Int
    /// The number of albums of which a tag belongs to a genre.
    public var matched: Int
    /// The tags that belong to no genre, those of most albums first, at most 200.
    public var unmatched: [UnmatchedTag] = []
  }

  /// A genre or a subcategory, and the number of albums that it has.
  public struct Genre: Codable, Hashable, Sendable {
    /// The stable id.
    public var id: String
    /// The name for people.
    public var name: String
    /// The number of its albums.
    public var albums: Int
    /// The subcategories of a genre that have albums; nil for a subcategory.
    public var subcategories: [Genre]? = nil
  }

  /// A tag that belongs to no genre.
  public struct UnmatchedTag: Codable, Hashable, Sendable {
    /// The tag in one of its spellings.
    public var tag: String
    /// The number of albums that have it.
    public var albums: Int
  }

  /// Assigns a tag to a genre or to a subcategory, in addition to those of the taxonomy. Since 0.2.
  public struct AssignTag: CommandRequest {
    public static let kind = "discovery.assign-tag"
    /// Answers after it is stored; refused with `discovery.unknownGenre`.
    public typealias Answer = Done
    /// The tag; its spelling does not matter.
    public var tag: String
    /// The id of the genre or subcategory; nil to take the assignment back.
    public var genre: String?
  }

  /// Reads what the service knows, and how it chooses. Since 0.2.
  public struct ReadDiagnostics: ReadRequest {
    public static let kind = "discovery.read-diagnostics"
    /// The state of everything that shapes walls.
    public typealias Answer = Diagnostics

    public init() {}
  }

  /// The state of everything that shapes walls.
  public struct Diagnostics: Codable, Hashable, Sendable {
    /// The library.
    public var shelf: ShelfState
    /// The number of albums that were played.
    public var played: Int
    /// The number of albums that are rated.
    public var rated: Int
    /// The number of albums with tags.
    public var tagged: Int
    /// The number of albums of which a tag belongs to a genre.
    public var matched: Int
    /// The number of liked albums.
    public var likes: Int
    /// The number of disliked albums.
    public var dislikes: Int
    /// The number of albums that are both, which would be a fault.
    public var both: Int
    /// The number of albums that are held back, as they were shown lately or are like one of which less was wished.
    public var heldBack: Int
    /// The number of walls and feeds that are kept.
    public var walls: Int
    /// The weights of the wall at each position of the dial, with the counts of a page of 50.
    public var dials: [DialRow]
    /// The sources of data.
    public var sources: [DataSource]
  }

  /// The weights of a position of the dial.
  public struct DialRow: Codable, Hashable, Sendable {
    /// The position: 1 to 5.
    public var dial: Int
    /// Its name for people.
    public var name: String
    /// The share of each signal in percent, with the number of albums that a page of 50 has of it.
    public var shares: [Share]

    /// The share of a signal.
    public struct Share: Codable, Hashable, Sendable {
      /// The signal.
      public var signal: Signal
      /// Its share in percent.
      public var percent: Int
      /// The number of albums of a page of 50.
      public var ofFifty: Int
    }
  }
}

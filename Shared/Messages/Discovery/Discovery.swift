public import Model

/// The messages of `lunara-discovery`: one node in a household that uses it, `discovery@main`. It makes walls of albums
/// and feeds of genres from the household's own catalogue, history and ratings.
public enum Discovery {}

extension Discovery {
  /// The state of the albums from which walls are made. Since 0.2.
  public struct ShelfState: State, Hashable {
    public static let kind = "discovery.shelf"
    /// The generation of the catalogue up to which all albums were read; 0 before the first reading has ended.
    public var generation: Int64
    /// The number of albums in the library.
    public var albums: Int
    /// The position of the dial that is stored: 1 to 5.
    public var dial: Int
    /// True while the albums are being read from the library.
    public var isReading: Bool = false
    /// The error of the last reading; nil if it succeeded.
    public var problem: LunaraError? = nil
  }

  /// The kind of choice to which a tile belongs.
  public enum Signal: String, TolerantName {
    /// Albums in the genres that are played in the house.
    case history
    /// Albums that share artists, styles and years with those that a person likes.
    case recommended
    /// The albums that the household plays most.
    case charts
    /// Albums that were added or released lately.
    case new
    /// Albums that were never played, or not for a year.
    case wild
    /// Albums of some subcategories of a genre, in feeds only.
    case rotation
    /// Albums near a few favourites of a genre, in feeds only.
    case seeds
    case unknown
  }

  /// The name of a wall or of a feed: a wall is a function of these values, of the catalogue and of a person's
  /// opinions, so that everybody who knows the name sees the same albums in the same order.
  public struct WallName: Codable, Hashable, Sendable {
    /// The seed: 0 to 2^53 - 1, so that a browser can hold it.
    public var seed: Int64
    /// The position of the dial: 1 to 5.
    public var dial: Int
    /// The number of albums of the first page.
    public var first: Int
    /// The id of the genre of a feed; nil for the wall.
    public var genre: String? = nil
    /// The ids of the subcategories that were chosen in a feed; nil for all of the genre.
    public var subcategories: [String]? = nil
  }

  /// Stores the position of the dial, which walls have that name none themselves. Since 0.2.
  public struct SetDial: CommandRequest {
    public static let kind = "discovery.set-dial"
    /// Answers after it is stored; refused with `discovery.badDial`.
    public typealias Answer = Done
    /// The position: 1 to 5.
    public var dial: Int
  }
}

public import Model

/// Albums that a person may have lost sight of, each with the reason why it is shown, and an album by chance.
extension Library {
  /// Reads the shelves of a day: albums that a person may have lost sight of, none of them on two shelves. They depend
  /// on the day and on the library's own data only. Since 0.2.
  public struct ReadRediscovery: ReadRequest {
    public static let kind = "library.read-rediscovery"
    /// The shelves; refused with `library.badDay`.
    public typealias Answer = RediscoveryDay
    /// The day, such as `2026-11-26`; nil for today in the library's time zone.
    public var day: String? = nil
    /// The largest number of albums of a shelf; at most 24.
    public var limit: Int = 12
  }

  /// The shelves of a day. No album is on two of them.
  public struct RediscoveryDay: Codable, Hashable, Sendable {
    /// The day, such as `2026-11-26`.
    public var day: String
    /// The shelves that have albums, in the order in which they are shown.
    public var shelves: [RediscoveryShelf]
  }

  /// A shelf of rediscovered albums.
  public struct RediscoveryShelf: Codable, Hashable, Sendable {
    /// The kind of shelf.
    public var shelf: RediscoveryKind
    /// The title, for people.
    public var title: String
    /// The rule by which albums come here, as a sentence.
    public var reason: String
    /// The albums, each with its own reason.
    public var items: [ExplainedAlbum]
  }

  /// The kinds of shelves.
  public enum RediscoveryKind: String, TolerantName {
    /// One album, drawn for the day.
    case chance
    /// Albums that were first played, added, released or written about on this day of the calendar.
    case onThisDay = "on-this-day"
    /// Loved albums that were not played for half a year.
    case forgotten
    /// Albums that were begun and not finished.
    case halfHeard = "half-heard"
    /// Albums that were never played.
    case unheard
    /// Other albums by artists who are played.
    case deepArtist = "deep-artist"
    case unknown
  }

  /// An album with the reason why it is shown.
  public struct ExplainedAlbum: Codable, Hashable, Sendable {
    /// The album.
    public var album: Album
    /// The reason, as a sentence: for a drawn album how it was drawn and when it was played last.
    public var reason: String
  }

  /// Draws an album by chance. Albums that were not played lately are drawn more often. The library remembers what it
  /// has drawn until it ends, and draws none of that soon again. Since 0.2.
  public struct DrawAlbum: ReadRequest {
    public static let kind = "library.draw-album"
    /// The album; refused with `library.noAlbums`.
    public typealias Answer = ExplainedAlbum

    public init() {}
  }
}

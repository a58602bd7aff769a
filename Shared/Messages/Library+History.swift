public import Model

/// The history of what was heard.
extension Library {
  /// One listen as the library keeps it.
  public struct Play: Codable, Hashable, Sendable {
    /// The listen.
    public var listen: ListenID
    /// The track as it was known then.
    public var track: Track
    /// Where it was heard.
    public var room: RoomName
    /// When it began.
    public var startedAt: Timestamp
    /// How much of it was heard.
    public var heard: Milliseconds
    /// Whether enough was heard for it to count.
    public var counted: Bool
    /// Whether it was left before its end and did not count.
    public var skipped: Bool

    /// Makes a play.
    public init(
      listen: ListenID, track: Track, room: RoomName, startedAt: Timestamp, heard: Milliseconds, counted: Bool,
      skipped: Bool
    ) {
      self.listen = listen
      self.track = track
      self.room = room
      self.startedAt = startedAt
      self.heard = heard
      self.counted = counted
      self.skipped = skipped
    }
  }

  /// Which plays are meant; every part that is set narrows it.
  public struct PlayFilter: Codable, Hashable, Sendable {
    /// Only this track.
    public var track: TrackID?
    /// Only tracks of this album.
    public var album: AlbumID?
    /// Only tracks of this artist's albums.
    public var artist: ArtistID?
    /// Only what was heard here.
    public var room: RoomName?
    /// Only what began then or later.
    public var since: Timestamp?
    /// Only what began before then.
    public var until: Timestamp?

    /// Makes a filter.
    public init(
      track: TrackID? = nil, album: AlbumID? = nil, artist: ArtistID? = nil, room: RoomName? = nil,
      since: Timestamp? = nil, until: Timestamp? = nil
    ) {
      self.track = track
      self.album = album
      self.artist = artist
      self.room = room
      self.since = since
      self.until = until
    }
  }

  /// A page of what was heard, newest first.
  public struct ListPlays: Request {
    /// The stable name.
    public static let kind = "library.list-plays"
    /// It changes nothing.
    public static let isCommand = false
    /// The newest first.
    public typealias Answer = Page<Play>
    /// Which ones.
    public var filter: PlayFilter
    /// Where to go on; nil for the first page.
    public var after: String?
    /// How many at most; capped at 200.
    public var limit: Int

    /// Makes a request.
    public init(filter: PlayFilter = PlayFilter(), after: String? = nil, limit: Int = 50) {
      self.filter = filter
      self.after = after
      self.limit = limit
    }
  }

  /// How often things were heard.
  public struct CountPlays: Request {
    /// The stable name.
    public static let kind = "library.count-plays"
    /// It changes nothing.
    public static let isCommand = false
    /// The most heard first.
    public typealias Answer = PlayCounts
    /// Which plays count.
    public var filter: PlayFilter
    /// What they are counted by.
    public var by: Dimension
    /// How many rows at most; capped at 500.
    public var limit: Int

    /// Makes a request.
    public init(filter: PlayFilter = PlayFilter(), by dimension: Dimension, limit: Int = 100) {
      self.filter = filter
      by = dimension
      self.limit = limit
    }

    /// What plays are counted by.
    public enum Dimension: String, Codable, Sendable {
      /// By track.
      case track
      /// By album.
      case album
      /// By album artist.
      case artist
      /// By day, in the library's time zone.
      case day
      /// By room.
      case room
    }
  }

  /// Counts of plays.
  public struct PlayCounts: Codable, Hashable, Sendable {
    /// The rows, the most heard first; days in order.
    public var rows: [Row]

    /// Makes counts.
    public init(rows: [Row]) { self.rows = rows }

    /// One thing and how often it was heard.
    public struct Row: Codable, Hashable, Sendable {
      /// Its id, the room's name, or the day as `2026-11-20`.
      public var key: String
      /// What people call it.
      public var title: String
      /// How often it counted.
      public var plays: Int
      /// How often it was left early.
      public var skips: Int
      /// When it was last heard; nil where it only was skipped.
      public var lastPlayedAt: Timestamp?

      /// Makes a row.
      public init(key: String, title: String, plays: Int, skips: Int, lastPlayedAt: Timestamp?) {
        self.key = key
        self.title = title
        self.plays = plays
        self.skips = skips
        self.lastPlayedAt = lastPlayedAt
      }
    }
  }
}

public import Model

/// The history of listens.
extension Library {
  /// A listen in the library's history.
  public struct Play: Codable, Hashable, Sendable {
    /// The listen.
    public var listen: ListenID
    /// The track with the tags that it had at the time.
    public var track: Track
    /// The room in which it was played.
    public var room: RoomName
    /// The time when it began.
    public var startedAt: Timestamp
    /// The time for which it was played.
    public var heard: Milliseconds
    /// True if enough was played for it to count.
    public var counted: Bool
    /// True if it was left before its end and did not count.
    public var skipped: Bool
  }

  /// A selection of plays: those that match all fields that are set. All given members must match.
  public struct PlayFilter: Codable, Hashable, Sendable {
    /// The selection of all plays.
    public static let all = PlayFilter()
    /// Only this track.
    public var track: TrackID? = nil
    /// Only tracks of this album.
    public var album: AlbumID? = nil
    /// Only tracks of this artist's albums.
    public var artist: ArtistID? = nil
    /// Only plays in this room.
    public var room: RoomName? = nil
    /// Only plays that began at this time or later.
    public var since: Timestamp? = nil
    /// Only plays that began before this time.
    public var until: Timestamp? = nil
  }

  /// Lists plays, newest first.
  public struct ListPlays: ReadRequest {
    public static let kind = "library.list-plays"
    /// A page of plays, newest first; refused with `library.unknownID`, `library.badCursor`.
    public typealias Answer = Page<Play>
    /// The selection.
    public var filter: PlayFilter = .all
    /// The cursor: `next` of the page before; nil for the first page.
    public var after: String? = nil
    /// The largest number of items; at most 200.
    public var limit: Int = 50
  }

  /// Counts plays.
  public struct CountPlays: ReadRequest {
    public static let kind = "library.count-plays"
    /// The counts, the most played first; refused with `library.unknownID`.
    public typealias Answer = PlayCounts
    /// The selection of plays.
    public var filter: PlayFilter = .all
    /// The dimension by which the plays are counted.
    public var by: Dimension
    /// The largest number of rows; at most 500.
    public var limit: Int = 100

    /// The dimensions by which plays can be counted.
    public enum Dimension: String, Codable, Sendable {
      case track
      case album
      /// By album artist.
      case artist
      /// By day, in the library's time zone.
      case day
      case room
    }
  }

  /// Counts of plays.
  public struct PlayCounts: Codable, Hashable, Sendable {
    /// The rows, the most played first; days in order.
    public var rows: [Row]

    /// One item and its numbers of plays.
    public struct Row: Codable, Hashable, Sendable {
      /// The item's id, the room's name, or the day as `2026-11-20`.
      public var key: String
      /// The item's title, or the name of the room or the day.
      public var title: String
      /// The number of plays that counted.
      public var plays: Int
      /// The number of plays that were left early.
      public var skips: Int
      /// The time when it was last played; nil if it was only skipped.
      public var lastPlayedAt: Timestamp?
    }
  }

  /// Reads what was played most, and last, of the listens that may be named to others: those that counted and that no
  /// private listening and no filter holds back. Listens of earlier versions, of which that is not known, are left out.
  /// Since 0.2.
  public struct ReadListeningContext: ReadRequest {
    public static let kind = "library.read-listening-context"
    /// The music.
    public typealias Answer = ListeningContext

    public init() {}
  }

  /// The music that was played most in some periods, and last.
  public struct ListeningContext: Codable, Hashable, Sendable {
    /// A track or an album by its title and artist.
    public struct Title: Codable, Hashable, Sendable {
      /// The title.
      public var title: String
      /// The artist; for an album the album's.
      public var artist: String
    }

    /// The music that was played most in a period. Nothing that a shorter period names is named again.
    public struct Period: Codable, Hashable, Sendable {
      /// The number of days up to now; nil for ever.
      public var days: Int?
      /// The artists, at most 10.
      public var artists: [String]
      /// The tracks, at most 15.
      public var tracks: [Title]
      /// The albums, at most 10.
      public var albums: [Title]
    }

    /// The last 7 days, 30 days, 183 days, and ever.
    public var periods: [Period]
    /// The tracks of the last listens, at most 50, the newest first.
    public var recent: [Title]
  }
}

public import Model

/// Statistics of the history: what was played in a period, by the library's own counts.
extension Library {
  /// Reads what was played in a period, how long and when. Days are those of the library's time zone. Only listens that
  /// counted are in it, but for `heard` of the sums and `skips`. Since 0.3.
  public struct ReadStatistics: ReadRequest {
    public static let kind = "library.read-statistics"
    /// The statistics; refused with `library.badDay`.
    public typealias Answer = Statistics
    /// The first day as `2026-01-01`, in the library's time zone; nil for all days from the first listen on.
    public var from: String? = nil
    /// The last day as `2026-12-31`; nil for today.
    public var to: String? = nil
    /// The largest number of rows of each list; at most 100.
    public var limit: Int = 10
  }

  /// The statistics of a period. Only listens that counted are in them, unless stated otherwise.
  public struct Statistics: Codable, Hashable, Sendable {
    /// The first day, as `2026-01-01`.
    public var from: String
    /// The last day.
    public var to: String
    /// The day of the first listen of the whole history; nil if there is none.
    public var firstDay: String? = nil
    /// The sums of the period.
    public var totals: Totals = .zero
    /// The sums of the period of the same length before it; nil for the whole history.
    public var before: Totals? = nil
    /// The artists that were played most.
    public var artists: [Row] = []
    /// The albums that were played most.
    public var albums: [Row] = []
    /// The tracks that were played most.
    public var tracks: [Row] = []
    /// The genres that were played most, by the tags of the albums. An album with several genres counts for each.
    public var genres: [Row] = []
    /// The albums of the period that had not been played for a year or more before it, the longest first.
    public var rediscovered: [Row] = []
    /// The sums by day, month or year, in order; periods without listens are there too.
    public var steps: [Step] = []
    /// The time heard by the hour of the day in which a listen began: 24 numbers.
    public var hours: [Milliseconds] = []
    /// The time heard by the day of the week, Monday first: 7 numbers.
    public var weekdays: [Milliseconds] = []

    /// Sums of a period.
    public struct Totals: Codable, Hashable, Sendable {
      /// The sums of no listens.
      public static let zero = Totals()
      /// The number of listens that counted.
      public var plays: Int = 0
      /// The number of listens that were left early.
      public var skips: Int = 0
      /// The time heard, of all listens.
      public var heard: Milliseconds = Milliseconds(0)
      /// The number of artists.
      public var artists: Int = 0
      /// The number of albums.
      public var albums: Int = 0
      /// The number of tracks.
      public var tracks: Int = 0
      /// The number of tracks that were played for the first time.
      public var firstHeard: Int = 0
      /// The number of days with a listen.
      public var days: Int = 0
    }

    /// An item of a list.
    public struct Row: Codable, Hashable, Sendable {
      /// The id of the artist, album or track, or the genre.
      public var key: String
      /// The name or title.
      public var title: String
      /// The artist of an album or track; nil for others.
      public var artist: String? = nil
      /// The cover of an album, of a track's album, or of an artist; nil if there is none.
      public var art: ArtID? = nil
      /// The number of plays.
      public var plays: Int
      /// The time heard.
      public var heard: Milliseconds
      /// The last play before the period; nil but for rediscovered albums.
      public var lastBefore: Timestamp? = nil
      /// False if it is no longer in the library; nil for true.
      public var isHere: Bool? = nil
    }

    /// A day, month or year of the period.
    public struct Step: Codable, Hashable, Sendable {
      /// The day as `2026-11-20`, the month as `2026-11`, or the year as `2026`: days for periods of up to 62 days,
      /// months for periods of up to 5 years.
      public var name: String
      /// The number of plays.
      public var plays: Int
      /// The time heard.
      public var heard: Milliseconds
      /// The plays by genre, for the genres of the statistics in their order.
      public var genres: [Int] = []
    }
  }
}

extension Resolver {
  /// A concert.
  public struct Concert: Codable, Hashable, Sendable {
    /// The artist for whom it was found.
    public var artist: String
    /// Its title; nil if it has none but the artist.
    public var title: String? = nil
    /// The day at its place, such as `2027-03-01`.
    public var date: String
    /// The time of the clock at its place, such as `20:00`; nil if unknown.
    public var time: String? = nil
    /// The name of the place; nil if unknown.
    public var venue: String? = nil
    /// The city; nil if unknown.
    public var city: String? = nil
    /// The region or state; nil if unknown.
    public var region: String? = nil
    /// The country; nil if unknown.
    public var country: String? = nil
    /// The degrees north of the equator; nil if unknown.
    public var latitude: Double? = nil
    /// The degrees east of Greenwich; nil if unknown.
    public var longitude: Double? = nil
    /// The artists who play.
    public var lineup: [String] = []
    /// The pages that sell tickets.
    public var tickets: [Ticket] = []
    /// The page about it; nil if there is none.
    public var url: String? = nil

    /// A page that sells tickets.
    public struct Ticket: Codable, Hashable, Sendable {
      /// The plugin that found it.
      public var plugin: PluginName
      /// The address.
      public var url: String
    }
  }

  /// Lists concerts of an artist, or of those that were played in the last six months, from today on. Answers are kept
  /// for a day; what is older is asked for again while it is shown. Since 0.2.
  public struct ListConcerts: ReadRequest {
    public static let kind = "resolver.list-concerts"
    /// The concerts; refused with `resolver.noConcerts` where no plugin finds any.
    public typealias Answer = ConcertList
    /// The artist; nil for the 50 that were played most in the last six months.
    public var artist: String? = nil
  }

  /// Concerts by their dates.
  public struct ConcertList: Codable, Hashable, Sendable {
    /// The concerts from today on, the next one first.
    public var concerts: [Concert]
    /// The number of artists of whom concerts are known, or known to be none.
    public var artists: Int
    /// The number of artists for whom plugins are being asked now.
    public var waiting: Int = 0
    /// The plugins that failed.
    public var failures: [PluginFailure] = []
  }
}

public import Model

/// What services are told of loved tracks.
extension Scrobble {
  /// A service will not take that a track is loved, or no longer is; it waits for a person.
  public struct LoveFailed: Fact {
    /// The stable name.
    public static let kind = "scrobble.love-parked"
    /// A notice for people; the list of failed loves says the same.
    public static let survives = Durability.process
    /// What it does not take.
    public var love: FailedLove

    /// Makes the fact.
    public init(_ love: FailedLove) { self.love = love }
  }

  /// Reads what services did not take. `scrobble.retry` and `scrobble.drop` of all have it told again, or give it up.
  public struct ListFailedLoves: Request {
    /// The stable name.
    public static let kind = "scrobble.list-failed-loves"
    /// It changes nothing.
    public static let isCommand = false
    /// What they did not take.
    public typealias Answer = FailedLoves
    /// How many at most; capped at 200.
    public var limit: Int

    /// Makes a request.
    public init(limit: Int = 50) { self.limit = limit }
  }

  /// What services did not take.
  public struct FailedLoves: Codable, Hashable, Sendable {
    /// How many there are in all.
    public var count: Int
    /// The first of them, by account.
    public var items: [FailedLove]

    /// Makes an answer.
    public init(count: Int, items: [FailedLove]) {
      self.count = count
      self.items = items
    }
  }

  /// A love that one account's service did not take.
  public struct FailedLove: Codable, Hashable, Sendable {
    /// `lastfm` or `listenbrainz`.
    public var service: String
    /// The account's name.
    public var account: String
    /// The title of the track.
    public var title: String
    /// Its artist.
    public var artist: String
    /// Whether it is loved, as opposed to no longer.
    public var isLoved: Bool
    /// Why, in the service's words where it has any.
    public var reason: String

    /// Makes one.
    public init(service: String, account: String, title: String, artist: String, isLoved: Bool, reason: String) {
      self.service = service
      self.account = account
      self.title = title
      self.artist = artist
      self.isLoved = isLoved
      self.reason = reason
    }
  }
}

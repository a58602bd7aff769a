public import Model

/// The messages of `lunara-scrobble`: one node in a household, `scrobble@main`.
public enum Scrobble {}

extension Scrobble {
  /// A listen counts, as enough of the track was heard. Published once for each listen.
  public struct ListenCounted: Fact {
    public static let kind = "scrobble.listen-counted"
    /// Counts survive a power cut.
    public static let survives = Durability.power
    /// The listen.
    public var subject: Playback.ListenSubject
    /// The time heard when it counted.
    public var heard: Milliseconds
    /// The reason why it is sent nowhere: `private`, or a filter such as `artist: Ada`; nil if it is sent. A private
    /// listen must not be reported outside the household.
    public var withheld: String? = nil

    /// True if it was heard during private listening.
    public var isPrivate: Bool { withheld == "private" }
  }

  /// The state of the outbox.
  public struct OutboxState: State, Hashable {
    public static let kind = "scrobble.outbox"
    /// The number of all listens that have ever counted.
    public var counted: Int
    /// The number of deliveries that wait for an account or a server.
    public var pending: Int
    /// The number of deliveries that were refused and wait for a person.
    public var failed: Int
    /// The accounts, by service and name; nil from an older scrobbler.
    public var accounts: [Account]? = nil
    /// The end of private listening, which may be past; nil if listening is not private.
    public var privateUntil: Timestamp? = nil
    /// The number of loves that services refused and that wait for a person; nil from an older scrobbler.
    public var failedLoves: Int? = nil
  }

  /// Reads the listens that counted, newest first.
  public struct ListScrobbles: ReadRequest {
    public static let kind = "scrobble.list-scrobbles"
    /// A page of scrobbles, newest first; refused with `scrobble.badCursor`.
    public typealias Answer = Library.Page<Entry>
    /// The scrobbles to list.
    public var filter: Filter = .all
    /// The largest number of scrobbles; at most 200.
    public var limit: Int = 50
    /// The cursor: `next` of the page before; nil for the first page.
    public var after: String? = nil

    /// A selection of scrobbles.
    public enum Filter: String, Codable, Sendable {
      case all
      /// Scrobbles with a delivery that is not sent yet.
      case pending
      /// Scrobbles with a delivery that was refused.
      case failed
    }
  }

  /// A listen that counted, with its deliveries.
  public struct Entry: Codable, Hashable, Sendable {
    /// The listen.
    public var listen: ListenID
    /// The room it was heard in.
    public var room: RoomName
    /// The track.
    public var track: Track
    /// The time when it began.
    public var startedAt: Timestamp
    /// The time heard so far.
    public var heard: Milliseconds
    /// The deliveries; empty if no account is set up.
    public var destinations: [Destination]
    /// The reason why it is sent nowhere: `private`, `imported`, or a filter such as `artist: Ada`; nil if it is sent.
    public var withheld: String? = nil
  }

  /// One delivery of a listen to an account.
  public struct Destination: Codable, Hashable, Sendable {
    /// The kind of service, such as `lastfm`.
    public var service: String
    /// The account's name.
    public var account: String
    /// `pending`, `paused` while its account is off or needs a person, `sent` or `failed`.
    public var state: String
    /// The number of attempts.
    public var attempts: Int
    /// The service's last answer; nil if there is none yet.
    public var answer: String?
  }
}

/// Private listening and filters.
extension Scrobble {
  /// Begins or ends private listening, during which no listen is sent anywhere.
  public struct SetPrivate: CommandRequest {
    public static let kind = "scrobble.set-private"
    /// The state afterwards.
    public typealias Answer = PrivateState
    /// The time from now on for which nothing that is heard is sent to any service; nil to end private listening.
    public var duration: Milliseconds?

    public init(for duration: Milliseconds?) { self.duration = duration }
  }

  /// The state of private listening.
  public struct PrivateState: Codable, Hashable, Sendable {
    /// The end of private listening; nil if listening is not private.
    public var until: Timestamp?
  }

  /// Asks if a track that plays now may be named to services outside the household. Since 0.2.
  public struct ReadWithheld: ReadRequest {
    public static let kind = "scrobble.read-withheld"
    /// The reason why it may not be named.
    public typealias Answer = WithheldReason
    /// A track that plays now.
    public var track: Track
    /// The room in which it plays.
    public var room: RoomName
  }

  /// The reason why a track may not be named to others.
  public struct WithheldReason: Codable, Hashable, Sendable {
    /// `private`, or a filter such as `artist: Ada`; nil if it may be named.
    public var reason: String?
  }

  /// A filter: tracks that match it are not sent.
  public struct Filter: Codable, Hashable, Sendable {
    /// The property that is compared: `source`, `section`, `room`, `artist` (of the track or the album) or `genre`.
    public var kind: String
    /// The value to compare with; case and diacritics are ignored.
    public var value: String
  }

  /// Reads and changes the filters; with no filters it only reads them.
  public struct ChangeFilters: CommandRequest {
    public static let kind = "scrobble.change-filters"
    /// The filters afterwards; refused with `scrobble.badFilter`.
    public typealias Answer = FilterList
    /// The filters to add.
    public var add: [Filter] = []
    /// The filters to remove.
    public var remove: [Filter] = []
  }

  /// The filters.
  public struct FilterList: Codable, Hashable, Sendable {
    /// The filters, by kind and value.
    public var filters: [Filter]
  }
}

public import Model

/// The messages of `lunara-scrobble`: one node a household, `scrobble@main`.
public enum Scrobble {}

extension Scrobble {
  /// A listen counts: enough of the track was heard. Reported once a listen.
  public struct ListenCounted: Fact {
    public static let kind = "scrobble.listen-counted"
    /// Counts survive a power cut.
    public static let survives = Durability.power
    /// The listen.
    public var subject: Playback.ListenSubject
    /// The time heard when it counted.
    public var heard: Milliseconds
    /// The reason why it is sent nowhere: `private`, or a filter as `artist: Ada`; nil where it is sent. A private
    /// listen is reported to nobody outside the household.
    public var withheld: String?

    public init(subject: Playback.ListenSubject, heard: Milliseconds, withheld: String? = nil) {
      self.subject = subject
      self.heard = heard
      self.withheld = withheld
    }

    /// True where it was heard in private.
    public var isPrivate: Bool { withheld == "private" }
  }

  /// The state of the outbox.
  public struct OutboxState: State {
    public static let kind = "scrobble.outbox"
    /// The number of listens that counted, ever.
    public var counted: Int
    /// The number of deliveries that wait for an account or a server.
    public var pending: Int
    /// The number of deliveries that were refused and wait for a person.
    public var failed: Int
    /// The accounts, by service and name; nil from an older scrobbler.
    public var accounts: [Account]?
    /// The end of private listening, which may be past; nil where listening is not private.
    public var privateUntil: Timestamp?
    /// The number of loves that services refused and that wait for a person; nil from an older scrobbler.
    public var failedLoves: Int?

    public init(
      counted: Int, pending: Int, failed: Int, accounts: [Account]? = nil, privateUntil: Timestamp? = nil,
      failedLoves: Int? = nil
    ) {
      self.counted = counted
      self.pending = pending
      self.failed = failed
      self.accounts = accounts
      self.privateUntil = privateUntil
      self.failedLoves = failedLoves
    }
  }

  /// Reads the listens that counted, newest first.
  public struct ListScrobbles: ReadRequest {
    public static let kind = "scrobble.list-scrobbles"
    /// A page of scrobbles, newest first.
    public typealias Answer = Library.Page<Entry>
    /// The scrobbles to list.
    public var filter: Filter
    /// The most scrobbles to return; capped at 200.
    public var limit: Int
    /// The cursor of the page: `next` of the page before; nil for the first page.
    public var after: String?

    public init(filter: Filter = .all, limit: Int = 50, after: String? = nil) {
      self.filter = filter
      self.limit = limit
      self.after = after
    }

    /// A selection of scrobbles.
    public enum Filter: String, Codable, Sendable {
      case all
      /// Those with a delivery still to come.
      case pending
      /// Those with a delivery that was refused.
      case failed
    }
  }

  /// One listen that counted and where it was sent.
  public struct Entry: Codable, Hashable, Sendable {
    /// The listen.
    public var listen: ListenID
    /// The room it was heard in.
    public var room: RoomName
    /// The track.
    public var track: Track
    /// The time at which it began.
    public var startedAt: Timestamp
    /// The time heard so far.
    public var heard: Milliseconds
    /// Its deliveries; empty where no account is set up.
    public var destinations: [Destination]
    /// The reason why it is sent nowhere: `private`, `imported`, or a filter as `artist: Ada`; nil where it is sent.
    public var withheld: String?

    public init(
      listen: ListenID, room: RoomName, track: Track, startedAt: Timestamp, heard: Milliseconds,
      destinations: [Destination], withheld: String? = nil
    ) {
      self.listen = listen
      self.room = room
      self.track = track
      self.startedAt = startedAt
      self.heard = heard
      self.destinations = destinations
      self.withheld = withheld
    }
  }

  /// One delivery of one listen to one account.
  public struct Destination: Codable, Hashable, Sendable {
    /// The kind of service, such as `lastfm`.
    public var service: String
    /// The account's name.
    public var account: String
    /// `pending`, `paused` while its account is off or needs a person, `sent` or `failed`.
    public var state: String
    /// The number of attempts.
    public var attempts: Int
    /// The service's last answer; nil where there is none yet.
    public var answer: String?

    public init(service: String, account: String, state: String, attempts: Int, answer: String?) {
      self.service = service
      self.account = account
      self.state = state
      self.attempts = attempts
      self.answer = answer
    }
  }
}

/// Private listening and filters.
extension Scrobble {
  /// Begins or ends private listening, during which nothing that is heard is sent anywhere.
  public struct SetPrivate: CommandRequest {
    public static let kind = "scrobble.set-private"
    /// The state afterwards.
    public typealias Answer = PrivateState
    /// The length of it from now on; nil ends it.
    public var duration: Milliseconds?

    public init(for duration: Milliseconds?) { self.duration = duration }
  }

  /// The state of private listening.
  public struct PrivateState: Codable, Hashable, Sendable {
    /// The end of it; nil where listening is not private.
    public var until: Timestamp?

    public init(until: Timestamp?) { self.until = until }
  }

  /// A filter: tracks that match it are not sent.
  public struct Filter: Codable, Hashable, Sendable {
    /// The property that is compared: `source`, `section`, `room`, `artist` (of the track or the album) or `genre`.
    public var kind: String
    /// The value to compare with; case and marks do not matter.
    public var value: String

    public init(kind: String, value: String) {
      self.kind = kind
      self.value = value
    }
  }

  /// Reads and changes the filters.
  public struct ChangeFilters: CommandRequest {
    public static let kind = "scrobble.change-filters"
    /// The filters afterwards; refused with `scrobble.badFilter`.
    public typealias Answer = FilterList
    /// The filters to add.
    public var add: [Filter]
    /// The filters to remove.
    public var remove: [Filter]

    /// Makes a request; one without either just reads them.
    public init(add: [Filter] = [], remove: [Filter] = []) {
      self.add = add
      self.remove = remove
    }
  }

  /// The filters.
  public struct FilterList: Codable, Hashable, Sendable {
    /// The filters, by kind and value.
    public var filters: [Filter]

    public init(filters: [Filter]) { self.filters = filters }
  }
}

public import Model

/// The messages of `lunara-scrobble`: one node a household, `scrobble@main`.
public enum Scrobble {}

extension Scrobble {
  /// A listen counts: enough of the track was heard. Said once a listen.
  public struct ListenCounted: Fact {
    /// The stable name.
    public static let kind = "scrobble.listen-counted"
    /// Counts survive a power cut.
    public static let survives = Durability.power
    /// The listen.
    public var subject: Playback.ListenSubject
    /// How much was heard when it counted.
    public var heard: Milliseconds
    /// Why it is sent nowhere: `private`, or a filter as `artist: Ada`; nil where nothing keeps it. What is private is
    /// told to nobody outside the household.
    public var withheld: String?

    /// Makes the fact.
    public init(subject: Playback.ListenSubject, heard: Milliseconds, withheld: String? = nil) {
      self.subject = subject
      self.heard = heard
      self.withheld = withheld
    }

    /// Whether it was heard in private.
    public var isPrivate: Bool { withheld == "private" }
  }

  /// How the outbox stands.
  public struct OutboxState: State {
    /// The stable name.
    public static let kind = "scrobble.outbox"
    /// Listens that counted, ever.
    public var counted: Int
    /// Deliveries that wait for an account or a server.
    public var pending: Int
    /// Deliveries that were refused and wait for a person.
    public var failed: Int
    /// The accounts, by service and name; nil from an older scrobbler.
    public var accounts: [Account]?
    /// Until when nothing that is heard is sent anywhere; nil where it is. It may be past.
    public var privateUntil: Timestamp?
    /// Loves that services did not take and that wait for a person; nil from an older scrobbler.
    public var failedLoves: Int?

    /// Makes a state.
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

  /// Reads what counted, newest first.
  public struct ListScrobbles: Request {
    /// The stable name.
    public static let kind = "scrobble.list-scrobbles"
    /// It changes nothing.
    public static let isCommand = false
    /// The newest first.
    public typealias Answer = ScrobblePage
    /// Which ones.
    public var filter: Filter
    /// How many at most; capped at 200.
    public var limit: Int
    /// Where to go on: `next` of the page before; nil for the first page.
    public var after: String?

    /// Makes a request.
    public init(filter: Filter = .all, limit: Int = 50, after: String? = nil) {
      self.filter = filter
      self.limit = limit
      self.after = after
    }

    /// Which scrobbles to list.
    public enum Filter: String, Codable, Sendable {
      /// All that counted.
      case all
      /// Those with a delivery still to come.
      case pending
      /// Those with a delivery that was refused.
      case failed
    }
  }

  /// A page of scrobbles.
  public struct ScrobblePage: Codable, Hashable, Sendable {
    /// The newest first.
    public var items: [Entry]
    /// The cursor of the next page; nil on the last.
    public var next: String?

    /// Makes a page.
    public init(items: [Entry], next: String?) {
      self.items = items
      self.next = next
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
    /// When it began.
    public var startedAt: Timestamp
    /// How much of it was heard so far.
    public var heard: Milliseconds
    /// Its deliveries; empty where no account is set up.
    public var destinations: [Destination]
    /// Why it goes nowhere: `private`, `imported`, or a filter as `artist: Ada`; nil where nothing keeps it.
    public var withheld: String?

    /// Makes an entry.
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
    /// `lastfm` or `listenbrainz`.
    public var service: String
    /// The account's name.
    public var account: String
    /// `pending`, `paused` where its account is off or needs a person, `sent` or `failed`.
    public var state: String
    /// How often it was tried.
    public var attempts: Int
    /// What the service last answered; nil where nothing yet.
    public var answer: String?

    /// Makes a delivery.
    public init(service: String, account: String, state: String, attempts: Int, answer: String?) {
      self.service = service
      self.account = account
      self.state = state
      self.attempts = attempts
      self.answer = answer
    }
  }
}

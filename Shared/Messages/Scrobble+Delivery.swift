public import Model

/// What becomes of what counted.
extension Scrobble {
  /// An account's service has answered for listens.
  public struct DeliverySent: Fact {
    /// The stable name.
    public static let kind = "scrobble.sent"
    /// A notice for people; the list of scrobbles says the same.
    public static let survives = Durability.process
    /// `lastfm` or `listenbrainz`.
    public var service: String
    /// The account's name.
    public var account: String
    /// The listens, at most 100.
    public var listens: [ListenID]

    /// Makes the fact.
    public init(service: String, account: String, listens: [ListenID]) {
      self.service = service
      self.account = account
      self.listens = listens
    }
  }

  /// A service will not take a listen; it waits for a person.
  public struct DeliveryFailed: Fact {
    /// The stable name.
    public static let kind = "scrobble.parked"
    /// A notice for people; the list of scrobbles says the same.
    public static let survives = Durability.process
    /// `lastfm` or `listenbrainz`.
    public var service: String
    /// The account's name.
    public var account: String
    /// The listen.
    public var listen: ListenID
    /// The title of its track.
    public var title: String
    /// The artist of its track.
    public var artist: String
    /// Why, in the service's words where it has any.
    public var reason: String

    /// Makes the fact.
    public init(service: String, account: String, listen: ListenID, title: String, artist: String, reason: String) {
      self.service = service
      self.account = account
      self.listen = listen
      self.title = title
      self.artist = artist
      self.reason = reason
    }
  }

  /// An account stands still until a person does something, or goes on again.
  public struct AccountPaused: Fact {
    /// The stable name.
    public static let kind = "scrobble.paused"
    /// A notice for people; the state of the outbox says the same.
    public static let survives = Durability.process
    /// `lastfm` or `listenbrainz`.
    public var service: String
    /// The account's name.
    public var account: String
    /// Why, and what to do: `scrobble.signedOut`, `scrobble.refused`; nil where it goes on.
    public var error: LunaraError?

    /// Makes the fact.
    public init(service: String, account: String, error: LunaraError?) {
      self.service = service
      self.account = account
      self.error = error
    }
  }

  /// Has failed deliveries, and accounts that stand still, tried again at once.
  public struct RetryDeliveries: Request {
    /// The stable name.
    public static let kind = "scrobble.retry"
    /// It makes deliveries due.
    public static let isCommand = true
    /// How many were failed; refused with `scrobble.unknownListen` for one that never counted.
    public typealias Answer = DeliveryCount
    /// Only this listen; nil for all.
    public var listen: ListenID?

    /// Makes a request.
    public init(listen: ListenID? = nil) { self.listen = listen }
  }

  /// Gives deliveries up.
  public struct DropDeliveries: Request {
    /// The stable name.
    public static let kind = "scrobble.drop"
    /// It takes deliveries away; the listens stay in the history.
    public static let isCommand = true
    /// How many; refused with `scrobble.unknownListen` for one that never counted.
    public typealias Answer = DeliveryCount
    /// This listen, pending or failed; nil for all that failed.
    public var listen: ListenID?

    /// Makes a request.
    public init(listen: ListenID? = nil) { self.listen = listen }
  }

  /// How many deliveries were meant.
  public struct DeliveryCount: Codable, Hashable, Sendable {
    /// How many.
    public var count: Int

    /// Makes an answer.
    public init(count: Int) { self.count = count }
  }

  /// Takes listens into the history that were not heard here, or were exported.
  public struct ImportListens: Request {
    /// The stable name.
    public static let kind = "scrobble.import"
    /// It adds to the history.
    public static let isCommand = true
    /// What was new; refused with `scrobble.badImport` for a listen without artist, title or time.
    public typealias Answer = Imported
    /// At most 100.
    public var listens: [ImportedListen]
    /// Whether they are sent to the accounts that are on, too.
    public var sends: Bool

    /// Makes a request.
    public init(listens: [ImportedListen], sends: Bool = false) {
      self.listens = listens
      self.sends = sends
    }
  }

  /// What an import did.
  public struct Imported: Codable, Hashable, Sendable {
    /// How many are new.
    public var added: Int
    /// How many were known already.
    public var known: Int

    /// Makes an answer.
    public init(added: Int, known: Int) {
      self.added = added
      self.known = known
    }
  }

  /// A listen from elsewhere.
  public struct ImportedListen: Codable, Hashable, Sendable {
    /// Its id where it was exported by Lunara; nil for others, which are known by time, artist and title.
    public var listen: ListenID?
    /// When it began.
    public var startedAt: Timestamp
    /// The title.
    public var title: String
    /// The artist.
    public var artist: String
    /// The album; nil where unknown.
    public var album: String?
    /// The album artist; nil where unknown.
    public var albumArtist: String?
    /// The number on its disc; nil where unknown.
    public var number: Int?
    /// Its length; nil where unknown.
    public var duration: Milliseconds?
    /// Its MusicBrainz recording id; nil where unknown.
    public var recordingID: String?
    /// Its MusicBrainz release id; nil where unknown.
    public var releaseID: String?

    /// Makes a listen.
    public init(
      listen: ListenID? = nil, startedAt: Timestamp, title: String, artist: String, album: String? = nil,
      albumArtist: String? = nil, number: Int? = nil, duration: Milliseconds? = nil, recordingID: String? = nil,
      releaseID: String? = nil
    ) {
      self.listen = listen
      self.startedAt = startedAt
      self.title = title
      self.artist = artist
      self.album = album
      self.albumArtist = albumArtist
      self.number = number
      self.duration = duration
      self.recordingID = recordingID
      self.releaseID = releaseID
    }
  }
}

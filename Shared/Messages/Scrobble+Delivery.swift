public import Model

/// Deliveries of listens to accounts.
extension Scrobble {
  /// An account's service has answered for listens.
  public struct DeliverySent: Fact {
    public static let kind = "scrobble.sent"
    /// A notice for people; the list of scrobbles says the same.
    public static let survives = Durability.process
    /// The kind of service, such as `lastfm`.
    public var service: String
    /// The account's name.
    public var account: String
    /// The listens, at most 100.
    public var listens: [ListenID]

    public init(service: String, account: String, listens: [ListenID]) {
      self.service = service
      self.account = account
      self.listens = listens
    }
  }

  /// A service refuses a listen, which then waits for a person.
  public struct DeliveryFailed: Fact {
    public static let kind = "scrobble.parked"
    /// A notice for people; the list of scrobbles says the same.
    public static let survives = Durability.process
    /// The kind of service, such as `lastfm`.
    public var service: String
    /// The account's name.
    public var account: String
    /// The listen.
    public var listen: ListenID
    /// The title of its track.
    public var title: String
    /// The artist of its track.
    public var artist: String
    /// The reason, in the service's words where it gives any.
    public var reason: String

    public init(service: String, account: String, listen: ListenID, title: String, artist: String, reason: String) {
      self.service = service
      self.account = account
      self.listen = listen
      self.title = title
      self.artist = artist
      self.reason = reason
    }
  }

  /// An account is paused until a person acts, or is no longer.
  public struct AccountPaused: Fact {
    public static let kind = "scrobble.paused"
    /// A notice for people; the state of the outbox says the same.
    public static let survives = Durability.process
    /// The kind of service, such as `lastfm`.
    public var service: String
    /// The account's name.
    public var account: String
    /// The reason and what to do: `scrobble.signedOut`, `scrobble.refused`; nil where it is no longer paused.
    public var error: LunaraError?

    public init(service: String, account: String, error: LunaraError?) {
      self.service = service
      self.account = account
      self.error = error
    }
  }

  /// Sends failed deliveries again, and tries paused accounts, at once.
  public struct RetryDeliveries: CommandRequest {
    public static let kind = "scrobble.retry"
    /// The number of deliveries that had failed; refused with `scrobble.unknownListen` for one that never counted.
    public typealias Answer = DeliveryCount
    /// Only this listen; nil for all.
    public var listen: ListenID?

    public init(listen: ListenID? = nil) { self.listen = listen }
  }

  /// Gives deliveries up.
  public struct DropDeliveries: CommandRequest {
    public static let kind = "scrobble.drop"
    /// The number of deliveries given up; refused with `scrobble.unknownListen` for one that never counted.
    public typealias Answer = DeliveryCount
    /// This listen, pending or failed; nil for all that failed.
    public var listen: ListenID?

    public init(listen: ListenID? = nil) { self.listen = listen }
  }

  /// The number of deliveries that a command changed.
  public struct DeliveryCount: Codable, Hashable, Sendable {
    /// The number of deliveries.
    public var count: Int

    public init(count: Int) { self.count = count }
  }

  /// Adds listens to the history that were heard elsewhere, or were exported.
  public struct ImportListens: CommandRequest {
    public static let kind = "scrobble.import"
    /// The numbers of new and known listens; refused with `scrobble.badImport` for a
    /// listen without artist, title or time.
    public typealias Answer = Imported
    /// The listens, at most 100.
    public var listens: [ImportedListen]
    /// True to send them to the accounts that are on, too.
    public var sends: Bool

    public init(listens: [ImportedListen], sends: Bool = false) {
      self.listens = listens
      self.sends = sends
    }
  }

  /// The result of an import.
  public struct Imported: Codable, Hashable, Sendable {
    /// The number of listens that are new.
    public var added: Int
    /// The number of listens that were known already.
    public var known: Int

    public init(added: Int, known: Int) {
      self.added = added
      self.known = known
    }
  }

  /// A listen from elsewhere.
  public struct ImportedListen: Codable, Hashable, Sendable {
    /// Its id where it was exported by Lunara; nil for others, which are known by time, artist and title.
    public var listen: ListenID?
    /// The time at which it began.
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

/// Loved tracks that services refused.
extension Scrobble {
  /// A service refuses that a track is loved, or no longer is, which then waits for a person.
  public struct LoveFailed: Fact {
    public static let kind = "scrobble.love-parked"
    /// A notice for people; the list of failed loves says the same.
    public static let survives = Durability.process
    /// The track, the account and the reason.
    public var love: FailedLove

    public init(_ love: FailedLove) { self.love = love }
  }

  /// Reads the loves that services refused. `scrobble.retry` and `scrobble.drop` of everything act on them as well.
  public struct ListFailedLoves: ReadRequest {
    public static let kind = "scrobble.list-failed-loves"
    /// The refused loves.
    public typealias Answer = FailedLoves
    /// The most items to return; capped at 200.
    public var limit: Int

    public init(limit: Int = 50) { self.limit = limit }
  }

  /// The loves that services refused.
  public struct FailedLoves: Codable, Hashable, Sendable {
    /// The number of them in all.
    public var count: Int
    /// The first of them, by account.
    public var items: [FailedLove]

    public init(count: Int, items: [FailedLove]) {
      self.count = count
      self.items = items
    }
  }

  /// A love that one account's service refused.
  public struct FailedLove: Codable, Hashable, Sendable {
    /// The kind of service, such as `lastfm`.
    public var service: String
    /// The account's name.
    public var account: String
    /// The title of the track.
    public var title: String
    /// Its artist.
    public var artist: String
    /// True where the track is loved, false where it no longer is.
    public var isLoved: Bool
    /// The reason, in the service's words where it gives any.
    public var reason: String

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

public import Model

/// Deliveries of listens to accounts.
extension Scrobble {
  /// Listens were sent to an account, and its service has answered.
  public struct DeliverySent: Fact {
    public static let kind = "scrobble.sent"
    /// It may be lost in a power cut, as the list of scrobbles has the same data.
    public static let survives = Durability.process
    /// The kind of service, such as `lastfm`.
    public var service: String
    /// The account's name.
    public var account: String
    /// The listens that the service has accepted, at most 100.
    public var listens: [ListenID]
  }

  /// A service refused a listen, whose delivery then waits for a person.
  public struct DeliveryFailed: Fact {
    public static let kind = "scrobble.parked"
    /// It may be lost in a power cut, as the list of scrobbles has the same data.
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
    /// The reason, in the service's words if it gives any.
    public var reason: String
  }

  /// An account was paused until a person acts, or is no longer paused.
  public struct AccountPaused: Fact {
    public static let kind = "scrobble.paused"
    /// It may be lost in a power cut, as the state of the outbox has the same data.
    public static let survives = Durability.process
    /// The kind of service, such as `lastfm`.
    public var service: String
    /// The account's name.
    public var account: String
    /// The reason why the account is paused, and what to do: `scrobble.signedOut` or `scrobble.refused`; nil when it
    /// continues.
    public var error: LunaraError?
  }

  /// Makes failed deliveries due again and, without `listen`, failed loves as well. Paused and waiting accounts try at
  /// once.
  public struct RetryDeliveries: CommandRequest {
    public static let kind = "scrobble.retry"
    /// The number of deliveries and loves that had failed; refused with `scrobble.unknownListen` for a listen that
    /// never counted.
    public typealias Answer = DeliveryCount
    /// Only this listen; nil for all.
    public var listen: ListenID? = nil
  }

  /// Deletes deliveries.
  public struct DropDeliveries: CommandRequest {
    public static let kind = "scrobble.drop"
    /// The number of deleted deliveries; refused with `scrobble.unknownListen` for a listen that never counted.
    public typealias Answer = DeliveryCount
    /// The listen whose deliveries are deleted, pending or failed; nil for all failed deliveries.
    public var listen: ListenID? = nil
  }

  /// The number of deliveries that a command changed.
  public struct DeliveryCount: Codable, Hashable, Sendable {
    /// The number of deliveries.
    public var count: Int
  }

  /// Adds listens to the history that were exported, or heard with another program.
  public struct ImportListens: CommandRequest {
    public static let kind = "scrobble.import"
    /// The numbers of new and known listens; refused with `scrobble.badImport` for a listen without artist, title or
    /// time.
    public typealias Answer = Imported
    /// The listens, at most 100.
    public var listens: [ImportedListen]
    /// True to send them also to the accounts that are on.
    public var sends: Bool = false
  }

  /// The result of an import.
  public struct Imported: Codable, Hashable, Sendable {
    /// The number of listens that are new.
    public var added: Int
    /// The number of listens that were known already.
    public var known: Int
  }

  /// A listen to import.
  public struct ImportedListen: Codable, Hashable, Sendable {
    /// The id, if Lunara exported it; nil for others, which are recognised by time, artist and title.
    public var listen: ListenID? = nil
    /// The time when it began.
    public var startedAt: Timestamp
    /// The title.
    public var title: String
    /// The artist.
    public var artist: String
    /// The album; nil if unknown.
    public var album: String? = nil
    /// The album artist; nil if unknown.
    public var albumArtist: String? = nil
    /// The number on its disc; nil if unknown.
    public var number: Int? = nil
    /// The length; nil if unknown.
    public var duration: Milliseconds? = nil
    /// The MusicBrainz recording id; nil if unknown.
    public var recordingID: String? = nil
    /// The MusicBrainz release id; nil if unknown.
    public var releaseID: String? = nil
  }
}

/// Loves (the state that a track is loved, or no longer is) that services refused.
extension Scrobble {
  /// A service refused a love or its removal, whose delivery then waits for a person.
  public struct LoveFailed: Fact {
    public static let kind = "scrobble.love-parked"
    /// It may be lost in a power cut, as the list of failed loves has the same data.
    public static let survives = Durability.process
    /// The track, the account and the reason.
    public var love: FailedLove

    public init(_ love: FailedLove) { self.love = love }
  }

  /// Lists the loves that services refused. `RetryDeliveries` and `DropDeliveries` without a listen act on them as
  /// well.
  public struct ListFailedLoves: ReadRequest {
    public static let kind = "scrobble.list-failed-loves"
    /// The refused loves.
    public typealias Answer = FailedLoves
    /// The largest number of items; at most 200.
    public var limit: Int = 50
  }

  /// The loves that services refused.
  public struct FailedLoves: Codable, Hashable, Sendable {
    /// The total number.
    public var count: Int
    /// The first loves, by account.
    public var items: [FailedLove]
  }

  /// A love that one account's service refused.
  public struct FailedLove: Codable, Hashable, Sendable {
    /// The kind of service, such as `lastfm`.
    public var service: String
    /// The account's name.
    public var account: String
    /// The title of the track.
    public var title: String
    /// The artist of the track.
    public var artist: String
    /// True if the track is loved, false if it no longer is.
    public var isLoved: Bool
    /// The reason, in the service's words if it gives any.
    public var reason: String
  }
}

public import Model

extension Playback {
  /// The current listen and its progress.
  public struct ListenMark: Codable, Hashable, Sendable {
    /// The listen.
    public var listen: ListenID
    /// The time when it began.
    public var startedAt: Timestamp
    /// The total media time heard when this was published.
    public var heard: Milliseconds
  }

  /// Reads the items that a room has played, newest first.
  public struct ReadPlayed: ReadRequest {
    public static let kind = "playback.read-played"
    /// The items that were played.
    public typealias Answer = PlayedItems
    /// The largest number of items; at most 100.
    public var limit: Int = 50
  }

  /// The items that a room has played.
  public struct PlayedItems: Codable, Hashable, Sendable {
    /// The items, newest first.
    public var items: [PlayedItem]
  }

  /// A listen to an item that has ended.
  public struct PlayedItem: Codable, Hashable, Sendable {
    /// The item.
    public var item: QueueItem
    /// The time when it began.
    public var startedAt: Timestamp
    /// The media time heard.
    public var heard: Milliseconds
    /// The reason why it ended.
    public var reason: EndReason
    /// True if a person left the track before the listen counted.
    public var isSkipped: Bool {
      reason == .skipped && !ScrobbleRule.counts(heard: heard, of: item.track.duration)
    }
  }
}

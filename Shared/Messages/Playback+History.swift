public import Model

extension Playback {
  /// The listen that is not over, as far as it has come.
  public struct ListenMark: Codable, Hashable, Sendable {
    /// The listen.
    public var listen: ListenID
    /// The moment when it began.
    public var startedAt: Timestamp
    /// Media time heard in all, when this was published.
    public var heard: Milliseconds

    public init(listen: ListenID, startedAt: Timestamp, heard: Milliseconds) {
      self.listen = listen
      self.startedAt = startedAt
      self.heard = heard
    }
  }

  /// Reads what a room has played, newest first.
  public struct ReadPlayed: ReadRequest {
    public static let kind = "playback.read-played"
    /// The items that were played.
    public typealias Answer = PlayedItems
    /// The largest number of items; at most 100.
    public var limit: Int

    public init(limit: Int = 50) { self.limit = limit }
  }

  /// The items that a room has played.
  public struct PlayedItems: Codable, Hashable, Sendable {
    /// Newest first.
    public var items: [PlayedItem]

    public init(items: [PlayedItem]) { self.items = items }
  }

  /// One hearing of an item that is over.
  public struct PlayedItem: Codable, Hashable, Sendable {
    /// The item.
    public var item: QueueItem
    /// The moment when it began.
    public var startedAt: Timestamp
    /// Media time heard.
    public var heard: Milliseconds
    /// The reason why it ended.
    public var reason: EndReason

    public init(item: QueueItem, startedAt: Timestamp, heard: Milliseconds, reason: EndReason) {
      self.item = item
      self.startedAt = startedAt
      self.heard = heard
      self.reason = reason
    }
  }
}

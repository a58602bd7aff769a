public import Model

extension Playback {
  /// What a queue goes on with: the albums that follow in the list that its album came from. The room keeps it and does
  /// not look into it.
  public struct Continuation: Codable, Hashable, Sendable {
    /// The list.
    public var list: Library.AlbumList
    /// The album of it that was queued last; what follows it comes next.
    public var after: AlbumID
    /// Grows with every append, so that one that was decided on before is refused.
    public var position: Int64

    /// Makes a continuation.
    public init(list: Library.AlbumList, after: AlbumID, position: Int64 = 0) {
      self.list = list
      self.after = after
      self.position = position
    }
  }

  /// Appends to a queue what its continuation brings; refused with `playback.queueMoved` where the queue or the
  /// continuation is no longer what it was.
  public struct Append: Request {
    /// The stable name.
    public static let kind = "playback.append"
    /// It changes the queue.
    public static let isCommand = true
    /// The queue afterwards.
    public typealias Answer = QueueSummary
    /// Names the append that parts belong to, as for `Load`.
    public var load: String
    /// The index of this part, from 0.
    public var part: Int
    /// Whether this part completes the append.
    public var isLast: Bool
    /// At most 100 items; none in the only part of an append that ends the continuation.
    public var items: [QueueItem]
    /// The revision of the queue that was seen.
    public var revision: Int64
    /// The position of the continuation that was seen.
    public var position: Int64
    /// The last album of it that is queued now; nil where the list has no more.
    public var after: AlbumID?

    /// Makes one part.
    public init(
      load: String, part: Int = 0, isLast: Bool = true, items: [QueueItem], revision: Int64, position: Int64,
      after: AlbumID?
    ) {
      self.load = load
      self.part = part
      self.isLast = isLast
      self.items = items
      self.revision = revision
      self.position = position
      self.after = after
    }
  }
}

public import Model

/// The requests that a room answers.
extension Playback {
  /// The place in the queue for loaded items.
  public enum LoadMode: String, Codable, Sendable {
    /// Replace the queue and start.
    case now
    /// After the current item; starts if idle.
    case next
    /// At the end; starts nothing.
    case later
  }

  /// Puts items into the queue: many in parts of at most 100 under one `load` id; nothing happens before the last.
  public struct Load: CommandRequest {
    public static let kind = "playback.load"
    /// The queue after the load.
    public typealias Answer = QueueSummary
    /// Names the load that the parts belong to.
    public var load: String
    /// The index of this part, from 0; parts arrive in order.
    public var part: Int
    /// True if this part completes the load.
    public var isLast: Bool
    /// The place in the queue for the items.
    public var mode: LoadMode
    /// The items of this part.
    public var items: [QueueItem]
    /// The index among all loaded items to start with; used with `.now`. In a mixed order that item comes first, and 0
    /// leaves the first to the mix.
    public var startAt: Int
    /// The continuation of the queue, for `.now`; nil for none.
    public var continuation: Continuation?
    /// The order the items are in, for `.now`, so that it can be undone; nil for as queued. The room mixes them itself.
    public var order: Order?
    /// The seed of that order.
    public var seed: UInt64?

    public init(
      load: String, part: Int = 0, isLast: Bool = true, mode: LoadMode, items: [QueueItem], startAt: Int = 0,
      continuation: Continuation? = nil, order: Order? = nil, seed: UInt64? = nil
    ) {
      self.load = load
      self.part = part
      self.isLast = isLast
      self.mode = mode
      self.items = items
      self.startAt = startAt
      self.continuation = continuation
      self.order = order
      self.seed = seed
    }
  }

  /// The queue after a command.
  public struct QueueSummary: Codable, Hashable, Sendable {
    /// The queue's revision.
    public var revision: Int64
    /// The number of items in the queue.
    public var count: Int
    /// The current index; nil where nothing is current.
    public var current: Int?

    public init(revision: Int64, count: Int, current: Int?) {
      self.revision = revision
      self.count = count
      self.current = current
    }
  }

  /// A transport command. Idempotent: pausing what is paused changes nothing.
  public struct Transport: CommandRequest {
    public static let kind = "playback.transport"
    /// The room's state after the command took hold.
    public typealias Answer = RoomState
    /// The action.
    public var action: Action

    public init(_ action: Action) { self.action = action }

    /// The actions of the transport.
    public enum Action: Hashable, Sendable {
      /// Plays on from pause; starts the current item after a restart; does nothing while playing.
      case resume
      /// Holds; does nothing unless playing or buffering.
      case pause
      case toggle
      /// Goes to the next item; at the last one the queue ends.
      case next
      /// Restarts the item after 3 s of it, else goes back; on the first item goes to its start.
      case previous
      /// Stops the sound; the queue stays, nothing is current.
      case stop
      /// Jumps to a position in the current item. Where an entry is given that is no longer the current one, nothing
      /// happens: it was meant for another track.
      case seek(to: Milliseconds, of: EntryID? = nil)
      /// Jumps by an offset; before the start is the start, past the end is the next item.
      case skip(by: Milliseconds)
      /// Sets the volume, in percent from 0 to 100.
      case volume(Int)
      /// Plays the queue's item at this index; where an entry is given, that one wherever it is by now.
      case jump(to: Int, of: EntryID? = nil)
      /// Lets no sound through, or lets it through again.
      case mute(Bool)
      /// Sets what follows the end.
      case repeats(Repeat)
      /// Stops when the current item is over, or not.
      case stopAfterCurrent(Bool)
      /// Fades out and pauses after so long; nil ends the timer.
      case sleep(after: Milliseconds?)
    }
  }

  /// Reads a part of the queue.
  public struct ReadQueue: ReadRequest {
    public static let kind = "playback.read-queue"
    /// The part that was asked for, with revision, count and current index.
    public typealias Answer = QueueState
    /// The first index wanted, from 0.
    public var first: Int
    /// The largest number of items; at most 100.
    public var limit: Int

    public init(first: Int = 0, limit: Int = 100) {
      self.first = first
      self.limit = limit
    }
  }

  /// Changes the queue itself.
  public struct EditQueue: CommandRequest {
    public static let kind = "playback.edit-queue"
    /// The queue after the change.
    public typealias Answer = QueueSummary
    /// The edit.
    public var edit: Edit

    public init(_ edit: Edit) { self.edit = edit }

    /// A change of the queue.
    public enum Edit: Hashable, Sendable {
      /// Removes everything and stops.
      case clear
      /// Removes the item at an index; where an entry is given, that one wherever it is by now.
      case remove(at: Int, of: EntryID? = nil)
      /// Moves the item at an index to another index; where an entry is given, that one wherever it is by now.
      case move(from: Int, to: Int, of: EntryID? = nil)
      /// Mixes the queue, or undoes that; the current item stays current and, mixed, comes first. The same seed mixes
      /// the same queue alike.
      case order(Order, seed: UInt64)
      /// Removes all items of these tracks, which are no more. Where the current one goes while it plays, the next
      /// that stays is started.
      case forget([TrackID])
    }
  }
}

extension Playback {
  /// The albums that follow in the list that the queue's album came from. The room keeps it and does not look into it.
  public struct Continuation: Codable, Hashable, Sendable {
    /// The list.
    public var list: Library.AlbumList
    /// The album of it that was queued last; what follows it comes next.
    public var after: AlbumID
    /// Grows with every append, so that an append that was decided on earlier is refused.
    public var position: Int64

    public init(list: Library.AlbumList, after: AlbumID, position: Int64 = 0) {
      self.list = list
      self.after = after
      self.position = position
    }
  }

  /// Appends to a queue what its continuation brings; refused with `playback.queueMoved` where the queue or the
  /// continuation is no longer what it was.
  public struct Append: CommandRequest {
    public static let kind = "playback.append"
    /// The queue afterwards.
    public typealias Answer = QueueSummary
    /// Names the append that parts belong to, as for `Load`.
    public var load: String
    /// The index of this part, from 0.
    public var part: Int
    /// True if this part completes the append.
    public var isLast: Bool
    /// At most 100 items; none in the only part of an append that ends the continuation.
    public var items: [QueueItem]
    /// The revision of the queue that was seen.
    public var revision: Int64
    /// The position of the continuation that was seen.
    public var position: Int64
    /// The last album of it that is queued now; nil where the list has no more.
    public var after: AlbumID?

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

public import Model

/// The messages of `lunara-playback`: one node a room, `playback@<room>`.
public enum Playback {}

// MARK: - States

extension Playback {
  /// What the room plays. Published on every change and at least every 10 s while sound flows.
  public struct RoomState: State, Hashable {
    /// The stable name.
    public static let kind = "playback.state"
    /// The room.
    public var room: RoomName
    /// What it is doing.
    public var state: PlaybackState
    /// The current item; nil when idle with nothing current.
    public var item: QueueItem?
    /// Where in the item; zero with rate 0 when nothing is current.
    public var position: Position
    /// The length of the current item as the player knows it; nil when nothing is current.
    public var duration: Milliseconds?
    /// Volume in percent, 0 to 100.
    public var volume: Int
    /// The revision of the queue this belongs to.
    public var queueRevision: Int64

    /// Makes a state from all its parts.
    public init(
      room: RoomName, state: PlaybackState, item: QueueItem?, position: Position, duration: Milliseconds?, volume: Int,
      queueRevision: Int64
    ) {
      self.room = room
      self.state = state
      self.item = item
      self.position = position
      self.duration = duration
      self.volume = volume
      self.queueRevision = queueRevision
    }
  }

  /// The queue around its current item; the rest is paged by `ReadQueue`.
  public struct QueueState: State, Hashable {
    /// The stable name.
    public static let kind = "playback.queue"
    /// Grows with every change of the queue.
    public var revision: Int64
    /// How many items the whole queue has.
    public var count: Int
    /// The index of the current item in the whole queue, from 0; nil at the end or when empty.
    public var current: Int?
    /// The index of `items[0]` in the whole queue.
    public var first: Int
    /// At most 50 items around the current one.
    public var items: [QueueItem]

    /// Makes a state from all its parts.
    public init(revision: Int64, count: Int, current: Int?, first: Int, items: [QueueItem]) {
      self.revision = revision
      self.count = count
      self.current = current
      self.first = first
      self.items = items
    }
  }
}

// MARK: - Facts

extension Playback {
  /// What all facts of one listen carry: enough to scrobble it when every other process is gone.
  public struct ListenSubject: Codable, Hashable, Sendable {
    /// The listen; the key of every effect.
    public var listen: ListenID
    /// The room it was heard in.
    public var room: RoomName
    /// What was heard.
    public var item: QueueItem
    /// When it began.
    public var startedAt: Timestamp

    /// Makes a subject.
    public init(listen: ListenID, room: RoomName, item: QueueItem, startedAt: Timestamp) {
      self.listen = listen
      self.room = room
      self.item = item
      self.startedAt = startedAt
    }
  }

  /// A track began to reach the output.
  public struct ListenStarted: Fact {
    /// The stable name.
    public static let kind = "playback.listen-started"
    /// Listens survive a power cut.
    public static let survives = Survival.power
    /// The listen.
    public var subject: ListenSubject

    /// Makes the fact.
    public init(subject: ListenSubject) { self.subject = subject }
  }

  /// How much of a listen has been heard so far; journaled every 30 s heard and at pause, seek and end.
  public struct ListenHeard: Fact {
    /// The stable name.
    public static let kind = "playback.listen-heard"
    /// Listens survive a power cut.
    public static let survives = Survival.power
    /// The listen.
    public var subject: ListenSubject
    /// Media time that reached the output within unseeked segments, in all so far. Never shrinks within a listen.
    public var heard: Milliseconds

    /// Makes the fact.
    public init(subject: ListenSubject, heard: Milliseconds) {
      self.subject = subject
      self.heard = heard
    }
  }

  /// A listen is over.
  public struct ListenEnded: Fact {
    /// The stable name.
    public static let kind = "playback.listen-ended"
    /// Listens survive a power cut.
    public static let survives = Survival.power
    /// The listen.
    public var subject: ListenSubject
    /// Media time heard in all.
    public var heard: Milliseconds
    /// Why it ended.
    public var reason: EndReason

    /// Makes the fact.
    public init(subject: ListenSubject, heard: Milliseconds, reason: EndReason) {
      self.subject = subject
      self.heard = heard
      self.reason = reason
    }
  }

  /// Why a listen ended.
  public enum EndReason: String, Codable, Sendable {
    /// The track played to its end.
    case finished
    /// A person chose another track, or stopped.
    case skipped
    /// The audio could not be played on.
    case failed
    /// A reason of a newer version.
    case unknown

    /// Reads a reason; one this version does not know becomes `unknown`.
    public init(from decoder: any Decoder) throws {
      self = EndReason(rawValue: try decoder.singleValueContainer().decode(String.self)) ?? .unknown
    }
  }

  /// A track could not be played and was skipped, or stopped the room after three in a row.
  public struct TrackFailed: Fact {
    /// The stable name.
    public static let kind = "playback.track-failed"
    /// A notice for people; losing it in a power cut is no harm.
    public static let survives = Survival.process
    /// The room.
    public var room: RoomName
    /// What could not be played.
    public var item: QueueItem
    /// Why.
    public var error: LunaraError

    /// Makes the fact.
    public init(room: RoomName, item: QueueItem, error: LunaraError) {
      self.room = room
      self.item = item
      self.error = error
    }
  }
}

// MARK: - Requests

extension Playback {
  /// Where loaded items go.
  public enum LoadMode: String, Codable, Sendable {
    /// Replace the queue and start.
    case now
    /// After the current item; starts if idle.
    case next
    /// At the end; starts nothing.
    case later
  }

  /// Puts items into the queue. Many items come in parts of at most 100 under one `load` id; nothing happens before the
  /// last part.
  public struct Load: Request {
    /// The stable name.
    public static let kind = "playback.load"
    /// It changes the queue.
    public static let isCommand = true
    /// The queue after the load.
    public typealias Answer = QueueSummary
    /// Names the load that the parts belong to.
    public var load: String
    /// The index of this part, from 0; parts arrive in order.
    public var part: Int
    /// Whether this part completes the load.
    public var isLast: Bool
    /// Where the items go.
    public var mode: LoadMode
    /// The items of this part.
    public var items: [QueueItem]
    /// The index among all loaded items to start with; used with `.now`.
    public var startAt: Int

    /// Makes one part.
    public init(load: String, part: Int = 0, isLast: Bool = true, mode: LoadMode, items: [QueueItem], startAt: Int = 0)
    {
      self.load = load
      self.part = part
      self.isLast = isLast
      self.mode = mode
      self.items = items
      self.startAt = startAt
    }
  }

  /// How the queue stands after a command.
  public struct QueueSummary: Codable, Hashable, Sendable {
    /// The queue's revision.
    public var revision: Int64
    /// How many items it has.
    public var count: Int
    /// The current index; nil where nothing is current.
    public var current: Int?

    /// Makes a summary.
    public init(revision: Int64, count: Int, current: Int?) {
      self.revision = revision
      self.count = count
      self.current = current
    }
  }

  /// A transport command. Idempotent: pausing what is paused changes nothing.
  public struct Transport: Request {
    /// The stable name.
    public static let kind = "playback.transport"
    /// It changes what the room does.
    public static let isCommand = true
    /// The room's state after the command took hold.
    public typealias Answer = RoomState
    /// What to do.
    public var action: Action

    /// Makes a command.
    public init(_ action: Action) { self.action = action }

    /// What can be asked of a room.
    public enum Action: Codable, Hashable, Sendable {
      /// Plays on from pause; starts the current item after a restart; does nothing while playing.
      case resume
      /// Holds; does nothing unless playing or buffering.
      case pause
      /// Pauses what plays, plays on what is paused.
      case toggle
      /// Goes to the next item; at the last one the queue ends.
      case next
      /// Restarts the item after 3 s of it, else goes back; on the first item goes to its start.
      case previous
      /// Stops the sound; the queue stays, nothing is current.
      case stop
      /// Jumps to a position in the current item.
      case seek(to: Milliseconds)
      /// Jumps by an offset; before the start is the start, past the end is the next item.
      case skip(by: Milliseconds)
      /// Sets the volume, in percent from 0 to 100.
      case volume(Int)
      /// Plays the queue's item at this index.
      case jump(to: Int)
    }
  }

  /// Reads a part of the queue.
  public struct ReadQueue: Request {
    /// The stable name.
    public static let kind = "playback.read-queue"
    /// It changes nothing.
    public static let isCommand = false
    /// The part that was asked for, with revision, count and current index.
    public typealias Answer = QueueState
    /// The first index wanted, from 0.
    public var first: Int
    /// How many items at most; capped at 100.
    public var limit: Int

    /// Makes a request.
    public init(first: Int = 0, limit: Int = 100) {
      self.first = first
      self.limit = limit
    }
  }

  /// Changes the queue itself.
  public struct EditQueue: Request {
    /// The stable name.
    public static let kind = "playback.edit-queue"
    /// It changes the queue.
    public static let isCommand = true
    /// The queue after the change.
    public typealias Answer = QueueSummary
    /// What to change.
    public var edit: Edit

    /// Makes a request.
    public init(_ edit: Edit) { self.edit = edit }

    /// A change of the queue.
    public enum Edit: Codable, Hashable, Sendable {
      /// Removes everything and stops.
      case clear
      /// Removes the item at an index.
      case remove(at: Int)
      /// Moves the item at an index to another index.
      case move(from: Int, to: Int)
    }
  }
}

public import Model

/// The messages of `lunara-playback`: one node a room, `playback@<room>`.
public enum Playback {}

extension Playback {
  /// The state of a room. Published on every change, and at least every 10 s while it plays.
  public struct RoomState: State, Hashable {
    public static let kind = "playback.state"
    /// A room that replaces this one begins where this one was.
    public static let isKept = true
    /// The room.
    public var room: RoomName
    /// The playback state.
    public var state: PlaybackState
    /// The current item; nil when idle with nothing current.
    public var item: QueueItem?
    /// The position within the item; zero with rate 0 if nothing is current.
    public var position: Position
    /// The length of the current item as the player knows it; nil when nothing is current.
    public var duration: Milliseconds?
    /// Volume in percent, 0 to 100.
    public var volume: Int
    /// The revision of the queue this belongs to.
    public var queueRevision: Int64
    /// The modes of the room; nil from an older room.
    public var modes: Modes?
    /// The listen that is not over; nil where none is.
    public var listen: ListenMark?
    /// Up to where the current item is buffered; nil where that is not known, as with a file.
    public var buffered: Milliseconds?
    /// A problem that does not stop the room, such as another output than the chosen one; nil where all is well.
    public var notice: LunaraError?
    /// The moment when the room tries again by itself, in the state `error`; nil if it waits for a person.
    public var retriesAt: Timestamp?
    /// Why the room paused itself: `sleep` or `output`; nil where it did not.
    public var interruption: String?
    /// The title that people gave the room; nil if it has none, and from an older room.
    public var title: String?

    public init(
      room: RoomName, state: PlaybackState, item: QueueItem?, position: Position, duration: Milliseconds?, volume: Int,
      queueRevision: Int64, modes: Modes? = nil, listen: ListenMark? = nil, buffered: Milliseconds? = nil,
      notice: LunaraError? = nil, retriesAt: Timestamp? = nil, interruption: String? = nil, title: String? = nil
    ) {
      self.room = room
      self.state = state
      self.item = item
      self.position = position
      self.duration = duration
      self.volume = volume
      self.queueRevision = queueRevision
      self.modes = modes
      self.listen = listen
      self.buffered = buffered
      self.notice = notice
      self.retriesAt = retriesAt
      self.interruption = interruption
      self.title = title
    }
  }

  /// The queue around its current item; the rest is paged by `ReadQueue`.
  public struct QueueState: State, Hashable {
    public static let kind = "playback.queue"
    /// A room that replaces this one begins with it.
    public static let isKept = true
    /// Grows with every change of the queue.
    public var revision: Int64
    /// The number of items in the whole queue.
    public var count: Int
    /// The index of the current item in the whole queue, from 0; nil at the end or when empty.
    public var current: Int?
    /// The index of `items[0]` in the whole queue.
    public var first: Int
    /// At most 50 items around the current one.
    public var items: [QueueItem]
    /// The continuation of the queue; nil if it ends.
    public var continuation: Continuation?
    /// True while the last album of the continuation plays, so that more is wanted.
    public var wantsMore: Bool?
    /// The move to another room that is under way; nil where none is.
    public var moving: Moving?
    /// Numbers that grow along the order of the items when shuffling is undone. Only in an answer to `ReadQueue`, and
    /// only where the queue is mixed; then as many as `items`.
    public var homes: [Int64]?

    public init(
      revision: Int64, count: Int, current: Int?, first: Int, items: [QueueItem], continuation: Continuation? = nil,
      wantsMore: Bool? = nil, moving: Moving? = nil, homes: [Int64]? = nil
    ) {
      self.revision = revision
      self.count = count
      self.current = current
      self.first = first
      self.items = items
      self.continuation = continuation
      self.wantsMore = wantsMore
      self.moving = moving
      self.homes = homes
    }
  }
}

extension Playback {
  /// The data that all facts of one listen carry: enough to scrobble it when every other process is gone.
  public struct ListenSubject: Codable, Hashable, Sendable {
    /// The listen; the key of every effect.
    public var listen: ListenID
    /// The room it was heard in.
    public var room: RoomName
    /// The item that was heard.
    public var item: QueueItem
    /// The moment when it began.
    public var startedAt: Timestamp
    /// The name of the output it began on, as `OutputState.used` has it; nil where it is not known.
    public var device: String?

    public init(listen: ListenID, room: RoomName, item: QueueItem, startedAt: Timestamp, device: String? = nil) {
      self.listen = listen
      self.room = room
      self.item = item
      self.startedAt = startedAt
      self.device = device
    }
  }

  /// A track began to reach the output.
  public struct ListenStarted: Fact {
    public static let kind = "playback.listen-started"
    /// Listens survive a power cut.
    public static let survives = Durability.power
    /// The listen.
    public var subject: ListenSubject

    public init(subject: ListenSubject) { self.subject = subject }
  }

  /// The time heard of a listen so far; journaled after every 30 s of sound and at pause, seek and end.
  public struct ListenHeard: Fact {
    public static let kind = "playback.listen-heard"
    /// Listens survive a power cut.
    public static let survives = Durability.power
    /// The listen.
    public var subject: ListenSubject
    /// Media time that reached the output within unseeked segments, in all so far. Never shrinks within a listen.
    public var heard: Milliseconds

    public init(subject: ListenSubject, heard: Milliseconds) {
      self.subject = subject
      self.heard = heard
    }
  }

  /// A listen is over.
  public struct ListenEnded: Fact {
    public static let kind = "playback.listen-ended"
    /// Listens survive a power cut.
    public static let survives = Durability.power
    /// The listen.
    public var subject: ListenSubject
    /// Media time heard in all.
    public var heard: Milliseconds
    /// The reason why it ended.
    public var reason: EndReason

    public init(subject: ListenSubject, heard: Milliseconds, reason: EndReason) {
      self.subject = subject
      self.heard = heard
      self.reason = reason
    }
  }

  /// The reasons why a listen ends.
  public enum EndReason: String, TolerantName {
    /// The track played to its end.
    case finished
    /// A person chose another track, or stopped.
    case skipped
    /// The audio could not be played on.
    case failed
    case unknown
  }

  /// A track could not be played and was skipped, or stopped the room after three in a row.
  public struct TrackFailed: Fact {
    public static let kind = "playback.track-failed"
    /// A notice for people; losing it in a power cut is no harm.
    public static let survives = Durability.process
    /// The room.
    public var room: RoomName
    /// The item that could not be played.
    public var item: QueueItem
    /// The reason.
    public var error: LunaraError

    public init(room: RoomName, item: QueueItem, error: LunaraError) {
      self.room = room
      self.item = item
      self.error = error
    }
  }
}

extension Playback.RoomState {
  /// Returns where the current track is now. The position is older than the state that carries it, and the state is
  /// older than its arrival: both times pass while sound flows.
  ///
  /// - Parameters:
  ///   - saidAt: when the room said this state, on its own clock, as `position.takenAt` is.
  ///   - age: how long ago that was.
  /// - Returns: the position, never past the end of the track.
  public func position(saidAt: Timestamp, age: Milliseconds) -> Milliseconds {
    position.after(
      max(.zero, saidAt - position.takenAt) + max(.zero, age), upTo: duration ?? item?.track.duration)
  }
}

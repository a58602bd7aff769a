public import Model

// A move has two phases, so that at no moment two rooms play, and no failure loses the queue: the source offers, the
// target prepares and holds, the source holds and says exactly where, the target commits, and only then the source
// clears. What each has decided about a move is on its disk; whoever coordinates may die and be replaced at any step.

extension Playback {
  /// A move to another room that is under way, as its source publishes it.
  public struct Moving: Codable, Hashable, Sendable {
    /// Names the move.
    public var move: String
    /// The room that the music moves to.
    public var to: RoomName
    /// The moment when the source was held; nil while it still plays.
    public var heldAt: Timestamp?
    /// True if the source played when it was held.
    public var wasPlaying: Bool

    public init(move: String, to: RoomName, heldAt: Timestamp? = nil, wasPlaying: Bool) {
      self.move = move
      self.to = to
      self.heldAt = heldAt
      self.wasPlaying = wasPlaying
    }
  }

  /// All of a room that moves with its queue, but for the items.
  public struct Moved: Codable, Hashable, Sendable {
    /// The revision of the queue. A source whose queue has another one by then refuses to hold.
    public var revision: Int64
    /// The number of items, which `ReadQueue` reads.
    public var count: Int
    /// The index of the current one.
    public var current: Int
    /// The audible position in it.
    public var position: Milliseconds
    /// True if it plays; false if a person paused it.
    public var isPlaying: Bool
    /// The listen that is not over; it goes on in the target.
    public var listen: ListenMark?
    /// Repeat and order; the other modes stay with their room.
    public var modes: Modes
    /// The continuation of the queue.
    public var continuation: Continuation?

    public init(
      revision: Int64, count: Int, current: Int, position: Milliseconds, isPlaying: Bool, listen: ListenMark?,
      modes: Modes, continuation: Continuation?
    ) {
      self.revision = revision
      self.count = count
      self.current = current
      self.position = position
      self.isPlaying = isPlaying
      self.listen = listen
      self.modes = modes
      self.continuation = continuation
    }
  }

  /// Asks the source what would move. Changes nothing that is heard. Refused with `playback.nothingToMove`.
  public struct OfferMove: CommandRequest {
    public static let kind = "playback.offer-move"
    /// The queue and position that would move.
    public typealias Answer = Moved
    /// Names the move.
    public var move: String
    /// The room that the music moves to.
    public var to: RoomName

    public init(move: String, to: RoomName) {
      self.move = move
      self.to = to
    }
  }

  /// Sends the items to the target in parts, as `Load` does. After the last part the target opens the current item and
  /// holds it at the position, while its own music plays on. Answered when it is ready.
  public struct PrepareMove: CommandRequest {
    public static let kind = "playback.prepare-move"
    /// An answer without contents, once the target is ready.
    public typealias Answer = Done
    /// Names the move.
    public var move: String
    /// The items that move.
    public var moved: Moved
    /// The index of this part, from 0.
    public var part: Int
    /// True if this part is the last.
    public var isLast: Bool
    /// At most 100 items, in order.
    public var items: [QueueItem]
    /// The order of the items when shuffling is undone, as `ReadQueue` gave it; nil if they are not shuffled.
    public var homes: [Int64]?

    public init(
      move: String, moved: Moved, part: Int, isLast: Bool, items: [QueueItem], homes: [Int64]? = nil
    ) {
      self.move = move
      self.moved = moved
      self.part = part
      self.isLast = isLast
      self.items = items
      self.homes = homes
    }
  }

  /// Tells the source to hold now. Refused with `playback.moveOutdated` where the queue is no longer the one that was
  /// offered. The answer has the exact position; the music stays with the source until `EndMove`.
  public struct HoldForMove: CommandRequest {
    public static let kind = "playback.hold-for-move"
    /// The state of the source, which is held now.
    public typealias Answer = Moved
    /// Names the move.
    public var move: String

    public init(move: String) { self.move = move }
  }

  /// Tells the target to take over what it prepared, and to go on. Refused with `playback.moveOutdated` where the move
  /// is not known or was called off.
  public struct CommitMove: CommandRequest {
    public static let kind = "playback.commit-move"
    /// The state of the room.
    public typealias Answer = RoomState
    /// Names the move.
    public var move: String
    /// The state of the source when it was held.
    public var moved: Moved

    public init(move: String, moved: Moved) {
      self.move = move
      self.moved = moved
    }
  }

  /// Tells either room that the move is over. `done` clears the source; otherwise the source goes on as before it was
  /// held, and the target forgets what it prepared and refuses to commit it from now on.
  public struct EndMove: CommandRequest {
    public static let kind = "playback.end-move"
    /// The record of the move that this room has.
    public typealias Answer = MoveOutcome
    /// Names the move.
    public var move: String
    /// True if the target holds the music.
    public var done: Bool

    public init(move: String, done: Bool) {
      self.move = move
      self.done = done
    }
  }

  /// The record that a room keeps of a move.
  public struct MoveOutcome: Codable, Hashable, Sendable {
    /// True if this room committed the move, so that it can no longer be cancelled.
    public var isCommitted: Bool

    public init(isCommitted: Bool) { self.isCommitted = isCommitted }
  }
}

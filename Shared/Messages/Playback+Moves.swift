public import Model

// A move has two phases, so that two rooms never play at once and no failure loses the queue: the source offers, the
// target prepares and holds, the source holds and returns its exact position, the target commits, and only then the
// source clears its queue. Each room stores its decisions about a move on disk, so the coordinator may fail and be
// replaced at any step.

extension Playback {
  /// A move to another room that has begun, as its source publishes it.
  public struct Moving: Codable, Hashable, Sendable {
    /// The id of the move.
    public var move: String
    /// The room that the music moves to.
    public var to: RoomName
    /// The time when the source was held; nil while it still plays.
    public var heldAt: Timestamp? = nil
    /// True if the source played when it was held.
    public var wasPlaying: Bool
  }

  /// The data of a room that moves with its queue, except for the items.
  public struct Moved: Codable, Hashable, Sendable {
    /// The revision of the queue. A source whose queue has changed since refuses to hold.
    public var revision: Int64
    /// The number of items, which `ReadQueue` reads.
    public var count: Int
    /// The index of the current item.
    public var current: Int
    /// The audible position in the current item.
    public var position: Milliseconds
    /// True if it plays; false if a person paused it.
    public var isPlaying: Bool
    /// The current listen, which continues in the target.
    public var listen: ListenMark?
    /// The modes, of which only repeat and order move; the others stay with their room.
    public var modes: Modes
    /// The continuation of the queue.
    public var continuation: Continuation?
  }

  /// Asks the source of a move, the room that plays, for the data that would move; it notes the move. The items are
  /// read with `ReadQueue`, and the sound does not change. A move has these steps: offer, prepare, hold, commit, end.
  /// Each of them can be sent again without harm, and is refused once the move is over. The router that leads a move
  /// may stop at any step. Another one then learns of the move from `moving` in `QueueState`, tells the target to end
  /// it as not done, and ends it in the source according to the target's answer.
  public struct OfferMove: CommandRequest {
    public static let kind = "playback.offer-move"
    /// The queue and position that would move; refused with `playback.moving`, `playback.moveOutdated`,
    /// `playback.nothingToMove`.
    public typealias Answer = Moved
    /// The id of the move.
    public var move: String
    /// The room that the music moves to.
    public var to: RoomName
  }

  /// Sends the items to the target of a move in parts, as `Load` does. After the last part the target locates the
  /// current item, opens it and holds it at the position, while its own music plays on. It forgets what is prepared
  /// after 20 s.
  public struct PrepareMove: CommandRequest {
    public static let kind = "playback.prepare-move"
    /// Answers once the target is ready; refused with `playback.moving`, `playback.moveOutdated`,
    /// `playback.loadIncomplete`, `playback.loadTooLarge`, `playback.itemTooLarge`, `playback.noSound`, and with the
    /// error that keeps the track from being played in the target.
    public typealias Answer = Done
    /// The id of the move.
    public var move: String
    /// The data that moves with the items.
    public var moved: Moved
    /// The index of this part, from 0; parts arrive in order.
    public var part: Int
    /// True if this part is the last.
    public var isLast: Bool
    /// The items of this part, at most 100, in order.
    public var items: [QueueItem]
    /// The numbers of the items by which shuffling is undone, as `ReadQueue` returned them; nil if they are not
    /// shuffled.
    public var homes: [Int64]? = nil
  }

  /// Tells the source of a move to hold the sound now. Until the move ends it refuses commands that would change the
  /// queue with `playback.moving`; after 30 s a person can take the room back. The answer has the exact position; the
  /// queue stays with the source until `EndMove`.
  public struct HoldForMove: CommandRequest {
    public static let kind = "playback.hold-for-move"
    /// The state of the source, which is held now; refused with `playback.notStored`, `playback.moveOutdated` if the
    /// queue has changed since the offer.
    public typealias Answer = Moved
    /// The id of the move.
    public var move: String
  }

  /// Tells the target of a move to replace its queue by the one that it prepared, and to play on.
  public struct CommitMove: CommandRequest {
    public static let kind = "playback.commit-move"
    /// The state of the room; refused with `playback.moving`, `playback.notStored`, `playback.moveOutdated` if the move
    /// is not known or was cancelled.
    public typealias Answer = RoomState
    /// The id of the move.
    public var move: String
    /// The state of the source when it was held.
    public var moved: Moved
    /// True if the target keeps its queue, which from its current item on follows after the moved items; nil if they
    /// replace it.
    public var keepsQueue: Bool? = nil
  }

  /// Tells either room that the move is over: no further step of it is accepted. If `done` is true, the source clears
  /// its queue. Otherwise the source continues as before it was held, and the target drops what it prepared and refuses
  /// to commit it.
  public struct EndMove: CommandRequest {
    public static let kind = "playback.end-move"
    /// The record of the move that this room has; refused with `playback.notStored`.
    public typealias Answer = MoveOutcome
    /// The id of the move.
    public var move: String
    /// True if the target has committed the move.
    public var done: Bool
  }

  /// The record that a room keeps of a move.
  public struct MoveOutcome: Codable, Hashable, Sendable {
    /// True if this room committed the move, so that it can no longer be cancelled.
    public var isCommitted: Bool
  }
}

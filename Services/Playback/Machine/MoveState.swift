import Messages
import Model

/// The moves of a room: the outgoing one, the incoming one, and how recent ones ended. It is a state machine without
/// I/O; the room stores the part that must survive a restart before it answers.
///
/// The coordinator may send a message twice, late or never: a repeated message has no further effect, and no message
/// has an effect after the end of its move.
struct MoveState: Hashable, Sendable {
  /// The end of a move, for this room.
  enum Ending: Int, Hashable, Sendable {
    /// The move was cancelled, and its messages are no longer accepted.
    case calledOff = 0
    /// The queue came to this room.
    case committed = 1
    /// The queue left for another room.
    case handedOn = 2
  }

  struct Outgoing: Hashable, Sendable {
    /// The move as it is published.
    var moving: Playback.Moving
    /// The revision of the queue that was offered.
    var revision: Int64
    var isHeld: Bool { moving.heldAt != nil }
  }

  /// A move to this room that is being prepared; it is lost when the process ends.
  struct Incoming: Hashable, Sendable {
    var move: String
    /// The number of received parts; `items` is the number of their items.
    var parts = 0
    var items = 0
    var isWhole = false
  }

  /// The consequence of a move's end for the room.
  enum Consequence: Hashable, Sendable {
    case nothing
    /// The room was not held, so only the published move is removed.
    case unmark
    /// The room continues as before it was held.
    case goOn(playing: Bool)
    /// The queue is in another room now, and is cleared here.
    case clear
    /// The prepared items are dropped.
    case forget
  }

  private(set) var outgoing: Outgoing?
  private(set) var incoming: Incoming?
  /// The moves that are over, the newest last.
  private(set) var endings: [Ended] = []

  struct Ended: Hashable, Sendable {
    var move: String
    var ending: Ending
  }

  /// The number of ended moves that are remembered; no message is later than that.
  static let memory = 500

  /// Returns how a move ended here; nil if it has not ended, or is not known.
  func ending(of move: String) -> Ending? { endings.last { $0.move == move }?.ending }

  private mutating func end(_ move: String, _ ending: Ending) {
    endings.append(Ended(move: move, ending: ending))
    if endings.count > Self.memory { endings.removeFirst() }
  }
}

// MARK: - The source room

extension MoveState {
  /// Accepts a move to another room. Cancels an earlier offer for which the room is not held, as nobody can have asked
  /// its target to commit. Throws `playback.moveOutdated` for a move that is over, `playback.moving` while the room is
  /// held.
  mutating func offer(_ move: String, to room: RoomName, revision: Int64, playing: Bool) throws(LunaraError) {
    guard ending(of: move) == nil else { throw Self.outdated }
    if let outgoing {
      guard !outgoing.isHeld else { throw Self.underWay(outgoing.moving) }
      if outgoing.moving.move != move { end(outgoing.moving.move, .calledOff) }
    }
    outgoing = Outgoing(
      moving: Playback.Moving(move: move, to: room, heldAt: nil, wasPlaying: playing), revision: revision)
  }

  /// Holds the room for the move. Throws `playback.moveOutdated` if the queue has changed since the offer, or the move
  /// is over or unknown.
  mutating func hold(_ move: String, revision: Int64, playing: Bool, on date: Timestamp) throws(LunaraError) {
    guard let outgoing, outgoing.moving.move == move else { throw Self.outdated }
    guard !outgoing.isHeld else { return }
    guard outgoing.revision == revision else { throw Self.outdated }
    self.outgoing?.moving.heldAt = date
    self.outgoing?.moving.wasPlaying = playing
  }

  /// Pauses a room that is held: it stays paused if the queue stays here. A target that was already told to play
  /// starts nevertheless.
  mutating func pause() {
    if outgoing?.isHeld == true { outgoing?.moving.wasPlaying = false }
  }

  /// Cancels the outgoing move, as a person takes the room back.
  mutating func abandon() {
    guard let outgoing else { return }
    end(outgoing.moving.move, .calledOff)
    self.outgoing = nil
  }
}

// MARK: - The target room

extension MoveState {
  /// Accepts a part of the items of a move to this room. Returns false for a part that was received before. A new move
  /// replaces an uncommitted one. Throws `playback.moveOutdated` for a move that is over, `playback.loadIncomplete` for
  /// a part that is not the next one, `playback.moving` while this room is held for a move.
  mutating func prepare(_ move: String, part: Int, items: Int, isLast: Bool) throws(LunaraError) -> Bool {
    guard ending(of: move) == nil else { throw Self.outdated }
    if let outgoing, outgoing.isHeld { throw Self.underWay(outgoing.moving) }
    if incoming?.move != move {
      guard part == 0 else { throw Self.incomplete(part, 0) }
      if let incoming { end(incoming.move, .calledOff) }
      incoming = Incoming(move: move)
    }
    guard var present = incoming, !present.isWhole, part >= present.parts else { return false }
    guard part == present.parts else { throw Self.incomplete(part, present.parts) }
    present.parts += 1
    present.items += items
    present.isWhole = isLast
    incoming = present
    return true
  }

  /// Commits the move to this room. Returns false if that was done before. Throws `playback.moveOutdated` if the move
  /// is over, unknown or incomplete; `playback.moving` while this room is held for a move.
  mutating func commit(_ move: String) throws(LunaraError) -> Bool {
    if ending(of: move) == .committed { return false }
    guard ending(of: move) == nil, let incoming, incoming.move == move, incoming.isWhole else { throw Self.outdated }
    if let outgoing {
      // The commit replaces the offered queue.
      guard !outgoing.isHeld else { throw Self.underWay(outgoing.moving) }
      end(outgoing.moving.move, .calledOff)
      self.outgoing = nil
    }
    self.incoming = nil
    end(move, .committed)
    return true
  }

  mutating func forget() {
    guard let incoming else { return }
    end(incoming.move, .calledOff)
    self.incoming = nil
  }
}

// MARK: - The end

extension MoveState {
  /// Ends the move, or prevents it from starting. Returns the outcome for this room, and the consequence.
  mutating func end(_ move: String, done: Bool) -> (outcome: Playback.MoveOutcome, consequence: Consequence) {
    if ending(of: move) != nil {
      return (Playback.MoveOutcome(isCommitted: ending(of: move) == .committed), .nothing)
    }
    let outcome = Playback.MoveOutcome(isCommitted: false)
    if let outgoing, outgoing.moving.move == move {
      // The target can have committed only if this room is held.
      guard !done || outgoing.isHeld else { return (outcome, .nothing) }
      self.outgoing = nil
      end(move, done ? .handedOn : .calledOff)
      if done { return (outcome, .clear) }
      return (outcome, outgoing.isHeld ? .goOn(playing: outgoing.moving.wasPlaying) : .unmark)
    }
    guard !done else { return (outcome, .nothing) }
    let isIncoming = incoming?.move == move
    if isIncoming { incoming = nil }
    end(move, .calledOff)
    return (outcome, isIncoming ? .forget : .nothing)
  }

  static let outdated = LunaraError(
    "playback.moveOutdated", "The move is over, or the queue has changed since. Move again if it is still wanted.")

  static func underWay(_ moving: Playback.Moving) -> LunaraError {
    LunaraError(
      "playback.moving",
      "What plays here is being moved to \(moving.to). Wait a moment; after half a minute `lunara resume` keeps it here."
    )
  }

  private static func incomplete(_ part: Int, _ expected: Int) -> LunaraError {
    LunaraError(
      "playback.loadIncomplete", "Part \(part) of a move came before part \(expected). Start the move again.")
  }
}

/// The moves of a room, with the parts that `RoomMachine` needs in memory.
struct RoomMoves: Hashable, Sendable {
  var state = MoveState()
  /// The time when the room was held, or at which the service started if that was later; nil if it is not held.
  var heldSince: MonotonicTime?
  /// The time until which the engine may still report where exactly the sound stopped.
  var stopReportDue: MonotonicTime?
  /// True if the sound continues when the move is cancelled. False after a restart, which has ended the sound.
  var resumes = false
  /// The item with which an incoming move starts, while it is prepared.
  var arrival: Arrival?

  struct Arrival: Hashable, Sendable {
    enum Stage: Hashable, Sendable {
      /// The locator is being looked up.
      case locating
      /// The engine was told to open the item and pause.
      case opening
      /// The engine has opened the item and is paused at `start`.
      case open
      /// The locator is known; the engine is busy with this room's own track.
      case located
      case failed(LunaraError)
    }

    var move: String
    var item: QueueItem
    /// The item as a room's first track; it is not yet in this room's queue.
    var track: PreparedTrack
    var stage = Stage.locating
    var isMovedPlaying: Bool
    /// The time when the position was the track's `start`, if the music plays on meanwhile.
    var since: MonotonicTime
    /// The time until which the stage may last.
    var until: MonotonicTime

    /// The answer for the coordinator, once there is one: an error, or nil if the item is ready.
    var answer: LunaraError?? {
      switch stage {
      case .locating, .opening: nil
      case .open, .located: .some(nil)
      case .failed(let error): .some(error)
      }
    }
  }

  var isHeld: Bool { state.outgoing?.isHeld == true }

  /// Forgets that the room was held.
  mutating func release() {
    heldSince = nil
    stopReportDue = nil
    resumes = false
  }

  /// The time when `wakeForMoves` must be called; nil for never.
  var deadline: MonotonicTime? { [stopReportDue, arrival?.until].compactMap { $0 }.min() }

  /// The time in which the engine may report where the sound stopped; after it the calculated position is used.
  static let stopReportTime = Milliseconds(150)
  static let opening = Milliseconds(8000)
  /// The time for which a prepared item waits for the commit. It is less than `patience`, so that nothing can start in
  /// the target after a person took the source room back.
  static let waiting = Milliseconds(20_000)
  /// The time after which a person can take back a held room.
  static let patience = Milliseconds(30_000)
}

import Messages
import Model

/// The moves that a room takes part in: the one that leaves it, the one that is to come to it, and how recent ones
/// ended. A pure state machine; its stored part is on the disk before the room answers.
///
/// The coordinator may send anything twice, late or never: each message has the same effect however often it comes,
/// and none has an effect once its move is over.
struct MoveState: Hashable, Sendable {
  /// The end of a move, for this room.
  enum Ending: Int, Hashable, Sendable {
    /// It was called off: nothing of it is accepted any more.
    case calledOff = 0
    /// The queue came here.
    case committed = 1
    /// The queue has left for another room.
    case handedOn = 2
  }

  struct Outgoing: Hashable, Sendable {
    /// The published form.
    var moving: Playback.Moving
    /// The revision of the queue that was offered.
    var revision: Int64
    var isHeld: Bool { moving.heldAt != nil }
  }

  /// A move to this room that is being prepared; it does not outlive the process.
  struct Incoming: Hashable, Sendable {
    var move: String
    /// The number of parts and of items that are there.
    var parts = 0
    var items = 0
    var isWhole = false
  }

  /// The consequence of a move's end for the room.
  enum Consequence: Hashable, Sendable {
    case nothing
    /// Nothing was held: only the published mark goes.
    case unmark
    /// The room is to go on as before it was held.
    case goOn(playing: Bool)
    /// The queue is elsewhere now: it is to be cleared here.
    case clear
    /// The prepared items are to be forgotten.
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

  /// The number of ended moves that are remembered; messages are never late by so many.
  static let memory = 500

  /// Returns how a move ended here; nil for one that did not, or that is not known.
  func ending(of move: String) -> Ending? { endings.last { $0.move == move }?.ending }

  private mutating func end(_ move: String, _ ending: Ending) {
    endings.append(Ended(move: move, ending: ending))
    if endings.count > Self.memory { endings.removeFirst() }
  }
}

// MARK: - The source room

extension MoveState {
  /// Accepts a move to another room. It calls off an earlier offer for which the room is not held, as nobody can have
  /// asked the target of that one to commit. Throws `playback.moveOutdated` for a move that is over, `playback.moving`
  /// while the room is held for this or another.
  mutating func offer(_ move: String, to room: RoomName, revision: Int64, playing: Bool) throws(LunaraError) {
    guard ending(of: move) == nil else { throw Self.outdated }
    if let outgoing {
      guard !outgoing.isHeld else { throw Self.underWay(outgoing.moving) }
      if outgoing.moving.move != move { end(outgoing.moving.move, .calledOff) }
    }
    outgoing = Outgoing(
      moving: Playback.Moving(move: move, to: room, heldAt: nil, wasPlaying: playing), revision: revision)
  }

  /// Holds the room for the move. Throws `playback.moveOutdated` where the queue is not the one that was offered, or
  /// the move is over or unknown.
  mutating func hold(_ move: String, revision: Int64, playing: Bool, on date: Timestamp) throws(LunaraError) {
    guard let outgoing, outgoing.moving.move == move else { throw Self.outdated }
    guard !outgoing.isHeld else { return }
    guard outgoing.revision == revision else { throw Self.outdated }
    self.outgoing?.moving.heldAt = date
    self.outgoing?.moving.wasPlaying = playing
  }

  /// Pauses a room that is held: it stays paused if the queue stays here. A target
  /// that was already told to play does so.
  mutating func pause() {
    if outgoing?.isHeld == true { outgoing?.moving.wasPlaying = false }
  }

  /// Calls the move away off, as a person wants the room back.
  mutating func abandon() {
    guard let outgoing else { return }
    end(outgoing.moving.move, .calledOff)
    self.outgoing = nil
  }
}

// MARK: - The target room

extension MoveState {
  /// Accepts a part of the items to come; false for one that is here already. A new move takes the place of another
  /// that was not committed. Throws `playback.moveOutdated` for one that is over, `playback.loadIncomplete` for a part
  /// that is not the next one, `playback.moving` while this room is itself held for a move.
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

  /// Takes over the prepared queue; returns false if that was done before. Throws `playback.moveOutdated` if the move
  /// is over, unknown or not all there; `playback.moving` while this room is itself held for a move.
  mutating func commit(_ move: String) throws(LunaraError) -> Bool {
    if ending(of: move) == .committed { return false }
    guard ending(of: move) == nil, let incoming, incoming.move == move, incoming.isWhole else { throw Self.outdated }
    if let outgoing {
      // The offered queue is the one that is replaced now.
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
  /// Ends the move, or keeps it from ever beginning. Returns the outcome for this room, and the consequence.
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

/// The moves of a room, as its machine follows them.
struct RoomMoves: Hashable, Sendable {
  var state = MoveState()
  /// The time since when the room is held for a move, as far as this start of the service knows.
  var heldSince: MonotonicTime?
  /// The time until which the engine may still say where exactly the sound held.
  var settlesBy: MonotonicTime?
  /// True if the sound goes on when the move is called off. False after a restart, where it has ended by itself.
  var resumes = false
  /// The item that a move to this room begins with, while it is prepared.
  var arrival: Arrival?

  struct Arrival: Hashable, Sendable {
    enum Stage: Hashable, Sendable {
      /// Its locator is being asked for.
      case locating
      /// The engine was told to open it and hold.
      case opening
      /// The engine holds it at `start`.
      case open
      /// Its locator is known; the engine is busy with the track that plays here.
      case located
      case failed(LunaraError)
    }

    var move: String
    var item: QueueItem
    /// The item as the first track of a room, whose queue does not have it yet.
    var track: PreparedTrack
    var stage = Stage.locating
    var isMovedPlaying: Bool
    /// The time at which the position was the track's `start`, if it moves.
    var since: MonotonicTime
    /// The time until which the stage may last.
    var until: MonotonicTime

    /// The answer for the coordinator, once there is one: an error, or nil for ready.
    var settled: LunaraError?? {
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
    settlesBy = nil
    resumes = false
  }

  /// The time to call `wakeForMoves`; nil for never.
  var deadline: MonotonicTime? { [settlesBy, arrival?.until].compactMap { $0 }.min() }

  /// The time that the engine has to say where the sound held; after it the position is where it should be.
  static let settling = Milliseconds(150)
  static let opening = Milliseconds(8000)
  /// The time for which a prepared item waits to be committed. Less than `patience`: when a person takes the source
  /// room back, nothing can start in the target any more.
  static let waiting = Milliseconds(20_000)
  /// The time after which a person can take a held room back.
  static let patience = Milliseconds(30_000)
}

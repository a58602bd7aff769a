import Messages
import Model

/// What a room knows of moves: the one that leaves it, the one that is to come to it, and how those of late ended. A
/// pure state machine; what it must not forget is on the disk before the room answers.
///
/// Whoever coordinates may send anything twice, late or never: each message has the same effect however often it comes,
/// and none has an effect once its move is over.
struct MoveState: Hashable, Sendable {
  /// How a move ended for this room.
  enum Ending: Int, Hashable, Sendable {
    /// It does not happen: nothing of it is accepted any more.
    case calledOff = 0
    /// The queue came here.
    case committed = 1
    /// The queue has left for another room.
    case handedOn = 2
  }

  /// A move away from this room.
  struct Outgoing: Hashable, Sendable {
    /// As people see it.
    var moving: Playback.Moving
    /// The revision of the queue that was offered.
    var revision: Int64
    /// Whether the sound is held for it.
    var isHeld: Bool { moving.heldAt != nil }
  }

  /// A move to this room that is being prepared; it does not outlive the process.
  struct Incoming: Hashable, Sendable {
    var move: String
    /// How many parts and how many items are there.
    var parts = 0
    var items = 0
    /// Whether the last part is there.
    var isWhole = false
  }

  /// What the end of a move means for the room.
  enum Consequence: Hashable, Sendable {
    case nothing
    /// Nothing was held: only the mark goes.
    case unmark
    /// The room is to go on as before it was held.
    case goOn(playing: Bool)
    /// The queue is elsewhere now: it is to be cleared here.
    case clear
    /// What was prepared is to be forgotten.
    case forget
  }

  private(set) var outgoing: Outgoing?
  private(set) var incoming: Incoming?
  /// How moves ended, the newest last.
  private(set) var endings: [Ended] = []

  /// A move that is over.
  struct Ended: Hashable, Sendable {
    var move: String
    var ending: Ending
  }

  /// How many moves that are over are remembered; messages are not late by so many.
  static let memory = 500

  /// An empty book, or one as it was stored.
  init(outgoing: Outgoing? = nil, endings: [Ended] = []) {
    self.outgoing = outgoing
    self.endings = endings
  }

  /// How a move ended here; nil for one that did not, or that is not known.
  func ending(of move: String) -> Ending? { endings.last { $0.move == move }?.ending }

  private mutating func end(_ move: String, _ ending: Ending) {
    endings.append(Ended(move: move, ending: ending))
    if endings.count > Self.memory { endings.removeFirst() }
  }
}

// MARK: - The room that is left

extension MoveState {
  /// Notes that a move away is wanted. Another that was offered before and is not held is called off by it.
  ///
  /// That it is accepted shows who leads it that nobody can have asked the target to commit.
  ///
  /// - Throws: `playback.moveOutdated` for one that is over, `playback.moving` while the room is held for this or another.
  mutating func offer(_ move: String, to room: RoomName, revision: Int64, playing: Bool) throws(LunaraError) {
    guard ending(of: move) == nil else { throw Self.outdated }
    if let outgoing {
      guard !outgoing.isHeld else { throw Self.underWay(outgoing.moving) }
      if outgoing.moving.move != move { end(outgoing.moving.move, .calledOff) }
    }
    outgoing = Outgoing(
      moving: Playback.Moving(move: move, to: room, heldAt: nil, wasPlaying: playing), revision: revision)
  }

  /// Notes that the room is held for the move.
  ///
  /// - Throws: `playback.moveOutdated` where the queue is not the one that was offered, or the move is over or unknown.
  mutating func hold(_ move: String, revision: Int64, playing: Bool, on date: Timestamp) throws(LunaraError) {
    guard let outgoing, outgoing.moving.move == move else { throw Self.outdated }
    guard !outgoing.isHeld else { return }
    guard outgoing.revision == revision else { throw Self.outdated }
    self.outgoing?.moving.heldAt = date
    self.outgoing?.moving.wasPlaying = playing
  }

  /// A person pauses the room that is held: it waits where the queue stays here. A target that was told before to go on
  /// with it does so.
  mutating func pause() {
    if outgoing?.isHeld == true { outgoing?.moving.wasPlaying = false }
  }

  /// A person takes the room back.
  mutating func abandon() {
    guard let outgoing else { return }
    end(outgoing.moving.move, .calledOff)
    self.outgoing = nil
  }
}

// MARK: - The room that is gone to

extension MoveState {
  /// Takes a part of what is to come; false for one that is here already. A new move takes the place of another that
  /// was not committed.
  ///
  /// - Throws: `playback.moveOutdated` for one that is over, `playback.loadIncomplete` for a part that is not the next
  ///   one, `playback.moving` while this room is itself held for a move.
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

  /// Makes what was prepared the room's own; false where that was done before.
  ///
  /// - Throws: `playback.moveOutdated` where the move is over, unknown or not all there; `playback.moving` while this room is itself held for
  ///   a move.
  mutating func commit(_ move: String) throws(LunaraError) -> Bool {
    if ending(of: move) == .committed { return false }
    guard ending(of: move) == nil, let incoming, incoming.move == move, incoming.isWhole else { throw Self.outdated }
    if let outgoing {
      // What was offered is what is replaced now.
      guard !outgoing.isHeld else { throw Self.underWay(outgoing.moving) }
      end(outgoing.moving.move, .calledOff)
      self.outgoing = nil
    }
    self.incoming = nil
    end(move, .committed)
    return true
  }

  /// Gives up what is being prepared.
  mutating func forget() {
    guard let incoming else { return }
    end(incoming.move, .calledOff)
    self.incoming = nil
  }
}

// MARK: - The end

extension MoveState {
  /// The move is over, or must never begin. Gives what it was for this room before, and what that means now.
  mutating func end(_ move: String, done: Bool) -> (outcome: Playback.MoveOutcome, consequence: Consequence) {
    if ending(of: move) != nil {
      return (Playback.MoveOutcome(isCommitted: ending(of: move) == .committed), .nothing)
    }
    let outcome = Playback.MoveOutcome(isCommitted: false)
    if let outgoing, outgoing.moving.move == move {
      // Only what is held can have been committed elsewhere.
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
}

extension MoveState {
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

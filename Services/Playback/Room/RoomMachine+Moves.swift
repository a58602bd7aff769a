import Messages
import Model

/// Moves to other rooms, where this one is left.
extension RoomMachine {
  /// The move to another room that is under way.
  var moving: Playback.Moving? { moves.state.outgoing?.moving }

  /// What would move. Changes nothing that is heard.
  ///
  /// - Throws: `playback.nothingToMove`, and what `MoveState.offer` throws.
  mutating func offerMove(_ move: String, to room: RoomName, at now: Now) throws(LunaraError) -> Playback.Moved {
    guard moves.state.ending(of: move) == nil else { throw MoveState.outdated }
    guard let moved = moved(at: now) else {
      throw LunaraError("playback.nothingToMove", "Nothing is current in \(self.room), so there is nothing to move.")
    }
    try moves.state.offer(move, to: room, revision: queue.revision, playing: moved.isPlaying)
    show()
    return moved
  }

  /// Holds the sound. `movedWhenHeld` says where, as soon as that is known.
  ///
  /// - Throws: what `MoveState.hold` throws.
  mutating func holdForMove(_ move: String, at now: Now) throws(LunaraError) {
    guard queue.current != nil else { throw MoveState.outdated }
    var book = moves.state
    let wasHeld = moves.isHeld
    try book.hold(move, revision: queue.revision, playing: isMeantToPlay, on: now.date)
    guard !wasHeld else { return }
    let flowed = isFlowing
    moves.resumes = isMeantToPlay
    forgetInterruptions()
    pause(at: now)
    moves.state = book
    moves.heldSince = now.moment
    if flowed { moves.settlesBy = now.moment + RoomMoves.settling }
    show()
  }

  /// Holds the sound, as another machine takes this room's name.
  mutating func holdForSuccessor(at now: Now) {
    let flowed = isFlowing && wantsSound
    forgetInterruptions()
    pause(at: now)
    if flowed { moves.settlesBy = now.moment + RoomMoves.settling }
  }

  /// What moves, once the sound has come to its hold; nil while it has not.
  func movedWhenHeld(at now: Now) -> Playback.Moved? {
    guard let outgoing = moves.state.outgoing, moves.isHeld, moves.settlesBy == nil else { return nil }
    var moved = moved(at: now)
    moved?.isPlaying = outgoing.moving.wasPlaying
    return moved
  }

  /// The move is over. Where the queue has left, the caller has stored that it is cleared.
  mutating func endMove(_ move: String, done: Bool, at now: Now) -> Playback.MoveOutcome {
    let (outcome, consequence) = moves.state.end(move, done: done)
    switch consequence {
    case .nothing: break
    case .unmark: show()
    case .goOn: letGo(at: now)
    case .forget: dropArrival()
    case .clear:
      moves.release()
      _ = queue.clear()
      // It goes on elsewhere, so it has not ended.
      meter.leave()
      effects.append(.engine(.stop))
      becomeIdle([], at: now)
    }
    return outcome
  }

  /// Takes up what an earlier start of the service knew: a room that was held still is, and waits.
  mutating func restore(_ book: MoveState, at now: Now) {
    moves.state = book
    if moves.isHeld { moves.heldSince = now.moment }
  }

  /// Refuses what would change a queue that is on its way; a person who waited long takes it back.
  ///
  /// - Throws: `playback.moving`.
  mutating func refuseWhileMoving(at now: Now) throws(LunaraError) {
    guard let outgoing = moves.state.outgoing, outgoing.isHeld else { return }
    if let since = moves.heldSince, now.moment - since < RoomMoves.patience {
      throw MoveState.underWay(outgoing.moving)
    }
    moves.state.abandon()
    moves.release()
    show()
  }

  /// A room that is held has no sound to pause; it does not go on by itself any more, here or there.
  mutating func pauseWhileHeld() {
    guard moves.isHeld, moves.resumes || moving?.wasPlaying == true else { return }
    moves.resumes = false
    moves.state.pause()
    show()
  }

  private mutating func letGo(at now: Now) {
    let resumes = moves.resumes
    moves.release()
    show()
    if resumes { resume(at: now) }
  }

  /// Whether a person wants sound of what is current.
  private var isMeantToPlay: Bool {
    switch phase {
    case .idle, .cold: false
    case .engaged: wantsSound
    case .failed: true
    }
  }

  /// The room as it would move; nil where nothing is current.
  private func moved(at now: Now) -> Playback.Moved? {
    guard let current = queue.current else { return nil }
    return Playback.Moved(
      revision: queue.revision, count: queue.slots.count, current: current, position: position(at: now),
      isPlaying: isMeantToPlay, listen: listenMark, modes: modes, continuation: queue.continuation)
  }
}

/// What both sides of a move hear of the engine and of time.
extension RoomMachine {
  /// Looks at an event for the sake of moves; true where it concerns nothing else.
  mutating func takeForMove(_ event: EngineEvent, at now: Now) -> Bool {
    if case .halted(let id, let position, .pause) = event, tracks.first?.id == id, moves.settlesBy != nil {
      moves.settlesBy = nil
      setAnchor(position, at: now)
    }
    guard let arrival = moves.arrival else { return false }
    switch event {
    case .began(arrival.cue):
      // Not where it was given up meanwhile.
      guard arrival.stage == .opening else { return true }
      moves.arrival?.stage = .open
    case .duration(arrival.cue, let duration):
      moves.arrival?.duration = duration
      return true
    case .failed(arrival.cue, let error): moves.arrival?.stage = .failed(error)
    case .outputFailed(let error) where arrival.stage == .opening:
      moves.arrival?.stage = .failed(error)
      return false
    default: return false
    }
    moves.arrival?.until = now.moment + RoomMoves.waiting
    return true
  }

  /// What is due for moves.
  mutating func wakeForMoves(at now: Now) {
    if let settlesBy = moves.settlesBy, now.moment >= settlesBy { moves.settlesBy = nil }
    guard let arrival = moves.arrival, now.moment >= arrival.until else { return }
    switch arrival.stage {
    case .locating, .opening:
      let message = "\(arrival.item.track.title) could not be opened in \(room) within 8 s, so nothing was moved."
      if arrival.stage == .opening { effects.append(.engine(.stop)) }
      moves.arrival?.stage = .failed(LunaraError("playback.noSound", message))
      moves.arrival?.until = now.moment + RoomMoves.waiting
    case .open, .located, .failed:
      if moves.state.incoming?.move == arrival.move { moves.state.forget() }
      dropArrival()
    }
  }
}

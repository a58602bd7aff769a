import Messages
import Model

extension RoomMachine {
  var moving: Playback.Moving? { moves.state.outgoing?.moving }

  /// Offers the queue for a move and returns its description. Does not change the sound. Throws
  /// `playback.nothingToMove`, and the errors of `MoveState.offer`.
  mutating func offerMove(_ move: String, to room: RoomName, at now: Now) throws(LunaraError) -> Playback.Moved {
    guard moves.state.ending(of: move) == nil else { throw MoveState.outdated }
    guard let moved = moved(at: now) else {
      throw LunaraError("playback.nothingToMove", "Nothing is current in \(self.room), so there is nothing to move.")
    }
    try moves.state.offer(move, to: room, revision: queue.revision, playing: moved.isPlaying)
    publish()
    return moved
  }

  /// Holds the sound for a move. `movedWhenHeld` returns the position when it is known. Throws the errors of
  /// `MoveState.hold`.
  mutating func holdForMove(_ move: String, at now: Now) throws(LunaraError) {
    guard queue.current != nil else { throw MoveState.outdated }
    var state = moves.state
    let wasHeld = moves.isHeld
    try state.hold(move, revision: queue.revision, playing: isMeantToPlay, on: now.date)
    guard !wasHeld else { return }
    let flowed = isFlowing
    moves.resumes = isMeantToPlay
    interruptions = Interruptions()
    pause(at: now)
    moves.state = state
    moves.heldSince = now.moment
    if flowed { moves.stopReportDue = now.moment + RoomMoves.stopReportTime }
    publish()
  }

  /// Pauses, as another machine takes over this room's name.
  mutating func holdForSuccessor(at now: Now) {
    let flowed = isFlowing && wantsSound
    interruptions = Interruptions()
    pause(at: now)
    if flowed { moves.stopReportDue = now.moment + RoomMoves.stopReportTime }
  }

  /// Returns the description of the held queue when the sound has stopped; nil before that.
  func movedWhenHeld(at now: Now) -> Playback.Moved? {
    guard let outgoing = moves.state.outgoing, moves.isHeld, moves.stopReportDue == nil else { return nil }
    var moved = moved(at: now)
    moved?.isPlaying = outgoing.moving.wasPlaying
    return moved
  }

  /// Ends a move. If the queue has left, it is cleared here, which the caller must store.
  mutating func endMove(_ move: String, done: Bool, at now: Now) -> Playback.MoveOutcome {
    let (outcome, consequence) = moves.state.end(move, done: done)
    switch consequence {
    case .nothing: break
    case .unmark: publish()
    case .goOn: releaseHold(at: now)
    case .forget: dropArrival()
    case .clear:
      moves.release()
      _ = queue.clear()
      // The listen continues in the other room, so it has not ended.
      meter.discardListen()
      effects.append(.engine(.stop))
      becomeIdle([], isUse: false, at: now)
    }
    return outcome
  }

  /// Restores the stored moves: a room that was held is still held, and paused.
  mutating func restore(_ state: MoveState, at now: Now) {
    moves.state = state
    if moves.isHeld { moves.heldSince = now.moment }
  }

  /// Throws `playback.moving` while the room is held for a move, as its queue must not change. After
  /// `RoomMoves.patience` cancels the move instead: a person takes back the queue.
  mutating func refuseWhileMoving(at now: Now) throws(LunaraError) {
    guard let outgoing = moves.state.outgoing, outgoing.isHeld else { return }
    if let since = moves.heldSince, now.moment - since < RoomMoves.patience {
      throw MoveState.underWay(outgoing.moving)
    }
    moves.state.abandon()
    moves.release()
    publish()
  }

  /// Pauses a room that is held: it will resume neither here nor in the other room.
  mutating func pauseWhileHeld() {
    guard moves.isHeld, moves.resumes || moving?.wasPlaying == true else { return }
    moves.resumes = false
    moves.state.pause()
    publish()
  }

  private mutating func releaseHold(at now: Now) {
    let resumes = moves.resumes
    moves.release()
    publish()
    if resumes { resume(at: now) }
  }

  /// True if a person wants sound of the current item.
  private var isMeantToPlay: Bool {
    switch phase {
    case .idle, .unloaded: false
    case .engaged: wantsSound
    case .failed: true
    }
  }

  /// Returns the description of the queue for a move; nil if nothing is current.
  private func moved(at now: Now) -> Playback.Moved? {
    guard let current = queue.current else { return nil }
    return Playback.Moved(
      revision: queue.revision, count: queue.slots.count, current: current, position: position(at: now),
      isPlaying: isMeantToPlay, listen: listenMark, modes: modes, continuation: queue.continuation)
  }
}

// MARK: - Engine and time, for both sides of a move

extension RoomMachine {
  /// Handles an event for moves. Returns true if it needs no further handling.
  mutating func handleForMove(_ event: EngineEvent, at now: Now) -> Bool {
    if case .halted(let id, let position, .pause) = event, isFirst(id), moves.stopReportDue != nil {
      moves.stopReportDue = nil
      self.position.set(position, at: now)
    }
    guard let arrival = moves.arrival else { return false }
    switch event {
    case .began(arrival.track.id):
      // The arrival may have failed meanwhile.
      guard arrival.stage == .opening else { return true }
      moves.arrival?.stage = .open
    case .duration(arrival.track.id, let duration):
      moves.arrival?.track.duration = duration
      return true
    case .failed(arrival.track.id, let error): moves.arrival?.stage = .failed(error)
    case .outputFailed(let error) where arrival.stage == .opening:
      moves.arrival?.stage = .failed(error)
      return false
    default: return false
    }
    moves.arrival?.until = now.moment + RoomMoves.waiting
    return true
  }

  mutating func wakeForMoves(at now: Now) {
    if let stopReportDue = moves.stopReportDue, now.moment >= stopReportDue { moves.stopReportDue = nil }
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

/// Moves from other rooms to this one.
extension RoomMachine {
  /// Accepts a part of the items of a move to this room. Returns false for a part that was received before. Items that
  /// were prepared for another move are dropped. Throws the errors of `MoveState.prepare`.
  mutating func prepareMove(_ move: String, part: Int, items: Int, isLast: Bool) throws(LunaraError) -> Bool {
    let isNew = try moves.state.prepare(move, part: part, items: items, isLast: isLast)
    if moves.arrival?.move != move { dropArrival() }
    return isNew
  }

  /// Starts to locate the item with which an incoming move starts, when all items are here. If the room has no sound,
  /// it is then opened and paused.
  mutating func arrive(
    _ move: String, _ moved: Playback.Moved, _ item: QueueItem,
    beside neighbours: NeighbouringTracks = NeighbouringTracks(),
    at now: Now
  ) {
    dropArrival()
    var track = PreparedTrack(id: nextCue(), row: 0, item: item, start: moved.position, stage: .audible)
    track.neighbours = neighbours
    moves.arrival = RoomMoves.Arrival(
      move: move, item: item, track: track, isMovedPlaying: moved.isPlaying, since: now.moment,
      until: now.moment + RoomMoves.opening)
  }

  /// Handles the locator of that item, or the error if there is none.
  mutating func arrivalLocated(
    _ move: String, _ result: Result<Library.Locator, LunaraError>, at now: Now
  ) {
    guard var arrival = moves.arrival, arrival.move == move, arrival.stage == .locating else { return }
    arrival.until = now.moment + RoomMoves.opening
    switch result {
    case .failure(let error): arrival.stage = .failed(error)
    case .success(let locator):
      arrival.track.set(locator, at: now)
      switch phase {
      case .engaged, .failed:
        arrival.stage = .located
        arrival.until = now.moment + RoomMoves.waiting
      case .idle, .unloaded:
        arrival.stage = .opening
        if arrival.isMovedPlaying {
          let length = arrival.item.track.duration
          let moved = arrival.track.start + (now.moment - arrival.since)
          // A track that is nearly over is opened at its position in the move.
          if length == .zero || moved + Milliseconds(2000) < length { arrival.track.start = moved }
        }
        effects.append(.engine(.play(cue(of: arrival.track, locator), paused: true)))
      }
    }
    moves.arrival = arrival
  }

  /// Forgets the prepared item, and stops the engine if that has opened it.
  mutating func dropArrival() {
    guard let arrival = moves.arrival else { return }
    moves.arrival = nil
    if arrival.stage == .opening || arrival.stage == .open { effects.append(.engine(.stop)) }
  }

  /// Records that a command to the engine replaces the item that it holds for a move.
  mutating func recordReplacedArrival() {
    guard let arrival = moves.arrival, arrival.stage == .opening || arrival.stage == .open else { return }
    for case .engine(let command) in effects {
      switch command {
      case .play(let cue, _) where cue.id != arrival.track.id: moves.arrival?.stage = .located
      case .stop: moves.arrival?.stage = .located
      default: break
      }
    }
  }

  /// Commits a move to this room: takes over the prepared queue and plays on. `changed` is the new queue and `item` its
  /// current item. The caller stores the queue, together with the facts in `effects`. Throws the errors of
  /// `MoveState.commit`.
  mutating func commitMove(
    _ move: String, _ moved: Playback.Moved, _ changed: Queue, _ item: QueueItem, at now: Now
  ) throws(LunaraError) {
    guard try moves.state.commit(move), let slot = changed.currentSlot else { return }
    let facts = closeListen(.skipped, at: now)
    let arrival = moves.arrival.flatMap { $0.item.entry == item.entry ? $0 : nil }
    moves.arrival = nil
    queue = changed
    meter.adopt(moved.listen, of: item)
    interruptions = Interruptions()
    plannedStop = .never
    var first =
      arrival?.track ?? PreparedTrack(id: nextCue(), row: 0, item: item, start: .zero, stage: .waiting)
    first.row = slot.row
    guard let arrival, arrival.stage == .open else {
      return open(
        at: moved.position, known: first, wantsSound: moved.isPlaying, recovery: Recovery(), facts, at: now)
    }
    restoreVolume()
    first.start = moved.position
    var playing = Playing(first, wantsSound: moved.isPlaying, recovery: Recovery(), at: now)
    if moved.isPlaying { playing.graceUntil = now.moment + Playing.grace }
    phase = .engaged(playing)
    position.set(moved.position, at: now)
    if arrival.track.start != moved.position { effects.append(.engine(.seek(arrival.track.id, to: moved.position))) }
    if moved.isPlaying { effects.append(.engine(.pause(false))) }
    recordAndPublish(facts)
    prepareNext(at: now)
  }
}

import Messages
import Model

/// Moves from other rooms, where this one is gone to.
extension RoomMachine {
  /// Takes a part of what is to come; false for one that is here already. What was prepared for another move is forgotten.
  ///
  /// - Throws: what `MoveState.prepare` throws.
  mutating func prepareMove(_ move: String, part: Int, items: Int, isLast: Bool) throws(LunaraError) -> Bool {
    let isNew = try moves.state.prepare(move, part: part, items: items, isLast: isLast)
    if moves.arrival?.move != move { dropArrival() }
    return isNew
  }

  /// All items are there: the one to begin with is to be found and, where nothing plays here, opened and held.
  mutating func arrive(
    _ move: String, _ moved: Playback.Moved, _ item: QueueItem, beside neighbours: NeighbouringTracks = NeighbouringTracks(),
    at now: Now
  ) {
    dropArrival()
    moves.arrival = RoomMoves.Arrival(
      move: move, item: item, neighbours: neighbours, cue: nextCue(), start: moved.position,
      isMovedPlaying: moved.isPlaying,
      since: now.moment, until: now.moment + RoomMoves.opening)
  }

  /// The place of what is to come was found, or not.
  mutating func arrivalLocated(
    _ move: String, _ result: Result<Library.Locator, LunaraError>, at now: Now
  ) {
    guard var arrival = moves.arrival, arrival.move == move, arrival.stage == .locating else { return }
    arrival.until = now.moment + RoomMoves.opening
    switch result {
    case .failure(let error): arrival.stage = .failed(error)
    case .success(let locator):
      arrival.locator = locator
      if case .url(_, _, let lasts?) = locator { arrival.staleAt = now.moment + lasts }
      switch phase {
      case .engaged, .failed:
        arrival.stage = .located
        arrival.until = now.moment + RoomMoves.waiting
      case .idle, .cold:
        arrival.stage = .opening
        if arrival.isMovedPlaying {
          let length = arrival.item.track.duration
          let moved = arrival.start + (now.moment - arrival.since)
          // Nothing is held at the very end.
          if length == .zero || moved + Milliseconds(2000) < length { arrival.start = moved }
        }
        effects.append(.engine(.play(cue(of: arrival.track(in: 0), locator), paused: true)))
      }
    }
    moves.arrival = arrival
  }

  /// What was prepared is forgotten; the engine lets go of it.
  mutating func dropArrival() {
    guard let arrival = moves.arrival else { return }
    moves.arrival = nil
    if arrival.stage == .opening || arrival.stage == .open { effects.append(.engine(.stop)) }
  }

  /// What is told to the engine may take the place of what it holds for a move.
  mutating func noteReplacedArrival() {
    guard let arrival = moves.arrival, arrival.stage == .opening || arrival.stage == .open else { return }
    for case .engine(let command) in effects {
      switch command {
      case .play(let cue, _) where cue.id != arrival.cue: moves.arrival?.stage = .located
      case .stop: moves.arrival?.stage = .located
      default: break
      }
    }
  }

  /// Makes what was prepared the room's own and goes on. The caller stores it, together with what `effects` records.
  ///
  /// - Parameters:
  ///   - changed: the queue with the items, at the current one.
  ///   - item: the current item.
  /// - Throws: what `MoveState.commit` throws.
  mutating func commitMove(
    _ move: String, _ moved: Playback.Moved, _ changed: Queue, _ item: QueueItem, at now: Now
  ) throws(LunaraError) {
    guard try moves.state.commit(move), let slot = changed.currentSlot else { return }
    let facts = closeListen(.skipped, at: now)
    let arrival = moves.arrival.flatMap { $0.item.entry == item.entry ? $0 : nil }
    moves.arrival = nil
    queue = changed
    wantsSound = moved.isPlaying
    failuresInRow = 0
    phase = .engaged
    meter.adopt(moved.listen, of: item)
    retry = nil
    cut = nil
    dryUntil = nil
    rest = nil
    forgetInterruptions()
    tracks =
      [arrival?.track(in: slot.row) ?? PreparedTrack(id: nextCue(), row: slot.row, item: item, start: .zero, stage: .waiting)]
    guard let arrival, arrival.stage == .open else { return open(at: moved.position, facts, at: now) }
    unfade()
    tracks[0].start = moved.position
    isFlowing = false
    locateAt = nil
    prepareAt = nil
    unpreparable = nil
    lastTrouble = nil
    setAnchor(moved.position, at: now)
    if arrival.start != moved.position { effects.append(.engine(.seek(arrival.cue, to: moved.position))) }
    if wantsSound {
      silentSince = now.moment
      graceUntil = now.moment + Self.grace
      effects.append(.engine(.pause(false)))
    }
    record(facts)
    show()
    prepareNext(at: now)
  }
}

extension RoomMoves.Arrival {
  /// As the first track of a room whose queue has it in this row.
  fileprivate func track(in row: Int64) -> PreparedTrack {
    var track = PreparedTrack(id: cue, row: row, item: item, locator: locator, start: start, stage: .audible)
    track.staleAt = staleAt
    track.duration = duration
    track.neighbours = neighbours
    return track
  }
}

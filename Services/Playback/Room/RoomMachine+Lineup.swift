import Messages
import Model

/// Which tracks the engine is given.
extension RoomMachine {
  /// How many tracks in a row may fail before the room stops.
  static let failureLimit = 3

  /// Starts the current track at a position, in place of all that sounds.
  mutating func open(at position: Milliseconds, _ facts: [RoomFact] = [], at now: Now) {
    guard let slot = queue.currentSlot else { return becomeIdle(facts, at: now) }
    let facts = facts + haltFlow(at: now)
    let known = tracks.first { $0.row == slot.row }
    let isSought = known?.isSought == true
    // An answer that is on its way is to the question of this id.
    let id = isSought ? known?.id ?? nextCue() : nextCue()
    var first = PreparedTrack(
      id: id, row: slot.row, item: known?.item, locator: known?.locator(at: now), start: position, stage: .locating)
    first.staleAt = known?.staleAt
    first.isOwnPath = first.locator != nil && known?.isOwnPath == true
    first.duration = known?.duration
    first.neighbours = known?.neighbours ?? NeighbouringTracks()
    if cut?.row != slot.row { cut = nil }
    dryUntil = nil
    rest = nil
    unfade()
    tracks = [first]
    phase = .engaged
    isFlowing = false
    silentSince = wantsSound ? now.moment : nil
    graceUntil = nil
    locateAt = nil
    prepareAt = nil
    unpreparable = nil
    lastTrouble = nil
    setAnchor(position, at: now)
    if first.locator != nil {
      handFirst(at: now)
    } else {
      // What sounded before must not sound on while the new track is looked for.
      effects.append(.engine(.pause(true)))
      if !isSought { effects.append(.find(first.id, row: slot.row, locating: true)) }
    }
    record(facts)
    show()
  }

  /// Shows the current track as paused, with nothing given to the engine.
  mutating func lineUpCold(_ item: QueueItem? = nil) {
    guard let slot = queue.currentSlot else { return }
    let item = item ?? tracks.first { $0.row == slot.row }?.item
    tracks = [PreparedTrack(id: nextCue(), row: slot.row, item: item, start: .zero, stage: .waiting)]
    if item == nil { effects.append(.find(tracks[0].id, row: slot.row, locating: false)) }
  }

  /// Takes up what the queue now has as current, in the spirit of what was before: sounding, paused or not begun.
  mutating func goToCurrent(_ facts: [RoomFact], at now: Now) {
    guard queue.current != nil else {
      effects.append(.engine(.stop))
      return becomeIdle(facts, at: now)
    }
    retry = nil
    switch phase {
    case .idle, .cold:
      phase = .cold
      lineUpCold()
      setAnchor(.zero, at: now)
      record(facts)
      show()
    case .failed:
      wantsSound = true
      open(at: .zero, facts, at: now)
    case .engaged: open(at: .zero, facts, at: now)
    }
  }

  /// Nothing is current any more.
  mutating func becomeIdle(_ facts: [RoomFact], at now: Now) {
    phase = .idle
    wantsSound = false
    forgetInterruptions()
    tracks = []
    isFlowing = false
    silentSince = nil
    graceUntil = nil
    locateAt = nil
    prepareAt = nil
    failuresInRow = 0
    retry = nil
    cut = nil
    dryUntil = nil
    rest = Rest(nextRow: queue.nextRow)
    setAnchor(.zero, at: now)
    record(facts)
    show()
  }

  /// Sound cannot go on: all stays as it is until a person resumes, or until the next try.
  mutating func fail(_ error: LunaraError, _ facts: [RoomFact] = [], retries: Bool = false, at now: Now) {
    let facts = facts + haltFlow(at: now)
    phase = .failed(error)
    if retries, wantsSound { planRetry(error, at: now) } else { retry = nil }
    tracks = tracks.prefix(1).map { track in
      // Who takes long to say where it is may need as long the next time.
      let isSought = track.stage == .locating && locateAt == nil
      var kept = PreparedTrack(
        id: isSought ? track.id : nextCue(), row: track.row, item: track.item, start: .zero, stage: .waiting,
        duration: track.duration)
      kept.isSought = isSought
      return kept
    }
    silentSince = nil
    graceUntil = nil
    locateAt = nil
    prepareAt = nil
    effects.append(.engine(.stop))
    record(facts)
    show()
  }

  /// The item in a row was read; nil where the row is gone.
  mutating func found(_ id: CueID, _ item: QueueItem?, beside neighbours: NeighbouringTracks = NeighbouringTracks(), at now: Now) {
    guard let index = tracks.firstIndex(where: { $0.id == id }) else { return }
    // Read anew for its level only, while the queue has changed again.
    if item == nil, tracks[index].stage == .prepared { return }
    let before = level(of: tracks[index])
    tracks[index].item = item
    tracks[index].neighbours = neighbours
    if tracks[index].stage == .prepared, level(of: tracks[index]) != before { prepareAnew(at: now) }
    if item == nil {
      let error = LunaraError("playback.itemMissing", "An item of the queue of \(room) cannot be read. Remove it.")
      return located(id, .failure(error), at: now)
    }
    guard index == 0 else { return }
    if phase == .cold { closeForgottenListen() }
    show()
  }

  /// The place of a track's audio was found, or not.
  mutating func located(_ id: CueID, _ result: Result<Library.Locator, LunaraError>, at now: Now) {
    if let index = tracks.firstIndex(where: { $0.renewal == id }) { return renewed(index, result, at: now) }
    if let first = tracks.first, first.id == id, first.isSought { return foundLate(result, at: now) }
    guard let index = tracks.firstIndex(where: { $0.id == id }), tracks[index].stage == .locating else { return }
    switch result {
    case .success(let locator):
      tracks[index].take(locator, at: now)
      if index == 0 { return handFirst(at: now) }
      tracks[index].stage = .prepared
      effects.append(.engine(.prepare(cue(of: tracks[index], locator))))
    case .failure(let error) where index > 0:
      // Its turn has not come, so nobody need know yet.
      if error.isPassing || error.isOutage {
        prepareAt = now.moment + Milliseconds(error.isPassing ? 3000 : 10_000)
      } else {
        unpreparable = tracks[index].row
      }
      tracks.removeSubrange(index...)
    case .failure(let error) where error.isPassing:
      lastTrouble = error
      locateAt = now.moment + Milliseconds(1000)
    case .failure(let error):
      tracks[0].stage = .waiting
      trackFailed(error, at: now)
    }
  }

  /// What the engine is told of a track.
  func cue(of track: PreparedTrack, _ locator: Library.Locator) -> Cue {
    Cue(id: track.id, locator: locator, start: track.start, gain: level(of: track))
  }

  /// What a track's level is changed by, in dB; nil for nothing.
  private func level(of track: PreparedTrack) -> Double? {
    track.item.flatMap {
      output.levelling.gain(
        of: $0.track, before: track.neighbours.before, after: track.neighbours.after, preamp: output.preamp)
    }
  }

  private mutating func handFirst(at now: Now) {
    guard let locator = tracks[0].locator else { return }
    tracks[0].stage = .handed
    effects.append(.engine(.play(cue(of: tracks[0], locator), paused: !wantsSound)))
    prepareNext(at: now)
  }

  /// Sees to it that the engine has exactly one track to go on with after the one that it decodes: the one that
  /// follows in the queue.
  mutating func prepareNext(at now: Now) {
    // What the engine has yet to take up would be replaced by the one after it.
    guard phase == .engaged, let first = tracks.first, first.stage != .locating, first.stage != .prepared else {
      return
    }
    let ahead = tracks.dropFirst().prefix { $0.stage == .decoding }.count
    // Where the room is to stop then, what the engine has gone on to is stopped when its turn comes.
    for index in 0..<ahead where !stopsAfterCurrent && tracks[index + 1].row != queue.slot(ahead: index + 1)?.row {
      return leaveForNext(at: now)
    }
    let wanted = stopsAfterCurrent ? nil : queue.slot(ahead: ahead + 1)
    if tracks.count > ahead + 1 {
      guard tracks[ahead + 1].row != wanted?.row else { return }
      if tracks[ahead + 1].stage == .prepared { effects.append(.engine(.prepare(nil))) }
      tracks.removeSubrange((ahead + 1)...)
    }
    guard let wanted, wanted.row != unpreparable else { return }
    prepareAt = nil
    let next = PreparedTrack(id: nextCue(), row: wanted.row, start: .zero, stage: .locating)
    tracks.append(next)
    effects.append(.find(next.id, row: wanted.row, locating: true))
  }

  /// The engine has gone on to a track that is no longer the next one: the present one is in its last moments, so the
  /// right one is started in its place.
  mutating func leaveForNext(at now: Now) {
    let facts = closeListen(.finished, at: now)
    let wasWanted = wantsToGoOn && !stopsAfterCurrent
    queue.advance()
    if stopsAfterCurrent { stopHere(facts, at: now) } else { goToCurrent(facts, at: now) }
    runDry(if: wasWanted, at: now)
  }

  /// The current track cannot be played, or not on.
  mutating func trackFailed(_ error: LunaraError, at now: Now) {
    if error.isOutage { return fail(error, retries: true, at: now) }
    if error.code == "playback.streamRefused", reopenRefused(at: now) { return }
    var error = error
    if let cut, let first = tracks.first, cut.row == first.row, error.code == "playback.notAudio" {
      // It was audio before: its stream has nothing more where it broke.
      if reopenCut(at: cut.at, [], now) { return }
      error = Self.cutShort(first.item?.track.title ?? "A track", at: cut.at, of: duration)
    }
    var facts: [RoomFact] = tracks.first?.item.map { [.failed($0, error)] } ?? []
    facts += closeListen(.failed, at: now)
    failuresInRow += 1
    guard failuresInRow < Self.failureLimit else {
      setAnchor(.zero, at: now)
      let message =
        "\(Self.failureLimit) tracks in a row could not be played, so \(room) stopped. See to it and resume, or choose another."
      return fail(LunaraError("playback.tooManyFailures", message, cause: error.description), facts, at: now)
    }
    let wasWanted = wantsToGoOn && !stopsAfterCurrent
    queue.skip()
    stepToNext(facts, at: now)
    runDry(if: wasWanted, at: now)
  }

  /// The engine has left the first track: the next one is current, and plays by itself if the engine has it.
  mutating func stepToNext(_ facts: [RoomFact], at now: Now) {
    if stopsAfterCurrent { return stopHere(facts, at: now) }
    tracks.removeFirst()
    isFlowing = false
    retry = nil
    cut = nil
    setAnchor(.zero, at: now)
    guard let slot = queue.currentSlot else {
      effects.append(.engine(.stop))
      return becomeIdle(facts, at: now)
    }
    guard let first = tracks.first, first.row == slot.row else {
      return open(at: .zero, facts, at: now)
    }
    silentSince = wantsSound ? now.moment : nil
    record(facts)
    show()
    prepareNext(at: now)
  }

  /// The room was to stop when the track was over: what follows waits for a person.
  private mutating func stopHere(_ facts: [RoomFact], at now: Now) {
    stopsAfterCurrent = false
    effects.append(.engine(.stop))
    guard queue.current != nil else { return becomeIdle(facts, at: now) }
    phase = .cold
    wantsSound = false
    isFlowing = false
    silentSince = nil
    graceUntil = nil
    locateAt = nil
    prepareAt = nil
    retry = nil
    lineUpCold()
    setAnchor(.zero, at: now)
    record(facts)
    show()
  }
}

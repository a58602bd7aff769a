import Messages
import Model
import ServiceKit

extension RoomMachine {
  /// Opens the current track in place of the track that the engine plays: at a position, or if that is nil, where the
  /// track was left or at its beginning. `wantsSound` and `recovery` are unchanged if nil.
  mutating func open(
    at start: Milliseconds?, known: PreparedTrack? = nil, wantsSound: Bool? = nil, recovery: Recovery? = nil,
    _ facts: [RoomFact] = [], at now: Now
  ) {
    guard let slot = queue.currentSlot else { return becomeIdle(facts, at: now) }
    let facts = facts + markSoundStopped(at: now)
    let known =
      known ?? tracks.first { $0.row == slot.row }
      ?? PreparedTrack(id: CueID(number: 0), row: slot.row, start: .zero, stage: .waiting)
    let isChosen = start != nil && !known.startsWhereLeft
    let start = start ?? self.start(of: known.item)
    // A request for the locator that is still running keeps this id, so that its answer is recognised.
    var first = known.reopened(as: known.isSought ? known.id : nextCue(), at: start, now)
    first.startsWhereLeft = !isChosen && first.item == nil
    var recovery = recovery ?? phase.recovery
    if recovery.cut?.row != slot.row { recovery.cut = nil }
    restoreVolume()
    phase = .engaged(Playing(first, wantsSound: wantsSound ?? self.wantsSound, recovery: recovery, at: now))
    position.set(start, at: now)
    if first.locator != nil {
      playFirst(at: now)
    } else {
      // The former track must not play on while the new one is being located.
      effects.append(.engine(.pause(true)))
      if !known.isSought {
        effects.append(.find(first.id, row: slot.row, locating: true, failed: first.failedPlugins))
      }
    }
    recordAndPublish(facts)
  }

  /// Goes to the queue's current item, which plays, is paused or stays unloaded, as the room was before. It starts at
  /// `start`, or if that is nil, where it was left or at its beginning.
  mutating func goToCurrent(_ facts: [RoomFact], from start: Milliseconds? = nil, at now: Now) {
    guard queue.current != nil else {
      effects.append(.engine(.stop))
      return becomeIdle(facts, at: now)
    }
    var recovery = phase.recovery
    recovery.retry = nil
    passedOver = nil
    switch phase {
    case .idle, .unloaded: becomeUnloaded(facts, at: start, now)
    case .failed: open(at: start, wantsSound: true, recovery: recovery, facts, at: now)
    case .engaged: open(at: start, recovery: recovery, facts, at: now)
    }
  }

  /// Pauses in the current track, without giving it to the engine: at a position, or if that is nil, where the track
  /// was left or at its beginning.
  mutating func becomeUnloaded(_ facts: [RoomFact], at start: Milliseconds? = nil, _ now: Now) {
    guard var track = unloadedTrack() else { return becomeIdle(facts, at: now) }
    track.startsWhereLeft = start == nil && track.item == nil
    phase = .unloaded(track)
    position.set(start ?? self.start(of: track.item), at: now)
    recordAndPublish(facts)
  }

  /// Returns the current track as one that the engine does not have, and reads its item if necessary; nil if nothing is
  /// current.
  mutating func unloadedTrack(_ item: QueueItem? = nil) -> PreparedTrack? {
    guard let slot = queue.currentSlot else { return nil }
    let item = item ?? tracks.first { $0.row == slot.row }?.item
    let track = PreparedTrack(id: nextCue(), row: slot.row, item: item, start: .zero, stage: .waiting)
    if item == nil { effects.append(.find(track.id, row: slot.row, locating: false)) }
    return track
  }

  /// Makes nothing current. `stopped` is the row that a person stopped; nil if the queue came to its end. `isUse` is
  /// false if the queue left for another room, which from then on is the one that was used last.
  mutating func becomeIdle(_ facts: [RoomFact], stopped: Int64? = nil, isUse: Bool = true, at now: Now) {
    phase = .idle(
      IdleCause(cause: stopped.map { .stopped(row: $0) } ?? .endOfQueue(waitsUntil: nil), nextRow: queue.nextRow))
    interruptions = Interruptions()
    plannedStop = .never
    if isUse { position.set(.zero, at: now) } else { position.reset(at: now) }
    recordAndPublish(facts)
  }

  /// Stops with an error until a person resumes, or until the next automatic attempt.
  mutating func fail(_ error: LunaraError, _ facts: [RoomFact] = [], retries: Bool = false, at now: Now) {
    let facts = facts + markSoundStopped(at: now)
    guard let first = tracks.first else { return }
    var recovery = phase.recovery
    if retries, wantsSound { recovery.planRetry(error, at: now) } else { recovery.retry = nil }
    // The router is still locating the track; a new request might take as long again, so this one is kept.
    let isSought = first.stage == .locating && playing?.locateAt == nil
    var track = PreparedTrack(
      id: isSought ? first.id : nextCue(), row: first.row, item: first.item, start: .zero, stage: .waiting,
      duration: first.duration)
    track.isSought = isSought
    phase = .failed(Failure(error: error, track: track, wantsSound: wantsSound, recovery: recovery))
    effects.append(.engine(.stop))
    recordAndPublish(facts)
  }

  /// Goes on after the first track: the next one becomes current, and needs no command if the engine has prepared it.
  mutating func stepToNext(_ facts: [RoomFact], at now: Now) {
    if stopsAfterCurrent { return stopHere(facts, at: now) }
    guard let slot = queue.currentSlot else {
      effects.append(.engine(.stop))
      return becomeIdle(facts, at: now)
    }
    playing?.recovery.retry = nil
    playing?.recovery.cut = nil
    // A track that was not fetched in time is streamed.
    guard let following = tracks.dropFirst().first, following.row == slot.row, following.stage != .fetching else {
      // The next round of a repeated track keeps all that is known of the track, except the position.
      let next = tracks.dropFirst().first { $0.row == slot.row }
      playing?.isFlowing = false
      return open(
        at: nil, known: next ?? PreparedTrack(id: CueID(number: 0), row: slot.row, start: .zero, stage: .waiting),
        facts, at: now)
    }
    tracks.removeFirst()
    playing?.hold(at: now)
    position.set(following.start, at: now)
    recordAndPublish(facts)
    prepareNext(at: now)
  }

  /// Replaces a track to which the engine has gone on though it is no longer the next one. The current track is at its
  /// very end, so the right one is started now.
  mutating func leaveForNext(at now: Now) {
    let facts = closeListen(.finished, at: now)
    let wasWanted = wantsToGoOn && !stopsAfterCurrent
    queue.advance()
    if stopsAfterCurrent { stopHere(facts, at: now) } else { goToCurrent(facts, at: now) }
    waitForMore(if: wasWanted, at: now)
  }

  /// Stops at the start of the next track, as the room was to stop after the current one.
  private mutating func stopHere(_ facts: [RoomFact], at now: Now) {
    plannedStop = .never
    effects.append(.engine(.stop))
    becomeUnloaded(facts, now)
  }
}

// MARK: - Listens at a change

extension RoomMachine {
  /// Handles that the host's clock was set.
  mutating func clockWasSet(_ step: ClockStep) {
    meter.apply(step)
    recordAndPublish()
  }

  /// Ends the present listen, with the heard time until now.
  mutating func closeListen(_ reason: Playback.EndReason, at now: Now) -> [RoomFact] {
    leaveCurrent(reason, at: now)
    let facts = isFlowing ? meter.advance(to: position(at: now), at: now.moment) : []
    playing?.isFlowing = false
    return facts + meter.end(reason)
  }

  /// Records that sound no longer flows; the listen may continue.
  mutating func markSoundStopped(at now: Now) -> [RoomFact] {
    guard isFlowing else { return [] }
    let position = position(at: now)
    playing?.isFlowing = false
    self.position.set(position, at: now)
    return meter.hold(at: position, now.moment, .pause)
  }

  /// Ends a listen of an earlier run whose entry is no longer current: the room had gone on to another item, and was
  /// killed before it stored the end of the listen.
  mutating func endStaleListen() {
    guard let listen = meter.listen else { return }
    if case .unloaded(let track) = phase, track.item?.entry == listen.subject.item.entry { return }
    let length = listen.subject.item.track.duration
    let isWhole = length > .zero && listen.heard + Self.storeInterval + Milliseconds(2000) >= length
    record(meter.end(isWhole ? .finished : .skipped))
  }
}

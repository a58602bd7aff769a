import Messages
import Model

/// The commands of people. Each of them may be repeated without harm.
extension RoomMachine {
  /// The position in a track after which `previous` restarts it.
  static let restartThreshold = Milliseconds(3000)

  /// Carries out a command; the index of a jump must already be that of its entry. Throws `playback.nothingCurrent`,
  /// `playback.nothingQueued`, `playback.noSuchItem`, `playback.badSetting`, and `playback.moving` while the room is
  /// held for a move. Changes that were made before an error stay.
  mutating func handle(_ action: Playback.Transport.Action, at now: Now) throws(LunaraError) {
    // The person meant another track, which was current when they gave the command.
    if case .seek(_, let entry?) = action, tracks.first?.item?.entry != entry { return }
    if action.changesWhatPlays { try refuseWhileMoving(at: now) }
    dropInterruptions(for: action)
    switch action {
    case .resume: try play(at: now)
    case .pause: pause(at: now)
    case .toggle: if isEngaged, wantsSound { pause(at: now) } else { try play(at: now) }
    case .next: next(at: now)
    case .previous: previous(at: now)
    case .stop: stop(at: now)
    case .seek(let target, _): try seek(to: target, at: now)
    case .skip(let offset): try seek(to: position(at: now) + offset.clamped(to: Self.longest), at: now)
    case .volume(let percent): setVolume(percent)
    case .jump(let index, _): try jump(to: index, at: now)
    case .mute(let isOn): setMuted(isOn)
    case .repeats(let mode): try setRepeats(mode, at: now)
    case .stopAfterCurrent(let isOn): setStop(.afterTrack, isOn, at: now)
    case .stopAfterAlbum(let isOn): setStop(.afterAlbum(AlbumEnd()), isOn, at: now)
    case .sleep(let time): setSleep(after: time, at: now)
    }
  }

  /// The largest position or offset in a track that is used in calculations.
  private static let longest = Milliseconds(7 * 24 * 3_600_000)

  /// Resumes, or starts if nothing is current.
  private mutating func play(at now: Now) throws(LunaraError) {
    guard case .idle(let rest) = phase else { return resume(at: now) }
    if let index = startIndexWhenIdle { return try jump(to: index, at: now) }
    // The whole queue was played: the room waits for more of its continuation.
    if case .endOfQueue? = rest?.cause, queue.continues { return waitForMore(if: true, at: now) }
    guard !queue.slots.isEmpty else {
      throw LunaraError(
        "playback.nothingQueued", "Nothing is queued in \(room). Choose something to play: `lunara play ALBUM`.")
    }
    try jump(to: 0, at: now)
  }

  /// Resumes if something is current.
  mutating func resume(at now: Now) {
    restoreVolume()
    switch phase {
    case .idle: return
    case .unloaded, .failed: open(at: position.anchor.position, wantsSound: true, recovery: Recovery(), at: now)
    case .engaged(var playing):
      guard !playing.wantsSound else { return }
      playing.wantsSound = true
      // If the pause has not reached the output yet, the sound may never stop.
      playing.silentSince = playing.isFlowing ? nil : now.moment
      if tracks.first?.stage == .audible { playing.graceUntil = now.moment + Playing.grace }
      phase = .engaged(playing)
      effects.append(.engine(.pause(false)))
      recordAndPublish()
    }
  }

  /// Pauses, and ends all retrying.
  mutating func pause(at now: Now) {
    stopWaitingForMore()
    pauseWhileHeld()
    switch phase {
    case .failed(let failure) where failure.recovery.retry != nil: phase = .unloaded(failure.track)
    case .engaged(var playing) where playing.wantsSound:
      // The engine reports later where exactly the sound stopped; until then the calculated position is used.
      position.set(position(at: now), at: now)
      playing.wantsSound = false
      playing.recovery.retry = nil
      playing.silentSince = nil
      playing.graceUntil = nil
      phase = .engaged(playing)
      effects.append(.engine(.pause(true)))
    default: return
    }
    recordAndPublish()
  }

  private mutating func next(at now: Now) {
    guard queue.current != nil else { return }
    let facts = closeListen(.skipped, at: now)
    let wasWanted = wantsToGoOn
    let before = queue.currentSlot?.row
    queue.skip()
    // A track that follows itself begins anew.
    let isSame = queue.currentSlot?.row == before
    if isSame, !tracks.isEmpty { tracks[0].startsWhereLeft = false }
    goToCurrent(facts, from: isSame ? .zero : nil, at: now)
    waitForMore(if: wasWanted, at: now)
  }

  private mutating func previous(at now: Now) {
    guard let current = queue.current else { return }
    guard position(at: now) <= Self.restartThreshold, current > 0 else { return moveWithin(to: .zero, at: now) }
    let facts = closeListen(.skipped, at: now)
    _ = queue.goBack()
    goToCurrent(facts, at: now)
  }

  /// Ends the sound, and makes nothing current.
  mutating func stop(at now: Now) {
    guard !isIdle else { return stopWaitingForMore() }
    let facts = closeListen(.skipped, at: now)
    let row = queue.currentSlot?.row
    queue.stop()
    effects.append(.engine(.stop))
    becomeIdle(facts, stopped: row, at: now)
  }

  private mutating func jump(to index: Int, at now: Now) throws(LunaraError) {
    let before = queue.currentSlot?.row
    try queue.jump(to: index)
    // Whoever chooses the track that plays wants it from its beginning.
    if before == queue.currentSlot?.row {
      if !tracks.isEmpty { tracks[0].startsWhereLeft = false }
      return open(at: .zero, wantsSound: true, recovery: Recovery(), at: now)
    }
    let facts = closeListen(.skipped, at: now)
    open(at: nil, wantsSound: true, recovery: Recovery(), facts, at: now)
  }

  private mutating func seek(to target: Milliseconds, at now: Now) throws(LunaraError) {
    guard !tracks.isEmpty else {
      throw LunaraError("playback.nothingCurrent", "Nothing is current in \(room), so no position can be set.")
    }
    if let duration, target >= duration { return next(at: now) }
    moveWithin(to: max(.zero, target.clamped(to: Self.longest)), at: now)
  }

  private mutating func moveWithin(to target: Milliseconds, at now: Now) {
    guard let first = tracks.first else { return }
    tracks[0].startsWhereLeft = false
    switch first.stage {
    case .waiting, .fetching: break
    case .locating: tracks[0].start = target
    case .prepared: return open(at: target, at: now)
    case .loaded, .decoding, .audible:
      // If the decoder has gone on to the next track, this one is opened again.
      guard !tracks.contains(where: { $0.stage == .decoding }) else { return open(at: target, at: now) }
      // The meter counts the heard time when the engine reports up to where sound flowed.
      playing?.jump(at: now)
      effects.append(.engine(.seek(first.id, to: target)))
    }
    position.set(target, at: now)
    recordAndPublish()
  }
}

extension Milliseconds {
  /// Returns the nearest length from `-limit` to `limit`.
  func clamped(to limit: Milliseconds) -> Milliseconds { max(Milliseconds(-limit.rawValue), min(limit, self)) }
}

extension Playback.Transport.Action {
  /// True if the action may change the current item or the position in it, or start sound.
  var changesWhatPlays: Bool {
    switch self {
    case .resume, .toggle, .next, .previous, .stop, .seek, .skip, .jump: true
    case .pause, .volume, .mute, .repeats, .stopAfterCurrent, .stopAfterAlbum, .sleep: false
    }
  }
}

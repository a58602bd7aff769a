import Messages
import Model

/// Commands of people. All of them can be given twice without harm.
extension RoomMachine {
  /// After so much of a track `previous` restarts it.
  static let restartThreshold = Milliseconds(3000)

  /// For so long a jump or the end of a pause is not shown as buffering.
  static let grace = Milliseconds(500)

  /// Carries out a command.
  ///
  /// The room has found out before where the entry of a jump is.
  ///
  /// - Throws: `playback.nothingCurrent`, `playback.nothingQueued`, `playback.noSuchItem`, `playback.badSetting`, and
  ///   `playback.moving` while the room is held for a move. What was done until then holds.
  mutating func handle(_ action: Playback.Transport.Action, at now: Now) throws(LunaraError) {
    // Meant for another track, which was the current one when a person looked.
    if case .seek(_, let entry?) = action, tracks.first?.item?.entry != entry { return }
    if action.changesWhatPlays { try refuseWhileMoving(at: now) }
    forgetInterruptions(for: action)
    switch action {
    case .resume: try play(at: now)
    case .pause: pause(at: now)
    case .toggle: if phase == .engaged, wantsSound { pause(at: now) } else { try play(at: now) }
    case .next: next(at: now)
    case .previous: previous(at: now)
    case .stop: stop(at: now)
    case .seek(let target, _): try seek(to: target, at: now)
    case .skip(let offset): try seek(to: position(at: now) + offset.within(Self.longest), at: now)
    case .volume(let percent): setVolume(percent)
    case .jump(let index, _): try jump(to: index, at: now)
    case .mute(let isOn): setMuted(isOn)
    case .repeats(let mode): try setRepeats(mode, at: now)
    case .stopAfterCurrent(let isOn): setStopsAfterCurrent(isOn, at: now)
    case .sleep(let time): setSleep(after: time, at: now)
    }
  }

  /// What is longer than this is no length of a track.
  private static let longest = Milliseconds(7 * 24 * 3_600_000)

  /// Plays on; where nothing is current, begins.
  private mutating func play(at now: Now) throws(LunaraError) {
    guard phase == .idle else { return resume(at: now) }
    if let index = restIndex { return try jump(to: index, at: now) }
    // All of it was played: more of what it goes on with is wanted, from now on.
    if let rest, rest.stopped == nil, queue.continuation != nil { return runDry(if: true, at: now) }
    guard !queue.slots.isEmpty else {
      throw LunaraError(
        "playback.nothingQueued", "Nothing is queued in \(room). Choose something to play: `lunara play ALBUM`.")
    }
    try jump(to: 0, at: now)
  }

  /// Plays on where something is current.
  mutating func resume(at now: Now) {
    unfade()
    switch phase {
    case .idle: return
    case .cold, .failed:
      wantsSound = true
      failuresInRow = 0
      retry = nil
      cut = nil
      open(at: anchor.position, at: now)
    case .engaged:
      guard !wantsSound else { return }
      wantsSound = true
      // Where the pause has not reached the sound yet, it may never stop.
      silentSince = isFlowing ? nil : now.moment
      // What was heard before is there at once.
      if tracks.first?.stage == .audible { graceUntil = now.moment + Self.grace }
      effects.append(.engine(.pause(false)))
      record()
      show()
    }
  }

  /// Holds the sound, and ends all trying again for it.
  mutating func pause(at now: Now) {
    leaveDry()
    pauseWhileHeld()
    if case .failed = phase, retry != nil {
      phase = .cold
      wantsSound = false
      retry = nil
      record()
      return show()
    }
    guard phase == .engaged, wantsSound else { return }
    retry = nil
    // The engine says where exactly the sound held; until then this is where it should be.
    setAnchor(position(at: now), at: now)
    wantsSound = false
    silentSince = nil
    graceUntil = nil
    effects.append(.engine(.pause(true)))
    record()
    show()
  }

  private mutating func next(at now: Now) {
    guard queue.current != nil else { return }
    let facts = closeListen(.skipped, at: now)
    let wasWanted = wantsToGoOn
    queue.skip()
    goToCurrent(facts, at: now)
    runDry(if: wasWanted, at: now)
  }

  private mutating func previous(at now: Now) {
    guard let current = queue.current else { return }
    guard position(at: now) <= Self.restartThreshold, current > 0 else { return moveWithin(to: .zero, at: now) }
    let facts = closeListen(.skipped, at: now)
    _ = queue.goBack()
    goToCurrent(facts, at: now)
  }

  /// Ends the sound; nothing is current.
  mutating func stop(at now: Now) {
    guard phase != .idle else { return leaveDry() }
    let facts = closeListen(.skipped, at: now)
    let row = queue.currentSlot?.row
    queue.stop()
    effects.append(.engine(.stop))
    becomeIdle(facts, at: now)
    rest?.stopped = row
  }

  private mutating func jump(to index: Int, at now: Now) throws(LunaraError) {
    let before = queue.currentSlot?.row
    try queue.jump(to: index)
    wantsSound = true
    failuresInRow = 0
    retry = nil
    let facts = before == queue.currentSlot?.row ? [] : closeListen(.skipped, at: now)
    open(at: .zero, facts, at: now)
  }

  private mutating func seek(to target: Milliseconds, at now: Now) throws(LunaraError) {
    guard !tracks.isEmpty else {
      throw LunaraError("playback.nothingCurrent", "Nothing is current in \(room), so there is nowhere to jump.")
    }
    if let duration, target >= duration { return next(at: now) }
    moveWithin(to: max(.zero, target.within(Self.longest)), at: now)
  }

  /// Jumps within the current track.
  private mutating func moveWithin(to target: Milliseconds, at now: Now) {
    guard let first = tracks.first else { return }
    switch first.stage {
    case .waiting: break
    case .locating: tracks[0].start = target
    case .prepared: return open(at: target, at: now)
    case .handed, .decoding, .audible:
      // Where the decoder has gone on to the next track, this one is started anew.
      guard !tracks.contains(where: { $0.stage == .decoding }) else { return open(at: target, at: now) }
      // The engine reports up to where sound flowed, which the meter waits for.
      if isFlowing { graceUntil = now.moment + Self.grace }
      isFlowing = false
      silentSince = wantsSound ? now.moment : nil
      effects.append(.engine(.seek(first.id, to: target)))
    }
    setAnchor(target, at: now)
    record()
    show()
  }
}

extension Milliseconds {
  /// The nearest length of at most `limit`, forward or back.
  func within(_ limit: Milliseconds) -> Milliseconds { max(Milliseconds(-limit.rawValue), min(limit, self)) }
}

extension Playback.Transport.Action {
  /// Whether it would change what is current, where in it, or that it is held.
  fileprivate var changesWhatPlays: Bool {
    switch self {
    case .resume, .toggle, .next, .previous, .stop, .seek, .skip, .jump: true
    case .pause, .volume, .mute, .repeats, .stopAfterCurrent, .sleep: false
    }
  }
}

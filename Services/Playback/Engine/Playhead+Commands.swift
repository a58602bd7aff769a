import Model

extension Playhead {
  mutating func handle(_ command: EngineCommand, at now: MonotonicTime) -> [Action] {
    switch command {
    case .play(let cue, let paused):
      var actions: [Action] = []
      let ready = entryOfPrepared(cue)
      forget()
      if paused != isPaused {
        isPaused = paused
        actions.append(.player(.pause(paused)))
      }
      return actions + [ready.map { skip(to: cue, $0) } ?? load(cue)]
    case .prepare(let cue): return prepare(cue, at: now)
    case .pause(let held): return pause(held, at: now)
    case .seek(let id, let target): return seek(id, to: target, at: now)
    case .stop:
      forget()
      return [.player(.stop)]
    case .volume(let percent, let length): return fader.change(to: percent, over: length, at: now)
    case .mute(let isMuted): return [.player(.mute(isMuted))]
    case .output, .listDevices: return []
    }
  }

  mutating func load(_ cue: Cue) -> Action {
    pending = cue
    isIdle = false
    return add(cue, append: false)
  }

  mutating func append(_ cue: Cue) -> Action {
    prepared = cue
    return add(cue, append: true)
  }

  private mutating func add(_ cue: Cue, append: Bool) -> Action {
    let mark = nextMark()
    adding[mark] = cue
    return .player(.load(cue, append: append, mark: mark))
  }

  private mutating func prepare(_ cue: Cue?, at now: MonotonicTime) -> [Action] {
    var actions: [Action] = []
    if let replaced = prepared {
      closeFile(of: replaced.id)
      actions.append(.player(.clearPrepared))
    }
    prepared = nil
    if let cue, !isIdle, let more = continueFile(with: cue, at: now) { return actions + more }
    actions += endFile()
    guard let cue else { return actions }
    // libmpv does not start a file that is added while it is idle.
    guard !isIdle else { return actions + [.report(.exhausted(cue.id))] }
    return actions + [append(cue)]
  }

  /// Lets go of the file of a cue that was replaced. libmpv may already have started it, so its number stays in
  /// `entries`.
  private mutating func closeFile(of id: CueID) {
    for (entry, cue) in entries where cue.id == id { entries[entry]?.file = nil }
    for (mark, cue) in adding where cue.id == id { adding[mark]?.file = nil }
  }

  private mutating func pause(_ held: Bool, at now: MonotonicTime) -> [Action] {
    guard held != isPaused else { return [] }
    isPaused = held
    if !held, self.held != nil { return [.player(.pause(false))] + reopenHeld() }
    isStalled = false
    let command = Action.player(.pause(held))
    guard pending == nil, let head = openCues.first, head.hasBegun else { return [command] }
    return [command, askPosition(at: now)]
  }

  /// Jumps within the open file, or opens it again if the decoder has already left it.
  private mutating func seek(_ id: CueID, to target: Milliseconds, at now: MonotonicTime) -> [Action] {
    let target = max(.zero, target)
    if let opening = pending, opening.id == id { return reopen(opening, at: target) }
    if held?.id == id {
      held?.start = target
      return []
    }
    guard let head = openCues.first, head.cue.id == id else { return [] }
    var actions: [Action] = []
    if isFlowing { actions.append(reportHold(at: position(at: now), .seek, now)) }
    guard openCues.count == 1, head.phase == .running else { return actions + reopen(head.cue, at: target) }
    isSeeking = true
    isStalled = false
    positionRequest = nil
    openCues[0].from = target
    anchor = (target, now)
    return actions + [.player(.seek(head.cue, to: target))]
  }

  /// Returns the entry of the prepared file in libmpv's list, if its cue differs from `cue` only in the id.
  private func entryOfPrepared(_ cue: Cue) -> Ready? {
    guard let prepared, pending == nil, !isIdle else { return nil }
    var same = cue
    same.id = prepared.id
    guard same == prepared else { return nil }
    if let entry = entries.first(where: { $0.value.id == prepared.id })?.key { return .entry(entry) }
    return adding.first { $0.value.id == prepared.id }.map { .mark($0.key) }
  }

  /// The entry of a prepared file in libmpv's list: its number, or the mark of its load command while the number is
  /// unknown.
  private enum Ready {
    case entry(Int64)
    case mark(UInt64)
  }

  /// Goes to the prepared file, which is open or about to be. If libmpv has just gone there by itself, the command has
  /// no effect.
  private mutating func skip(to cue: Cue, _ ready: Ready) -> Action {
    switch ready {
    case .entry(let entry): entries[entry] = cue
    case .mark(let mark): adding[mark] = cue
    }
    pending = cue
    return .player(.next)
  }

  private mutating func reopen(_ cue: Cue, at start: Milliseconds) -> [Action] {
    forget()
    var cue = cue
    cue.start = start
    return [load(cue), .report(.reopened(cue.id))]
  }

  mutating func reportHold(at position: Milliseconds, _ reason: HoldReason, _ now: MonotonicTime) -> Action {
    isFlowing = false
    anchor = (position, now)
    advancedAt = nil
    return .report(.halted(openCues[0].cue.id, position, reason))
  }
}

/// The volume of the player, and a gradual change of it.
struct Fader: Hashable, Sendable {
  struct Fade: Hashable, Sendable {
    /// The volume at the start, in percent.
    var from: Double
    var to: Double
    var start: MonotonicTime
    var length: Milliseconds
    var due: MonotonicTime

    /// Returns the volume at a time. libmpv's loudness is the cube of the percentage, so equal steps sound equal.
    func level(at now: MonotonicTime) -> Double {
      let part = Double((now - start).rawValue) / Double(max(1, length.rawValue))
      return from + (to - from) * max(0, min(1, part))
    }
  }

  /// The volume that was last sent to libmpv, in percent.
  private(set) var volume: Double
  private(set) var fade: Fade?

  /// The length of a step: too short to be heard as a step, and long enough to need little processing.
  static let step = Milliseconds(20)

  var deadline: MonotonicTime? { fade?.due }

  /// Changes the volume to a percentage within a time.
  mutating func change(to percent: Int, over length: Milliseconds, at now: MonotonicTime) -> [Playhead.Action] {
    let target = Double(max(0, min(100, percent)))
    guard length > .zero, volume != target else {
      fade = nil
      return set(target)
    }
    fade = Fade(from: volume, to: target, start: now, length: length, due: now + Self.step)
    return []
  }

  mutating func wake(at now: MonotonicTime) -> [Playhead.Action] {
    guard let fade, now >= fade.due else { return [] }
    self.fade = now - fade.start >= fade.length ? nil : fade
    self.fade?.due = now + Self.step
    return set(fade.level(at: now))
  }

  private mutating func set(_ level: Double) -> [Playhead.Action] {
    volume = level
    return [.player(.volume(level))]
  }
}

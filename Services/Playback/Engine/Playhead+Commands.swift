import Model

/// What commands do to the playhead.
extension Playhead {
  /// Takes a command.
  mutating func handle(_ command: EngineCommand, at now: Moment) -> [Action] {
    switch command {
    case .play(let cue, let paused):
      var actions: [Action] = []
      forget()
      if paused != isPaused {
        isPaused = paused
        actions.append(.player(.pause(paused)))
      }
      return actions + [load(cue)]
    case .prepare(let cue): return prepare(cue)
    case .pause(let held): return pause(held, at: now)
    case .seek(let id, let target): return seek(id, to: target, at: now)
    case .stop:
      forget()
      return [.player(.stop)]
    case .volume(let percent, _): return [.player(.volume(max(0, min(100, percent))))]
    case .mute, .output, .listDevices: return []
    }
  }

  /// Drops all that is heard, decoded or prepared.
  mutating func forget() {
    segments = []
    pending = nil
    prepared = nil
    entries = [:]
    adding = [:]
    isStarving = false
    isStalled = false
    isSeeking = false
    isFlowing = false
    anchor = nil
    advancedAt = nil
    question = nil
  }

  private mutating func load(_ cue: Cue) -> Action {
    pending = cue
    isIdle = false
    return add(cue, append: false)
  }

  private mutating func append(_ cue: Cue) -> Action {
    prepared = cue
    return add(cue, append: true)
  }

  private mutating func add(_ cue: Cue, append: Bool) -> Action {
    let mark = nextMark()
    adding[mark] = cue
    return .player(.load(cue, append: append, mark: mark))
  }

  private mutating func prepare(_ cue: Cue?) -> [Action] {
    var actions: [Action] = []
    // The number of what is replaced is kept: libmpv may have started it already.
    if prepared != nil { actions.append(.player(.clearPrepared)) }
    prepared = nil
    guard let cue else { return actions }
    // A file added to an idle player would wait there for ever.
    guard !isIdle else { return actions + [.report(.exhausted(cue.id))] }
    return actions + [append(cue)]
  }

  private mutating func pause(_ held: Bool, at now: Moment) -> [Action] {
    guard held != isPaused else { return [] }
    isPaused = held
    isStalled = false
    let command = Action.player(.pause(held))
    guard pending == nil, let head = segments.first, head.hasBegun else { return [command] }
    return [command, ask(at: now)]
  }

  /// Jumps within the open file; opens it again where the decoder has already left it.
  private mutating func seek(_ id: CueID, to target: Milliseconds, at now: Moment) -> [Action] {
    if let opening = pending, opening.id == id { return reopen(opening, at: target) }
    guard let head = segments.first, head.cue.id == id else { return [] }
    var actions: [Action] = []
    if isFlowing { actions.append(halt(at: position(at: now), .seek, now)) }
    guard segments.count == 1, head.phase == .running else { return actions + reopen(head.cue, at: target) }
    isSeeking = true
    isStalled = false
    question = nil
    segments[0].from = target
    anchor = (target, now)
    return actions + [.player(.seek(target))]
  }

  private mutating func reopen(_ cue: Cue, at start: Milliseconds) -> [Action] {
    forget()
    var cue = cue
    cue.start = start
    return [load(cue), .report(.reopened(cue.id))]
  }

  /// Notes that sound holds at a position.
  mutating func halt(at position: Milliseconds, _ reason: Halt, _ now: Moment) -> Action {
    isFlowing = false
    anchor = (position, now)
    advancedAt = nil
    return .report(.halted(segments[0].cue.id, position, reason))
  }
}

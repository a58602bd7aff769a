import Model

/// What libmpv's words do to the playhead.
extension Playhead {
  /// Takes a signal.
  mutating func handle(_ signal: PlayerSignal, at now: MonotonicTime) -> [Action] {
    switch signal {
    case .added(let mark, let entry): return added(mark, entry)
    case .started(let entry): return started(entry)
    case .restarted: return restarted(at: now)
    case .position(let mark, let seconds):
      guard let question, question.mark == mark else { return [] }
      self.question = nil
      return place(seconds.map { Milliseconds(seconds: $0) }, at: now)
    case .unloading(let end):
      guard pending == nil, let end, let last = segments.indices.last else { return [] }
      segments[last].end = max(segments[last].cue.start, Milliseconds(seconds: end))
      return []
    case .ended(let entry, let ending): return ended(entry, ending, at: now)
    case .idle: return idle()
    case .starving(let isStarving): return starving(isStarving, at: now)
    case .duration(let seconds):
      guard pending == nil, let seconds, seconds > 0, let last = segments.indices.last else { return [] }
      let duration = Milliseconds(seconds: seconds)
      segments[last].duration = duration
      return [.report(.duration(segments[last].cue.id, duration))]
    case .cached(let seconds): return cached(upTo: seconds)
    case .output, .devices: return []
    case .shutdown:
      forget()
      return []
    }
  }

  private mutating func added(_ mark: UInt64, _ entry: Int64?) -> [Action] {
    guard let cue = adding.removeValue(forKey: mark) else { return [] }
    if let entry {
      entries[entry] = cue
      return []
    }
    if prepared?.id == cue.id { prepared = nil }
    guard pending?.id == cue.id else { return [] }
    pending = nil
    return [.fail(cue, .unopenable)]
  }

  private mutating func started(_ entry: Int64) -> [Action] {
    guard let cue = entries[entry] else { return [] }
    isStarving = false
    cached = nil
    segments.append(Segment(cue))
    if pending?.id == cue.id {
      pending = nil
      return []
    }
    if prepared?.id == cue.id { prepared = nil }
    return [.report(.decoding(cue.id))]
  }

  private mutating func restarted(at now: MonotonicTime) -> [Action] {
    guard pending == nil, let last = segments.indices.last else { return [] }
    if segments[last].phase == .opening { segments[last].phase = .running }
    isSeeking = false
    return [ask(at: now)]
  }

  private mutating func ended(_ entry: Int64, _ ending: PlayerSignal.Ending, at now: MonotonicTime) -> [Action] {
    guard let cue = entries.removeValue(forKey: entry), let last = segments.indices.last,
      segments[last].cue.id == cue.id
    else { return [] }
    if ending == .noOutput { return outputEnded(at: now) }
    // A file of which nothing was decoded has not ended, whatever libmpv calls it.
    let isSilent = segments[last].phase == .opening
    segments[last].phase = .over(isSilent && ending == .endOfFile ? .unplayable : ending)
    // A list of files would now be played in place of the file.
    var actions: [Action] = ending == .redirected ? [.player(.stop)] : []
    if last == 0, isFailure(segments[0]) || ending == .cut { actions += dropFirst() }
    return actions
  }

  /// The core has nothing left to play and its output is empty.
  private mutating func idle() -> [Action] {
    guard pending == nil, held == nil else { return [] }
    var actions: [Action] = []
    while !segments.isEmpty { actions += dropFirst() }
    let late = prepared?.id
    forget()
    isIdle = true
    return actions + [.report(.exhausted(late))]
  }

  private mutating func starving(_ isStarving: Bool, at now: MonotonicTime) -> [Action] {
    guard isStarving != self.isStarving else { return [] }
    self.isStarving = isStarving
    guard pending == nil, !segments.isEmpty else { return [] }
    if !isStarving { return [ask(at: now)] }
    return isFlowing ? [halt(at: position(at: now), .starved, now)] : []
  }

  private func isFailure(_ segment: Segment) -> Bool {
    switch segment.phase {
    case .over(.endOfFile), .over(.stopped), .over(.cut), .opening, .running: false
    case .over: true
    }
  }

  /// Takes leave of the first segment: what there was of it has been heard, even where it was over too soon to be
  /// looked at.
  mutating func dropFirst() -> [Action] {
    let segment = segments.removeFirst()
    let wasFlowing = isFlowing
    isFlowing = false
    isStalled = false
    advancedAt = nil
    anchor = nil
    if case .over(let ending) = segment.phase, isFailure(segment) { return [.fail(segment.cue, ending)] }
    let id = segment.cue.id
    // Nothing of it was heard, not even nothing for a moment.
    if segment.phase == .over(.cut) { return [.report(.ended(id, segment.cue.start))] }
    var events: [EngineEvent] = segment.hasBegun ? [] : [.began(id)]
    if !wasFlowing, !isPaused, let from = segment.from { events.append(.flowing(id, min(from, segment.end))) }
    if wasFlowing || !isPaused && segment.from != nil { events.append(.position(id, segment.end)) }
    return (events + [.ended(id, segment.end)]).map { .report($0) }
  }
}

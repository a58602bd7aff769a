import Model

extension Playhead {
  mutating func handle(_ signal: PlayerSignal, at now: MonotonicTime) -> [Action] {
    switch signal {
    case .added(let mark, let entry): return added(mark, entry)
    case .started(let entry): return started(entry)
    case .restarted: return restarted(at: now)
    case .position(let mark, let seconds):
      guard let positionRequest, positionRequest.mark == mark else { return [] }
      self.positionRequest = nil
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
      return [.report(.opening(cue.id))]
    }
    if prepared?.id == cue.id { prepared = nil }
    return [.report(.decoding(cue.id))]
  }

  private mutating func restarted(at now: MonotonicTime) -> [Action] {
    guard pending == nil, let last = segments.indices.last else { return [] }
    if segments[last].phase == .opening { segments[last].phase = .running }
    isSeeking = false
    return [askPosition(at: now)]
  }

  private mutating func ended(_ entry: Int64, _ ending: PlayerSignal.Ending, at now: MonotonicTime) -> [Action] {
    guard let cue = entries.removeValue(forKey: entry), let last = segments.indices.last,
      segments[last].cue.id == cue.id
    else { return [] }
    if ending == .noOutput { return outputEnded(at: now) }
    // A file of which nothing was decoded has not ended, even if libmpv reports its end.
    let isSilent = segments[last].phase == .opening
    segments[last].phase = .over(isSilent && ending == .endOfFile ? .unplayable : ending)
    // libmpv would play the files of the list in place of this file.
    var actions: [Action] = ending == .redirected ? [.player(.stop)] : []
    if last == 0, isFailure(segments[0]) || ending == .cut { actions += dropFirst() }
    return actions
  }

  /// Handles that libmpv has nothing left to play and the output is empty.
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
    if !isStarving { return [askPosition(at: now)] }
    return isFlowing ? [reportHold(at: position(at: now), .starved, now)] : []
  }

  private func isFailure(_ segment: Segment) -> Bool {
    switch segment.phase {
    case .over(.endOfFile), .over(.stopped), .over(.cut), .opening, .running: false
    case .over: true
    }
  }

  /// Removes the first segment, and reports that it was heard to its end. If no position in it was read before, its
  /// beginning is reported as well.
  mutating func dropFirst() -> [Action] {
    let segment = segments.removeFirst()
    let wasFlowing = isFlowing
    isFlowing = false
    isStalled = false
    advancedAt = nil
    anchor = nil
    if case .over(let ending) = segment.phase, isFailure(segment) { return [.fail(segment.cue, ending)] }
    let id = segment.cue.id
    // Nothing of the segment was heard, so neither a beginning nor sound is reported.
    if segment.phase == .over(.cut) { return [.report(.ended(id, segment.cue.start))] }
    var events: [EngineEvent] = segment.hasBegun ? [] : [.began(id)]
    if !wasFlowing, !isPaused, let from = segment.from { events.append(.flowing(id, min(from, segment.end))) }
    if wasFlowing || !isPaused && segment.from != nil { events.append(.position(id, segment.end)) }
    return (events + [.ended(id, segment.end)]).map { .report($0) }
  }
}

/// The audible position.
extension Playhead {
  mutating func wake(at now: MonotonicTime) -> [Action] {
    let actions = fader.wake(at: now)
    guard let positionDeadline, now >= positionDeadline else { return actions }
    if positionRequest != nil, isFlowing {
      // libmpv does not answer. Sound that is not known to flow does not count as flowing.
      return actions + stall(at: now)
    }
    return actions + [askPosition(at: now)]
  }

  /// Handles libmpv's position, which counts from the start of the file that is decoded: it is negative while an
  /// earlier file is still heard, and nil while nothing is decoded.
  mutating func place(_ decoded: Milliseconds?, at now: MonotonicTime) -> [Action] {
    guard pending == nil, let last = segments.last else { return [] }
    guard last.phase == .running, let decoded else { return placeWithoutPosition(at: now) }
    guard decoded.rawValue < -5, segments.count > 1 else {
      return drop(segments.count - 1) + settle(at: max(decoded, .zero), now)
    }
    // The length of the earlier segments that is still to be heard.
    var left = Milliseconds(-decoded.rawValue)
    var index = segments.count - 2
    while index > 0, left > segments[index].length {
      left = left - segments[index].length
      index -= 1
    }
    let end = segments[index].end
    return drop(index) + settle(at: max(.zero, end - left), now)
  }

  private mutating func placeWithoutPosition(at now: MonotonicTime) -> [Action] {
    guard let head = segments.first, head.hasBegun else { return [] }
    if let tailEnd, isFlowing, now >= tailEnd, segments.count > 1 { return drop(1) }
    return settle(at: position(at: now), now)
  }

  private mutating func drop(_ count: Int) -> [Action] {
    var actions: [Action] = []
    for _ in 0..<max(0, count) { actions += dropFirst() }
    return actions
  }

  /// Reports the events that follow from an audible `position` in the first segment.
  private mutating func settle(at position: Milliseconds, _ now: MonotonicTime) -> [Action] {
    guard let head = segments.first else { return [] }
    let id = head.cue.id
    var actions: [Action] = []
    if !head.hasBegun {
      segments[0].hasBegun = true
      actions.append(.report(.began(id)))
    }
    let hasAdvanced = anchor.map { position > $0.position } ?? true
    if hasAdvanced || advancedAt == nil { advancedAt = now }
    if isStalled, hasAdvanced { isStalled = false }
    guard !isPaused, !isStarving, !isSeeking, !isStalled else {
      if isFlowing {
        return actions + [reportHold(at: position, isPaused ? .pause : isSeeking ? .seek : .starved, now)]
      }
      anchor = (position, now)
      return actions
    }
    if let advancedAt, isFlowing, now - advancedAt >= Self.stallLimit, segments.count == 1 { return stall(at: now) }
    anchor = (position, now)
    if !isFlowing {
      isFlowing = true
      let from = min(position, segments[0].from ?? position)
      actions.append(.report(.flowing(id, from)))
      segments[0].from = nil
      guard position > from else { return actions }
    }
    return actions + [.report(.position(id, position))]
  }

  private mutating func stall(at now: MonotonicTime) -> [Action] {
    guard let anchor else { return [] }
    positionRequest = nil
    isStalled = true
    return [reportHold(at: anchor.position, .starved, now)]
  }

  /// Handles that the output is gone: stops, and stores the cue that was heard in `held`, with the audible position as
  /// its start.
  mutating func outputEnded(at now: MonotonicTime) -> [Action] {
    guard let head = segments.first else { return [] }
    var actions: [Action] = isFlowing ? [reportHold(at: position(at: now), .pause, now)] : []
    let wasHeard = head.hasBegun || isReopened && isPaused
    let listening: Listening = !wasHeard ? .unheard : isPaused ? .paused : .playing
    var cue = head.cue
    if head.hasBegun, let anchor { cue.start = anchor.position }
    forget()
    isIdle = true
    held = cue
    actions += [.player(.stop), .outputEnded(listening)]
    return actions
  }

  /// Opens the held cue again, paused or playing as the player is now.
  mutating func reopenHeld() -> [Action] {
    guard let cue = held else { return [] }
    forget()
    isReopened = true
    return [load(cue), .report(.reopened(cue.id))]
  }

  /// Handles the position up to which a stream is buffered. Reports it after every two seconds of sound, and when the
  /// whole stream is buffered.
  mutating func cached(upTo seconds: Double?) -> [Action] {
    guard pending == nil, let seconds, let last = segments.last, last.cue.isStream else { return [] }
    let end = Milliseconds(seconds: seconds)
    if let cached {
      let isWhole = last.duration.map { end >= $0 && end > cached } ?? false
      guard isWhole || abs((end - cached).rawValue) >= Self.cachedStep else { return [] }
    }
    cached = end
    return [.report(.buffered(last.cue.id, upTo: end))]
  }

  /// The length that must be buffered before the next report, in ms.
  private static let cachedStep: Int64 = 2000
}

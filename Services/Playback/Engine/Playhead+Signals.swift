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
      guard pending == nil, let end else { return [] }
      decoded(upTo: Milliseconds(seconds: end))
      return []
    case .ended(let entry, let ending): return ended(entry, ending, at: now)
    case .idle: return idle()
    case .starving(let isStarving): return starving(isStarving, at: now)
    case .duration(let seconds):
      guard pending == nil, let seconds, seconds > 0 else { return [] }
      return cuesOfFile.compactMap { index in
        openCues[index].fileDuration = Milliseconds(seconds: seconds)
        return openCues[index].duration.map { .report(.duration(openCues[index].cue.id, $0)) }
      }
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
    openCues.append(OpenCue(cue, entry: entry))
    if pending?.id == cue.id {
      pending = nil
      return [.report(.opening(cue.id))]
    }
    if prepared?.id == cue.id { prepared = nil }
    return [.report(.decoding(cue.id))]
  }

  private mutating func restarted(at now: MonotonicTime) -> [Action] {
    guard pending == nil, let last = openCues.indices.last else { return [] }
    if openCues[last].phase == .opening { openCues[last].phase = .running }
    isSeeking = false
    return [askPosition(at: now)]
  }

  private mutating func ended(_ entry: Int64, _ ending: PlayerSignal.Ending, at now: MonotonicTime) -> [Action] {
    guard entries.removeValue(forKey: entry) != nil, let last = openCues.last, last.entry == entry else { return [] }
    if ending == .noOutput { return outputEnded(at: now) }
    for index in cuesOfFile {
      // A cue of which nothing was decoded has not ended, even if libmpv reports its end.
      let isSilent = openCues[index].phase == .opening
      let isFollowed = index + 1 < openCues.count && openCues[index + 1].phase != .opening
      openCues[index].phase = .over(
        isSilent && ending == .endOfFile ? .unplayable : isFollowed ? .endOfFile : ending)
    }
    // libmpv would play the files of the list in place of this file.
    var actions: [Action] = ending == .redirected ? [.player(.stop)] : []
    if cuesOfFile.lowerBound == 0, isFailure(openCues[0]) || ending == .cut { actions += dropFirst() }
    return actions
  }

  /// Handles that libmpv has nothing left to play and the output is empty.
  private mutating func idle() -> [Action] {
    guard pending == nil, held == nil else { return [] }
    var actions: [Action] = []
    while !openCues.isEmpty { actions += dropFirst() }
    let late = prepared?.id ?? continuation?.cue.id
    forget()
    isIdle = true
    return actions + [.report(.exhausted(late))]
  }

  private mutating func starving(_ isStarving: Bool, at now: MonotonicTime) -> [Action] {
    guard isStarving != self.isStarving else { return [] }
    self.isStarving = isStarving
    guard pending == nil, !openCues.isEmpty else { return [] }
    if !isStarving { return [askPosition(at: now)] }
    return isFlowing ? [reportHold(at: position(at: now), .starved, now)] : []
  }

  private func isFailure(_ open: OpenCue) -> Bool {
    switch open.phase {
    case .over(.endOfFile), .over(.stopped), .over(.cut), .opening, .running: false
    case .over: true
    }
  }

  /// Removes the first cue, and reports that it was heard to its end. If no position in it was read before, its
  /// beginning is reported as well.
  mutating func dropFirst() -> [Action] {
    let segment = openCues.removeFirst()
    let wasFlowing = isFlowing
    isFlowing = false
    isStalled = false
    advancedAt = nil
    anchor = nil
    if case .over(let ending) = segment.phase, isFailure(segment) { return [.fail(segment.cue, ending)] }
    let id = segment.cue.id
    // Nothing of the cue was heard, so neither a beginning nor sound is reported.
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

  /// Handles libmpv's position, which is one in the file that is decoded: it is before the start of what was opened of
  /// the file while an earlier file is still heard, and nil while nothing is decoded.
  mutating func place(_ decoded: Milliseconds?, at now: MonotonicTime) -> [Action] {
    guard pending == nil, let last = openCues.last else { return [] }
    guard last.phase == .running, let decoded else { return placeWithoutPosition(at: now) }
    let more = goOnInFile(at: decoded)
    let ofFile = cuesOfFile
    let first = openCues[ofFile.lowerBound].cue
    guard decoded + Milliseconds(5) < first.offset + first.start, ofFile.lowerBound > 0 else {
      let index = ofFile.last { openCues[$0].cue.offset <= decoded } ?? ofFile.lowerBound
      let position = max(decoded - openCues[index].cue.offset, .zero)
      return more + drop(index) + reportEvents(at: position, now)
    }
    // The length of the cues of earlier files that is still to be heard.
    var left = first.offset + first.start - decoded
    var index = ofFile.lowerBound - 1
    while index > 0, left > openCues[index].length {
      left = left - openCues[index].length
      index -= 1
    }
    let end = openCues[index].end
    return more + drop(index) + reportEvents(at: max(.zero, end - left), now)
  }

  private mutating func placeWithoutPosition(at now: MonotonicTime) -> [Action] {
    guard let head = openCues.first, head.hasBegun else { return [] }
    if let tailEnd, isFlowing, now >= tailEnd, openCues.count > 1 { return drop(1) }
    return reportEvents(at: position(at: now), now)
  }

  private mutating func drop(_ count: Int) -> [Action] {
    var actions: [Action] = []
    for _ in 0..<max(0, count) { actions += dropFirst() }
    return actions
  }

  /// Reports the events that follow from an audible `position` in the first cue.
  private mutating func reportEvents(at position: Milliseconds, _ now: MonotonicTime) -> [Action] {
    guard let head = openCues.first else { return [] }
    let id = head.cue.id
    var actions: [Action] = []
    if !head.hasBegun {
      openCues[0].hasBegun = true
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
    if let advancedAt, isFlowing, now - advancedAt >= Self.stallLimit, cuesOfFile.lowerBound == 0 {
      return actions + stall(at: now)
    }
    anchor = (position, now)
    if !isFlowing {
      isFlowing = true
      let from = min(position, openCues[0].from ?? position)
      actions.append(.report(.flowing(id, from)))
      openCues[0].from = nil
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
    guard let head = openCues.first else { return [] }
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
    guard pending == nil, let seconds, let last = openCues.last, last.cue.isStream else { return [] }
    let reached = max(.zero, Milliseconds(seconds: seconds) - last.cue.offset)
    let end = last.cue.length.map { min($0, reached) } ?? reached
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

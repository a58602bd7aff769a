import Model

/// Where the ear is.
extension Playhead {
  /// Looks where things are, because `deadline` has come.
  mutating func lookUp(at now: MonotonicTime) -> [Action] {
    let actions = stepFade(at: now)
    guard let positionDeadline, now >= positionDeadline else { return actions }
    if question != nil, isFlowing {
      // The core does not answer. Sound that is not known to flow does not count as flowing.
      return actions + stall(at: now)
    }
    return actions + [ask(at: now)]
  }

  /// Takes libmpv's position, which counts from the start of the file that is decoded: negative while an earlier file
  /// is still heard, and nil where nothing is decoded at the moment.
  mutating func place(_ decoded: Milliseconds?, at now: MonotonicTime) -> [Action] {
    guard pending == nil, let last = segments.last else { return [] }
    guard last.phase == .running, let decoded else { return placeWithoutPosition(at: now) }
    guard decoded.rawValue < -5, segments.count > 1 else {
      return drop(segments.count - 1) + settle(at: max(decoded, .zero), now)
    }
    // So much of the earlier segments is still to be heard.
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

  /// Reports what follows from the ear being at `position` of the first segment.
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
      if isFlowing { return actions + [halt(at: position, isPaused ? .pause : isSeeking ? .seek : .starved, now)] }
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
    question = nil
    isStalled = true
    return [halt(at: anchor.position, .starved, now)]
  }
}

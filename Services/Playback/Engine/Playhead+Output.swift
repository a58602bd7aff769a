import Model

/// What becomes of the sound when its output does not.
extension Playhead {
  /// Keeps what was heard, from where the ear was.
  mutating func outputEnded(at now: MonotonicTime) -> [Action] {
    guard let head = segments.first else { return [] }
    var actions: [Action] = isFlowing ? [halt(at: position(at: now), .pause, now)] : []
    let wasHeard = head.hasBegun || isTakenUp && isPaused
    let listening: Listening = !wasHeard ? .unheard : isPaused ? .paused : .playing
    var cue = head.cue
    if head.hasBegun, let anchor { cue.start = anchor.position }
    forget()
    isIdle = true
    held = cue
    actions += [.player(.stop), .outputEnded(listening)]
    return actions
  }

  /// Opens once more what the output played, held or flowing as the sound is now.
  mutating func takeUp() -> [Action] {
    guard let cue = held else { return [] }
    forget()
    isTakenUp = true
    return [load(cue), .report(.reopened(cue.id))]
  }

  /// Notes up to where a stream is there. Told every few seconds of sound, and once it is whole.
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

  /// How much more of a stream has to be there to be told, in ms.
  private static let cachedStep: Int64 = 2000
}

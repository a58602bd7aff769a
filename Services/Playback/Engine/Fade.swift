import Model

/// A change of the volume over a time.
struct Fade: Hashable, Sendable {
  /// Where it began, in percent.
  var from: Double
  /// Where it leads, in percent.
  var to: Double
  /// When it began.
  var start: MonotonicTime
  /// How long it takes.
  var length: Milliseconds
  /// When the next step is due.
  var due: MonotonicTime

  /// How long a step lasts: short enough to be heard as none, long enough to cost nothing.
  static let step = Milliseconds(20)

  /// The volume at a moment. libmpv makes loudness of percents by their cube, so that equal steps sound equal.
  func level(at now: MonotonicTime) -> Double {
    let part = Double((now - start).rawValue) / Double(max(1, length.rawValue))
    return from + (to - from) * max(0, min(1, part))
  }

  /// Whether it is over.
  func isOver(at now: MonotonicTime) -> Bool { now - start >= length }
}

/// The volume and its changes.
extension Playhead {
  /// Brings the volume to so many percent.
  mutating func change(to percent: Int, over length: Milliseconds, at now: MonotonicTime) -> [Action] {
    let target = Double(max(0, min(100, percent)))
    guard length > .zero, volume != target else {
      fade = nil
      return set(target)
    }
    fade = Fade(from: volume, to: target, start: now, length: length, due: now + Fade.step)
    return []
  }

  /// Goes on with a change of the volume.
  mutating func stepFade(at now: MonotonicTime) -> [Action] {
    guard let fade, now >= fade.due else { return [] }
    self.fade?.due = now + Fade.step
    if fade.isOver(at: now) { self.fade = nil }
    return set(fade.level(at: now))
  }

  private mutating func set(_ level: Double) -> [Action] {
    volume = level
    return [.player(.volume(level))]
  }
}

import Model

/// The audible position of the current track, as it was known last and as it was published last.
struct PositionTracker: Hashable, Sendable {
  /// A position that was audible at a moment.
  struct Anchor: Hashable, Sendable {
    var position: Milliseconds
    var at: MonotonicTime
    var date: Timestamp
  }

  let pace: Pace
  private(set) var anchor: Anchor
  private var published: Anchor

  /// The time after which a position that is still right is published again.
  static let publishInterval = Milliseconds(10_000)

  init(pace: Pace, position: Milliseconds, at now: Now) {
    self.pace = pace
    anchor = Anchor(position: position, at: now.moment, date: now.date)
    published = anchor
  }

  /// Sets the audible position.
  mutating func set(_ position: Milliseconds, at now: Now) {
    anchor = Anchor(position: position, at: now.moment, date: now.date)
  }

  mutating func markPublished() { published = anchor }

  /// Returns the position after the time since the anchor, provided that sound has flowed; at most `duration`.
  func extrapolated(to now: Now, within duration: Milliseconds?) -> Milliseconds {
    let position = moved(anchor, to: now.moment)
    return duration.map { min(position, max($0, anchor.position)) } ?? position
  }

  /// Returns true if the published position misleads those who extrapolate it, or was published long ago.
  func isStale(at now: Now) -> Bool {
    let age = now.moment - published.at
    let error = abs((moved(published, to: now.moment) - anchor.position).rawValue)
    return age >= Self.publishInterval || error > Int64(250 * max(1, pace.rate)) && age >= Milliseconds(1000)
  }

  private func moved(_ anchor: Anchor, to moment: MonotonicTime) -> Milliseconds {
    anchor.position + Milliseconds(Int64(Double((moment - anchor.at).rawValue) * pace.rate))
  }
}

import Model

/// Whether a listen counts (Last.fm's rule, which ListenBrainz recommends as well): half of the track or four minutes
/// of it were heard, whichever is less, and the track is longer than 30 seconds.
enum ScrobbleRule {
  /// Tracks of this length or less never count.
  static let shortest = Milliseconds(30_000)
  /// So much heard is enough of any track.
  static let ceiling = Milliseconds(240_000)

  /// What the rule says of a listen as far as it has come.
  enum Verdict: Equatable, Sendable {
    /// It counts.
    case counts
    /// It may count yet.
    case notYet
    /// It can never count.
    case never
  }

  /// Judges by the time heard, which is no position: what was sought over or paused is not in it.
  ///
  /// - Parameter duration: the track's length; zero or less where nobody knows it, then only the ceiling counts.
  static func judge(heard: Milliseconds, of duration: Milliseconds) -> Verdict {
    if duration > .zero, duration <= shortest { return .never }
    if heard >= ceiling { return .counts }
    // Below the ceiling, so doubling cannot overflow; halving would lose an odd millisecond.
    return duration > .zero && heard + heard >= duration ? .counts : .notYet
  }
}

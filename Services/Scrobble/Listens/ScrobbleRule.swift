import Model

/// Decides whether a listen counts, by Last.fm's rule, which ListenBrainz recommends as well: enough of the track was
/// heard, and the track is long enough. A change of the threshold touches these constants and the sentence about them
/// in `docs/scrobbling.md`, which a test compares.
enum ScrobbleRule {
  /// Tracks of this length or less never count.
  static let shortest = Milliseconds(30_000)
  /// The part of a track that has to be heard, in percent.
  static let percent: Int64 = 50
  /// The time heard that is enough for any track.
  static let ceiling = Milliseconds(240_000)

  /// Returns true once a listen counts, by the time heard, which is not the position: what was skipped over or paused
  /// is not in it. `duration` is the track's length; where nobody knows it, zero or less, only the ceiling counts.
  static func counts(heard: Milliseconds, of duration: Milliseconds) -> Bool {
    if duration > .zero, duration <= shortest { return false }
    if heard >= ceiling { return true }
    // Below the ceiling, so that this cannot overflow; for whole numbers the division loses nothing.
    return heard > .zero && duration > .zero && duration.rawValue <= heard.rawValue * 100 / percent
  }
}

/// Decides whether a listen counts, by Last.fm's rule, which ListenBrainz recommends as well: enough of the track was
/// heard, and the track is long enough. A change of the rule changes these constants and the sentence about them in
/// `docs/scrobbling.md`; a test compares the two.
public enum ScrobbleRule {
  /// Only longer tracks count.
  public static let minimumLength = Milliseconds(30_000)
  /// The part of a track that must be heard, in percent.
  public static let percent: Int64 = 50
  /// The heard time that is enough for any track.
  public static let ceiling = Milliseconds(240_000)

  /// Returns true if a listen counts. `heard` is the heard time, which excludes skipped parts and pauses. `length` is
  /// the track's length; if it is unknown, zero or less, a track that played to its end counts as heard whole, and else
  /// only the ceiling counts.
  public static func counts(heard: Milliseconds, of length: Milliseconds, isFinished: Bool = false) -> Bool {
    let duration = length <= .zero && isFinished ? heard : length
    if duration > .zero, duration <= minimumLength { return false }
    if heard >= ceiling { return true }
    // `heard` is below the ceiling, so the product cannot overflow, and rounding the quotient down does not change the
    // comparison.
    return heard > .zero && duration > .zero && duration.rawValue <= heard.rawValue * 100 / percent
  }
}

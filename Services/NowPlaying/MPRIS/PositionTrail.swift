import Model

/// Where playback stood at one moment of this host's monotonic clock. Microseconds throughout.
struct PositionAnchor: Equatable, Sendable {
  var offset: Int64 = 0
  /// Media seconds a second.
  var rate = 0.0
  /// When it stood there.
  var at: Int64 = 0

  /// The position at another moment, within the track.
  func position(at now: Int64, upTo length: Milliseconds?) -> Int64 {
    let moved = Double(now &- at) * rate
    let position = moved.magnitude < 9e15 ? max(0, offset &+ Int64(moved)) : max(0, offset)
    return length.map { min(position, $0.microseconds) } ?? position
  }
}

/// Follows the position that programs of the desktop believe in, and tells when it is wrong: only then is `Seeked` due.
///
/// Such programs know what was playing when they last asked, and count on by themselves: with the clock while the
/// player shows as playing, not at all otherwise, from 0 for a new track.
struct PositionTrail: Sendable {
  /// Smaller differences are the jitter of buffers and not a jump; displays show seconds.
  static let tolerance: Int64 = 500_000

  private var track = TrackPath.none
  private var believed = PositionAnchor()

  /// Takes how the player stands now and gives the position to announce, or nil where the desktop has it right.
  mutating func observe(
    track: String, isPlaying: Bool, actual: PositionAnchor, length: Milliseconds?, at now: Int64
  ) -> Int64? {
    let position = actual.position(at: now, upTo: length)
    let isNewTrack = track != self.track
    let expected = isNewTrack ? 0 : believed.position(at: now, upTo: length)
    self.track = track
    let hasJumped = track != TrackPath.none && abs(position - expected) > Self.tolerance
    // While buffering at its start a track shows as playing and stands still: counting goes on from where it stands.
    let base = hasJumped || isNewTrack ? position : expected
    believed = PositionAnchor(offset: base, rate: isPlaying ? 1 : 0, at: now)
    return hasJumped ? position : nil
  }
}

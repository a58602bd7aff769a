/// How loud a track and its album are, as measured by who made the tags or by the server. Gains are relative to
/// -18 LUFS (ReplayGain 2); what was not measured is nil.
public struct Levels: Codable, Hashable, Sendable {
  /// What brings the track to the reference, in dB.
  public var trackGain: Double?
  /// The track's highest sample, linear, where 1 is full scale.
  public var trackPeak: Double?
  /// What brings the album to the reference, in dB.
  public var albumGain: Double?
  /// The album's highest sample, linear.
  public var albumPeak: Double?

  /// Makes levels from what was measured.
  public init(
    trackGain: Double? = nil, trackPeak: Double? = nil, albumGain: Double? = nil, albumPeak: Double? = nil
  ) {
    self.trackGain = trackGain
    self.trackPeak = trackPeak
    self.albumGain = albumGain
    self.albumPeak = albumPeak
  }

  /// Whether nothing was measured.
  public var isEmpty: Bool { trackGain == nil && trackPeak == nil && albumGain == nil && albumPeak == nil }
}

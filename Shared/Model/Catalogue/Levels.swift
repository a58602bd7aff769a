/// The loudness of a track and its album, from the file's tags or from the server. Gains are relative to -18 LUFS
/// (ReplayGain 2); values that were not measured are nil.
public struct Levels: Codable, Hashable, Sendable {
  /// The gain that brings the track to the reference, in dB.
  public var trackGain: Double? = nil
  /// The track's peak sample on a linear scale, where 1 is full scale.
  public var trackPeak: Double? = nil
  /// The gain that brings the album to the reference, in dB.
  public var albumGain: Double? = nil
  /// The album's peak sample on a linear scale.
  public var albumPeak: Double? = nil

  /// True if nothing was measured.
  public var isEmpty: Bool { trackGain == nil && trackPeak == nil && albumGain == nil && albumPeak == nil }
}

/// A part of an audio file that is a track of its own, such as one track of a file with a CUE sheet. A track that is a
/// whole file has none.
public struct AudioSegment: Codable, Hashable, Sendable {
  /// The first sample, counted from 0 at `sampleRate`.
  public var start: Int64
  /// The first sample after the segment; nil for the end of the file.
  public var end: Int64? = nil
  /// The sample rate of the file, in Hz.
  public var sampleRate: Int
  /// A key that all segments of one file have in common and no other file has, so that the file is fetched once. It
  /// tells nothing else. Nil if it is unknown.
  public var file: String? = nil
}

extension AudioSegment {
  /// The largest sample rate that a segment may have, in Hz.
  private static let rateLimit = 12_288_000
  /// The largest number of a sample: more than a month at the largest rate.
  private static let sampleLimit: Int64 = 1 << 45

  /// True if a player can play the segment: it has a possible sample rate, and ends after its start.
  public var isPlayable: Bool {
    guard (1...Self.rateLimit).contains(sampleRate), (0..<Self.sampleLimit).contains(start) else { return false }
    return end.map { $0 > start && $0 < Self.sampleLimit } ?? true
  }

  /// The position of the first sample in the file.
  public var offset: Milliseconds { Milliseconds(seconds: Double(start) / Double(sampleRate)) }

  /// The position behind the last sample in the file; nil for the end of the file.
  public var endOffset: Milliseconds? { end.map { Milliseconds(seconds: Double($0) / Double(sampleRate)) } }

  /// The length; nil if the segment ends with the file.
  public var length: Milliseconds? { end.map { Milliseconds(seconds: Double($0 - start) / Double(sampleRate)) } }

  /// Returns true if this segment begins with the sample at which another one ends. The caller knows whether both are
  /// of one file.
  public func follows(_ other: AudioSegment) -> Bool { other.sampleRate == sampleRate && other.end == start }
}

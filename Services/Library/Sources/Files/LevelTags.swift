import Model

/// What tags say of loudness, brought to one reference: -18 LUFS, as ReplayGain 2.0 has it.
///
/// Sources: "ReplayGain 2.0 specification" (wiki.hydrogenaud.io) for gains in dB and linear peaks; RFC 7845 (section
/// 5.2.1) for Opus, whose gains are whole numbers of 1/256 dB towards -23 LUFS.
struct LevelTags {
  private var levels = Levels()
  private var trackR128: Double?
  private var albumR128: Double?
  private var shift = 0.0

  /// What brings a gain towards -23 LUFS to one towards -18 LUFS, in dB.
  private static let fromR128 = 5.0
  /// The sound pressure that ReplayGain 1 names for the reference, in dB.
  private static let pressure = 89.0
  private static let loudness = -18.0
  /// No measured gain is larger, in dB; whatever is, was never measured.
  private static let largestGain = 80.0
  /// Decoded lossy audio goes beyond full scale, but not by 20 dB.
  private static let highestPeak = 10.0

  /// Takes one value; others than those of loudness are passed over.
  mutating func add(_ field: TagField, _ value: UnsafeBufferPointer<UInt8>) {
    switch field {
    case .trackGain: levels.trackGain = levels.trackGain ?? Self.gain(value)
    case .albumGain: levels.albumGain = levels.albumGain ?? Self.gain(value)
    case .trackPeak: levels.trackPeak = levels.trackPeak ?? Self.peak(value)
    case .albumPeak: levels.albumPeak = levels.albumPeak ?? Self.peak(value)
    case .trackR128: trackR128 = trackR128 ?? Self.r128(value)
    case .albumR128: albumR128 = albumR128 ?? Self.r128(value)
    case .reference: shift = Self.shift(value) ?? shift
    default: return
    }
  }

  /// The levels once all values were taken; nil where nothing was measured.
  func finished() -> Levels? {
    var levels = levels
    levels.trackGain = trackR128 ?? levels.trackGain.map { $0 + shift }
    levels.albumGain = albumR128 ?? levels.albumGain.map { $0 + shift }
    return levels.isEmpty ? nil : levels
  }

  private static func gain(_ value: UnsafeBufferPointer<UInt8>) -> Double? {
    number(value).flatMap { abs($0) <= largestGain ? $0 : nil }
  }

  private static func peak(_ value: UnsafeBufferPointer<UInt8>) -> Double? {
    // A peak of zero is written for what could not be measured.
    number(value).flatMap { $0 > 0 && $0 <= highestPeak ? $0 : nil }
  }

  private static func r128(_ value: UnsafeBufferPointer<UInt8>) -> Double? {
    guard let steps = number(value), abs(steps) <= 32768 else { return nil }
    return steps / 256 + fromR128
  }

  /// What a reference other than the usual one adds to each gain: `83 dB` adds 6, `-23.00 LUFS` adds 5.
  private static func shift(_ value: UnsafeBufferPointer<UInt8>) -> Double? {
    guard let reference = number(value) else { return nil }
    let shift = reference > 0 ? pressure - reference : loudness - reference
    return abs(shift) <= 20 ? shift : nil
  }

  /// The number at the beginning of `-6.50 dB`, `+3,2 dB` and `0.988`; nil where there is none.
  static func number(_ value: UnsafeBufferPointer<UInt8>) -> Double? {
    var text = String(decoding: value.lazy.drop { $0 == 32 }.prefix { $0 > 32 && $0 < 127 }, as: UTF8.self)
    // Some programs write the comma of the place they run in, and no blank before the unit.
    text = String(text.map { $0 == "," ? "." : $0 }.prefix { "+-.0123456789eE".contains($0) })
    guard let number = Double(text), number.isFinite else { return nil }
    return number
  }
}

import Glibc
package import Model
import Text

/// The parsers of single values, which files hold in many spellings.
extension TagInterpretation {
  private static let longestText = 1000

  /// Returns a value as text in Unicode's normal form C, trimmed and at most 1000 bytes long; nil for an empty one.
  static func text(_ value: UnsafeBufferPointer<UInt8>) -> String? {
    // Control characters become blanks: some separate the fields of packed texts.
    let isClean = !value.contains { $0 < 32 }
    var text =
      isClean ? String(decoding: value, as: UTF8.self) : String(decoding: value.map { max($0, 32) }, as: UTF8.self)
    text = text.trimmed
    if text.utf8.count > longestText { text = String(text.unicodeScalars.prefix(longestText)) }
    return text.isEmpty ? nil : text.normalised
  }

  /// Returns the ids in one value: in ID3v2.3 a value may hold several.
  static func ids(_ value: UnsafeBufferPointer<UInt8>) -> [String] {
    text(value)?.utf8.split { $0 == 0x2F || $0 == 0x3B || $0 == 0x2C || $0 == 0x20 }.map { String(Substring($0)) } ?? []
  }

  /// The first number of `3`, `03` and `3/12`; nil for anything else and for zero.
  static func number(_ value: UnsafeBufferPointer<UInt8>) -> Int? {
    var number = 0
    for byte in value.drop(while: { $0 == 32 }) {
      guard (48...57).contains(byte) else {
        guard byte == UInt8(ascii: "/") || byte == 32 || byte == UInt8(ascii: ".") else { return nil }
        break
      }
      number = number * 10 + Int(byte - 48)
      if number > 99_999 { return nil }
    }
    return number > 0 ? number : nil
  }

  /// Returns the place in a number such as `1-04/12`, `1.4`, `#4` or `Track 4`; nil if it is none of these.
  static func trackPlace(_ text: String) -> (disc: Int?, number: Int, total: Int?)? {
    var rest = Substring(text.folded)
    for word in ["#", "track", "nr.", "no."] where rest.hasPrefix(word) {
      rest = rest.dropFirst(word.count).drop { $0 == " " }
      break
    }
    let parts = rest.split(separator: "/", maxSplits: 1).map { String($0).trimmed }
    func number(_ digits: some StringProtocol) -> Int? {
      guard (1...4).contains(digits.utf8.count), digits.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
      return Int(digits).flatMap { $0 > 0 ? $0 : nil }
    }
    guard let place = parts.first else { return nil }
    let total = parts.count > 1 ? number(parts[1]) : nil
    if let plain = number(place) { return (nil, plain, total) }
    let pair = place.split(whereSeparator: { $0 == "-" || $0 == "." }).map(number)
    guard pair.count == 2, let disc = pair[0], disc < 100, let plain = pair[1] else { return nil }
    return (disc, plain, total)
  }

  /// Returns a text of several lines, with its ends of lines and without other control characters.
  static func lines(_ value: UnsafeBufferPointer<UInt8>, trimmed isTrimmed: Bool = true) -> String {
    let text = String(decoding: value.map { $0 < 32 && $0 != 9 && $0 != 10 && $0 != 13 ? 32 : $0 }, as: UTF8.self)
    return isTrimmed ? text.trimmed : text
  }

  /// The first four digits in a row that can be a year: `1999`, `1999-05-01`, `19990501`, `5 May 1999`.
  static func year(_ value: String) -> Int? {
    var (digits, number) = (0, 0)
    for byte in value.utf8 {
      (digits, number) = (48...57).contains(byte) ? (digits + 1, number * 10 + Int(byte - 48)) : (0, 0)
      if digits == 4 { return (1000...2999).contains(number) ? number : nil }
    }
    return nil
  }
}

/// The loudness of a track from its tags, converted to the reference of ReplayGain 2.0, -18 LUFS.
///
/// Sources: "ReplayGain 2.0 specification" (wiki.hydrogenaud.io) for gains in dB and linear peaks; RFC 7845 (section
/// 5.2.1) for Opus, whose gains are whole numbers of 1/256 dB towards -23 LUFS.
struct LevelTags {
  /// The measures that values give.
  enum Field: Sendable {
    case trackGain, trackPeak, albumGain, albumPeak, trackR128, albumR128
    /// The values of Sound Check, which count where there is no other gain.
    case soundCheck
    /// The loudness towards which the gains lead.
    case reference
  }

  private var levels = Levels()
  private var trackR128: Double?
  private var albumR128: Double?
  private var soundCheck: Levels?
  private var shift = 0.0

  /// The difference between a gain towards -18 LUFS and one towards -23 LUFS, in dB.
  private static let fromR128 = 5.0
  /// The sound pressure that ReplayGain 1 names for the reference, in dB.
  private static let pressure = 89.0
  private static let loudness = -18.0

  mutating func add(_ field: Field, _ value: UnsafeBufferPointer<UInt8>) {
    switch field {
    case .trackGain: levels.trackGain = levels.trackGain ?? Self.gain(value)
    case .albumGain: levels.albumGain = levels.albumGain ?? Self.gain(value)
    case .trackPeak: levels.trackPeak = levels.trackPeak ?? Self.peak(value)
    case .albumPeak: levels.albumPeak = levels.albumPeak ?? Self.peak(value)
    case .trackR128: trackR128 = trackR128 ?? Self.r128(value)
    case .albumR128: albumR128 = albumR128 ?? Self.r128(value)
    case .soundCheck: soundCheck = soundCheck ?? Self.soundCheck(value)
    case .reference: shift = Self.shift(value) ?? shift
    }
  }

  /// The levels once all values were taken; nil if nothing was measured.
  func finished() -> Levels? {
    var levels = levels
    levels.trackGain = trackR128 ?? levels.trackGain.map { $0 + shift }
    levels.albumGain = albumR128 ?? levels.albumGain.map { $0 + shift }
    if let soundCheck, levels.trackGain == nil, levels.albumGain == nil {
      levels.trackGain = soundCheck.trackGain
      levels.trackPeak = levels.trackPeak ?? soundCheck.trackPeak
    }
    return levels.isEmpty ? nil : levels
  }

  private static func gain(_ value: UnsafeBufferPointer<UInt8>) -> Double? {
    number(value).flatMap { Levels.plausibleGains.contains($0) ? $0 : nil }
  }

  private static func peak(_ value: UnsafeBufferPointer<UInt8>) -> Double? {
    // A peak of zero means that it was not measured.
    number(value).flatMap { $0 > 0 && $0 <= Levels.highestPeak ? $0 : nil }
  }

  private static func r128(_ value: UnsafeBufferPointer<UInt8>) -> Double? {
    guard let steps = number(value), abs(steps) <= 32768 else { return nil }
    return steps / 256 + fromR128
  }

  /// Returns the gain and peak of Sound Check: ten hexadecimal numbers. The first two are the powers of the channels,
  /// 1000 for a gain of 0 dB, and the seventh and eighth their peaks, 32768 for full scale.
  private static func soundCheck(_ value: UnsafeBufferPointer<UInt8>) -> Levels? {
    let numbers = String(decoding: value, as: UTF8.self).split(separator: " ").map { UInt32($0, radix: 16) }
    guard numbers.count >= 2, let left = numbers[0], let right = numbers[1], max(left, right) > 0 else { return nil }
    let gain = -10 * log10(Double(max(left, right)) / 1000)
    guard Levels.plausibleGains.contains(gain) else { return nil }
    var levels = Levels()
    levels.trackGain = gain
    if numbers.count >= 8, let left = numbers[6], let right = numbers[7] {
      let peak = Double(max(left, right)) / 32768
      if peak > 0, peak <= Levels.highestPeak { levels.trackPeak = peak }
    }
    return levels
  }

  /// Returns the dB that a reference other than the usual one adds to each gain: `83 dB` adds 6, `-23.00 LUFS` adds 5.
  private static func shift(_ value: UnsafeBufferPointer<UInt8>) -> Double? {
    guard let reference = number(value) else { return nil }
    let shift = reference > 0 ? pressure - reference : loudness - reference
    return abs(shift) <= 20 ? shift : nil
  }

  private static func isOfNumber(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."),
      UInt8(ascii: "e"), UInt8(ascii: "E"):
      true
    default: false
    }
  }

  /// The number at the beginning of `-6.50 dB`, `+3,2 dB` and `0.988`; nil if there is none.
  static func number(_ value: UnsafeBufferPointer<UInt8>) -> Double? {
    // Some programs write the decimal comma of their locale, or no blank before the unit.
    let digits = value.lazy.drop { $0 == 32 }.map { $0 == UInt8(ascii: ",") ? UInt8(ascii: ".") : $0 }
    let text = String(decoding: digits.prefix(while: isOfNumber), as: UTF8.self)
    guard let number = Double(text), number.isFinite else { return nil }
    return number
  }
}

extension Levels {
  /// The gains that can have been measured, in dB.
  package static let plausibleGains = -80.0...80.0
  /// The highest peak that can have been measured: decoded lossy audio exceeds full scale, but not by 20 dB.
  package static let highestPeak = 10.0
}

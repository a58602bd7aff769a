import Glibc
import Model

extension Timestamp {
  /// The beginning of 2010: an earlier time is that of a clock that was not set.
  private static let earliest = Timestamp(seconds: 1_262_304_000)

  /// Returns how long ago this was: `3 d 4 h ago`, or `at an unknown time` where the clock was not set then or is not
  /// now.
  func ago(at now: Timestamp) -> String {
    min(self, now) < Self.earliest ? "at an unknown time" : "\((now - self).text) ago"
  }

  /// The date and time in the local time zone, to the minute.
  var local: String {
    let local = parts
    return "\(local.tm_year + 1900)-\(Self.padded(local.tm_mon + 1))-\(Self.padded(local.tm_mday)) "
      + "\(Self.padded(local.tm_hour)):\(Self.padded(local.tm_min))"
  }

  /// The time of day in the local time zone, to the minute.
  var localTime: String { String(local.suffix(5)) }

  /// The time of day in the local time zone, to the millisecond.
  var localTimeOfDay: String {
    let (local, milliseconds) = (parts, (microseconds - seconds * 1_000_000) / 1000)
    return [local.tm_hour, local.tm_min, local.tm_sec].map { Self.padded($0) }.joined(separator: ":")
      + ".\(Self.padded(milliseconds, 3))"
  }

  private var parts: tm {
    var (seconds, local) = (time_t(seconds), tm())
    localtime_r(&seconds, &local)
    return local
  }

  private static func padded(_ value: some BinaryInteger, _ width: Int = 2) -> String {
    String(repeating: "0", count: max(0, width - "\(value)".count)) + "\(value)"
  }
}

extension Milliseconds {
  /// The length rounded to whole minutes; unchanged if it is under 90 s.
  var roundedToMinutes: Milliseconds {
    rawValue < 90_000 ? self : Milliseconds((rawValue + 30_000) / 60_000 * 60_000)
  }

  /// The length of a track, such as `3:05`; empty if it is unknown.
  var ofTrack: String { self > .zero ? description : "" }

  /// Returns a position with the length of its track, which may be unknown: `0:12 / 3:05`.
  func of(_ length: Milliseconds) -> String { length > .zero ? "\(self) / \(length)" : description }

  /// The length in one or two units: `45 s`, `12 min`, `2 h 5 min`, `3 d 4 h`.
  var text: String {
    let seconds = max(0, rawValue) / 1000
    switch seconds {
    case ..<60: return "\(seconds) s"
    case ..<3600: return "\(seconds / 60) min"
    case ..<86_400: return "\(seconds / 3600) h \(seconds / 60 % 60) min"
    default: return "\(seconds / 86_400) d \(seconds / 3600 % 24) h"
    }
  }

  /// Parses `90` (seconds), `90s`, `500ms`, `10m`, `2h`, `7d`; nil for any other text.
  init?(duration text: String) {
    let digits = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
    let units = ["": 1000.0, "ms": 1, "s": 1000, "m": 60_000, "min": 60_000, "h": 3_600_000, "d": 86_400_000]
    guard let number = Double(digits), let unit = units[String(text.dropFirst(digits.count))], number * unit < 1e15
    else { return nil }
    self.init(Int64((number * unit).rounded()))
  }
}

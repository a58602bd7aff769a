import Glibc

/// A time of the wall clock, in microseconds since 1970-01-01 UTC. Encoded as RFC 3339 text in UTC
/// (`2026-11-20T14:30:00.123456Z`).
///
/// Times of two hosts must not be compared; a timestamp is for people, for histories and for ages within one host.
public struct Timestamp: Hashable, Comparable, Sendable {
  /// The microseconds since 1970-01-01 00:00 UTC.
  public var microseconds: Int64

  public init(microseconds: Int64) { self.microseconds = microseconds }

  public init(seconds: Int64) { self.microseconds = seconds &* 1_000_000 }

  /// The whole seconds since 1970, rounded down.
  public var seconds: Int64 { microseconds / 1_000_000 - (microseconds % 1_000_000 < 0 ? 1 : 0) }

  /// The microseconds since the last whole second.
  private var fraction: Int64 { microseconds &- seconds &* 1_000_000 }

  /// Orders by time.
  public static func < (left: Timestamp, right: Timestamp) -> Bool { left.microseconds < right.microseconds }

  /// Returns the time that is `right` earlier.
  public static func - (left: Timestamp, right: Milliseconds) -> Timestamp {
    Timestamp(microseconds: left.microseconds &- right.rawValue &* 1000)
  }

  /// Returns the duration between two times; negative if the first is earlier.
  public static func - (left: Timestamp, right: Timestamp) -> Milliseconds {
    Milliseconds((left.microseconds &- right.microseconds) / 1000)
  }
}

extension Timestamp: TextCodable {
  /// Reads `YYYY-MM-DDTHH:MM:SS[.fraction]Z`; digits beyond the microsecond are dropped.
  public init?(_ text: String) {
    let bytes = Array(text.utf8)
    guard bytes.count >= 20, bytes.last == UInt8(ascii: "Z"), bytes[4] == UInt8(ascii: "-"),
      bytes[7] == UInt8(ascii: "-"),
      bytes[10] == UInt8(ascii: "T"), bytes[13] == UInt8(ascii: ":"), bytes[16] == UInt8(ascii: ":")
    else { return nil }
    func number(_ range: Range<Int>) -> Int64? {
      var value: Int64 = 0
      for byte in bytes[range] {
        guard (48...57).contains(byte) else { return nil }
        value = value * 10 + Int64(byte - 48)
      }
      return value
    }
    guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10), let hour = number(11..<13),
      hour < 24, let minute = number(14..<16), minute < 60, let second = number(17..<19), second <= 60
    else { return nil }
    let days = Self.days(year: year, month: month, day: day)
    // A day that the month does not have is converted to one of the next month, so it is noticed here.
    guard Self.civil(days) == (year, month, day) else { return nil }
    var fraction: Int64 = 0
    if bytes.count > 20 {
      guard bytes[19] == UInt8(ascii: "."), bytes.count > 21 else { return nil }
      let digits = min(6, bytes.count - 21)
      guard let value = number(20..<20 + digits), bytes[20..<bytes.count - 1].allSatisfy({ (48...57).contains($0) })
      else {
        return nil
      }
      fraction = value
      for _ in digits..<6 { fraction *= 10 }
    }
    microseconds = (((days * 24 + hour) * 60 + minute) * 60 + second) * 1_000_000 + fraction
  }

  /// The time as RFC 3339 text in UTC with microseconds; years below 0 and above 9999 are shown as those.
  public var description: String {
    let day = seconds >= 0 ? seconds / 86400 : (seconds - 86399) / 86400
    let rest = seconds - day * 86400
    let (year, month, dayOfMonth) = Self.civil(day)
    return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 27) { buffer in
      func put(_ value: Int64, at start: Int, width: Int, then separator: Unicode.Scalar) {
        var value = value
        for index in stride(from: start + width - 1, through: start, by: -1) {
          buffer[index] = UInt8(48 + value % 10)
          value /= 10
        }
        buffer[start + width] = UInt8(ascii: separator)
      }
      put(max(0, min(9999, year)), at: 0, width: 4, then: "-")
      put(month, at: 5, width: 2, then: "-")
      put(dayOfMonth, at: 8, width: 2, then: "T")
      put(rest / 3600, at: 11, width: 2, then: ":")
      put(rest / 60 % 60, at: 14, width: 2, then: ":")
      put(rest % 60, at: 17, width: 2, then: ".")
      put(fraction, at: 20, width: 6, then: "Z")
      return String(decoding: buffer, as: UTF8.self)
    }
  }

  /// Returns the days since 1970-01-01 of a date of the proleptic Gregorian calendar, computed with eras of 400 years
  /// that begin in March.
  private static func days(year: Int64, month: Int64, day: Int64) -> Int64 {
    let shifted = month <= 2 ? year - 1 : year
    let era = (shifted >= 0 ? shifted : shifted - 399) / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  /// Returns the date of a day; the inverse of `days`.
  private static func civil(_ days: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let shifted = days + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
  }
}

extension Timestamp {
  /// Returns the present time of this host's wall clock. Logic should not call this, but take the time as an argument.
  public static func now() -> Timestamp {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Timestamp(microseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000)
  }
}

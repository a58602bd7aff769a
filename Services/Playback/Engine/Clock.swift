import Model
import System

/// A time of the host's monotonic clock, which stops while the host sleeps, as sound does.
struct MonotonicTime: Hashable, Comparable, Codable, Sendable {
  /// The nanoseconds since an arbitrary moment.
  var nanoseconds: Int64

  static func now() -> MonotonicTime { MonotonicTime(nanoseconds: MonotonicClock.nanoseconds()) }

  static func < (left: MonotonicTime, right: MonotonicTime) -> Bool { left.nanoseconds < right.nanoseconds }

  /// Returns the time that is `right` later than this one; a length over a century counts as a century.
  static func + (left: MonotonicTime, right: Milliseconds) -> MonotonicTime {
    MonotonicTime(nanoseconds: left.nanoseconds + max(-longest, min(longest, right.rawValue)) * 1_000_000)
  }

  static func - (left: MonotonicTime, right: Milliseconds) -> MonotonicTime { left + Milliseconds(-right.rawValue) }

  private static let longest: Int64 = 100 * 365 * 24 * 3_600_000

  /// Returns the length from `right` to `left`, rounded to milliseconds.
  static func - (left: MonotonicTime, right: MonotonicTime) -> Milliseconds {
    let difference = left.nanoseconds - right.nanoseconds
    return Milliseconds((difference + (difference < 0 ? -500_000 : 500_000)) / 1_000_000)
  }

  func seconds(until later: MonotonicTime) -> Double { Double(later.nanoseconds - nanoseconds) / 1e9 }
}

/// The present moment by the monotonic clock and by the wall clock.
struct Now: Hashable, Sendable {
  var moment: MonotonicTime
  var date: Timestamp

  /// Returns both clocks at an earlier time.
  func at(_ earlier: MonotonicTime) -> Now { Now(moment: earlier, date: date - (moment - earlier)) }

  func later(_ length: Milliseconds) -> Now {
    Now(moment: moment + length, date: Timestamp(microseconds: date.microseconds + length.rawValue * 1000))
  }

  static func now() -> Now { Now(moment: .now(), date: .now()) }
}

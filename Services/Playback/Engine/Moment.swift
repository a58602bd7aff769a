import Glibc
import Model

/// A moment on the host's monotonic clock, which stands still while the host sleeps, as sound does.
struct Moment: Hashable, Comparable, Sendable {
  /// Nanoseconds since some fixed moment.
  var nanoseconds: Int64

  /// The present moment.
  static func now() -> Moment {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Moment(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
  }

  /// Orders by time.
  static func < (left: Moment, right: Moment) -> Bool { left.nanoseconds < right.nanoseconds }

  /// The moment that lies `length` after this one; a century after it, where that is longer.
  static func + (left: Moment, right: Milliseconds) -> Moment {
    Moment(nanoseconds: left.nanoseconds + max(-longest, min(longest, right.rawValue)) * 1_000_000)
  }

  private static let longest: Int64 = 100 * 365 * 24 * 3_600_000

  /// The time from an earlier moment to a later one, rounded to milliseconds.
  static func - (left: Moment, right: Moment) -> Milliseconds {
    let difference = left.nanoseconds - right.nanoseconds
    return Milliseconds((difference + (difference < 0 ? -500_000 : 500_000)) / 1_000_000)
  }

  /// The time from this moment to a later one, in seconds.
  func seconds(until later: Moment) -> Double { Double(later.nanoseconds - nanoseconds) / 1e9 }
}

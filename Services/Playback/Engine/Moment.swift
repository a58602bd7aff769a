import Glibc
import Model

/// A moment on the host's monotonic clock, which stands still while the host sleeps, as sound does.
struct MonotonicTime: Hashable, Comparable, Sendable {
  /// Nanoseconds since some fixed moment.
  var nanoseconds: Int64

  /// The present moment.
  static func now() -> MonotonicTime {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return MonotonicTime(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
  }

  /// Orders by time.
  static func < (left: MonotonicTime, right: MonotonicTime) -> Bool { left.nanoseconds < right.nanoseconds }

  /// The moment that lies `length` after this one; a century after it, where that is longer.
  static func + (left: MonotonicTime, right: Milliseconds) -> MonotonicTime {
    MonotonicTime(nanoseconds: left.nanoseconds + max(-longest, min(longest, right.rawValue)) * 1_000_000)
  }

  private static let longest: Int64 = 100 * 365 * 24 * 3_600_000

  /// The time from an earlier moment to a later one, rounded to milliseconds.
  static func - (left: MonotonicTime, right: MonotonicTime) -> Milliseconds {
    let difference = left.nanoseconds - right.nanoseconds
    return Milliseconds((difference + (difference < 0 ? -500_000 : 500_000)) / 1_000_000)
  }

  /// The time from this moment to a later one, in seconds.
  func seconds(until later: MonotonicTime) -> Double { Double(later.nanoseconds - nanoseconds) / 1e9 }
}

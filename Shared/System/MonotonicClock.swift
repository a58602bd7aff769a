import Glibc
public import Model

/// The clocks of this host that nobody can set, read as numbers (clock_gettime(2)). To measure and wait inside one
/// process, Swift's own `ContinuousClock` and `SuspendingClock` are enough.
public enum MonotonicClock {
  /// The nanoseconds since a moment before this process began. The clock stands still while the host sleeps.
  public static func nanoseconds() -> Int64 { nanoseconds(CLOCK_MONOTONIC) }

  /// The microseconds since a moment before this process began. The clock stands still while the host sleeps.
  public static func microseconds() -> Int64 { nanoseconds() / 1000 }

  /// The milliseconds since a moment before this process began. The clock stands still while the host sleeps.
  public static func milliseconds() -> Milliseconds { Milliseconds(nanoseconds() / 1_000_000) }

  /// The microseconds since the host's boot, the time it slept included.
  public static func microsecondsSinceBoot() -> Int64 { nanoseconds(CLOCK_BOOTTIME) / 1000 }

  private static func nanoseconds(_ clock: clockid_t) -> Int64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}

import Glibc
public import Model

/// The clocks of this host that cannot be set, as numbers (clock_gettime(2)). Within one process Swift's
/// `ContinuousClock` and `SuspendingClock` are enough.
public enum MonotonicClock {
  /// Returns the nanoseconds since a fixed time before this process started. The clock stops while the host sleeps.
  public static func nanoseconds() -> Int64 { nanoseconds(CLOCK_MONOTONIC) }

  /// Returns the microseconds since a fixed time before this process started. The clock stops while the host sleeps.
  public static func microseconds() -> Int64 { nanoseconds() / 1000 }

  /// Returns the milliseconds since a fixed time before this process started. The clock stops while the host sleeps.
  public static func milliseconds() -> Milliseconds { Milliseconds(nanoseconds() / 1_000_000) }

  /// Returns the microseconds since the host's boot, including sleep.
  public static func microsecondsSinceBoot() -> Int64 { nanoseconds(CLOCK_BOOTTIME) / 1000 }

  private static func nanoseconds(_ clock: clockid_t) -> Int64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}

import Glibc

/// This host's monotonic clock, by which sd-bus counts its deadlines.
enum MonotonicClock {
  /// Microseconds since some moment before the process began.
  static func microseconds() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000
  }
}

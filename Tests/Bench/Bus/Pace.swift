import Glibc

/// Nanoseconds of the monotonic clock, which all processes of a host share.
func monotonicNanoseconds() -> Int64 {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
}

/// Points in time at an even interval. A late one does not delay those that follow.
struct Pace {
  private var next = monotonicNanoseconds()
  private let step: Int64

  /// Makes a pace with that many points in time a second; 0 for no pauses at all.
  init(perSecond rate: Int) { step = rate > 0 ? 1_000_000_000 / Int64(rate) : 0 }

  /// Sleeps until the next point in time.
  mutating func wait() {
    guard step > 0 else { return }
    next += step
    var moment = timespec(tv_sec: Int(next / 1_000_000_000), tv_nsec: Int(next % 1_000_000_000))
    while clock_nanosleep(CLOCK_MONOTONIC, Int32(TIMER_ABSTIME), &moment, nil) == EINTR {}
  }
}

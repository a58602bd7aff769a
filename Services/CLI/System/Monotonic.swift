import Glibc
import Model

/// The clock that never jumps.
enum Monotonic {
  /// The present moment, since some moment in the past.
  static func now() -> Milliseconds {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Milliseconds(Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
  }
}

import Glibc

extension Timestamp {
  /// The present moment on this host's wall clock. Logic takes its time as an argument; this is for those who give it.
  public static func now() -> Timestamp {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Timestamp(microseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000)
  }
}

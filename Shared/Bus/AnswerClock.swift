import FoundationEssentials
import Glibc

/// How long this host has run, asleep or awake, and since which boot.
struct Uptime: Equatable, Sendable {
  /// What the kernel drew at this boot.
  var boot: String
  /// Since then.
  var microseconds: Int64

  private static let thisBoot: String = {
    do {
      return try String(contentsOf: URL(filePath: "/proc/sys/kernel/random/boot_id"), encoding: .utf8)
    } catch {
      // Without it each run counts for itself: an answer is kept longer than it need be.
      return "run \(UInt64.random(in: 0...UInt64.max))"
    }
  }()

  /// The time since the boot by `CLOCK_BOOTTIME`, which nobody can set (clock_gettime(2)).
  static func now() -> Uptime {
    var time = timespec()
    clock_gettime(CLOCK_BOOTTIME, &time)
    return Uptime(boot: thisBoot, microseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000)
  }
}

/// The clock by which kept answers grow old. It goes on while the host runs, across restarts of the service, and stands
/// still from the last answer before a boot to the first look at it after. Pure.
struct AnswerClock: Equatable, Sendable {
  /// It is written this often at most; by so much an answer may look older than it is.
  static let step: Int64 = 60_000_000

  /// What it shows, in microseconds.
  var time: Int64
  /// When it showed that.
  var uptime: Uptime

  /// Brings it up to date where that is worth being written; tells whether it was.
  mutating func advance(to now: Uptime) -> Bool {
    let passed = now.microseconds - uptime.microseconds
    // How long it was off nobody knows: what a wall clock says of it may be years.
    let isOfThisBoot = now.boot == uptime.boot && passed >= 0
    guard !isOfThisBoot || passed >= Self.step else { return false }
    if isOfThisBoot { time += passed }
    uptime = now
    return true
  }
}

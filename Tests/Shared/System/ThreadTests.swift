import Glibc
import Model
import Synchronization
import System
import Testing

@Suite struct ThreadTests {
  @Test func aJoinedThreadHasRunWithItsNameAndSignalsBlocked() throws {
    let seen = Mutex<(name: String, isBlocked: Bool, isSegmentationFaultOpen: Bool)>(("", false, false))
    let thread = try SystemThread.startJoinable("a-name-that-is-too-long", stackSize: 256 * 1024) {
      var mask = sigset_t()
      pthread_sigmask(SIG_BLOCK, nil, &mask)
      let name = Files.text(of: "/proc/thread-self/comm") ?? ""
      seen.withLock { $0 = (name, sigismember(&mask, SIGTERM) == 1, sigismember(&mask, SIGSEGV) == 0) }
    }
    #expect(!thread.isCurrent)
    thread.join()
    #expect(seen.withLock { $0.name } == "a-name-that-is-\n")
    #expect(seen.withLock { $0.isBlocked && $0.isSegmentationFaultOpen })
  }

  @Test func aMonitorWakesThreadsThatWaitForItsValue() throws {
    let monitor = Monitor(0)
    try SystemThread.start("setter") { monitor.change { $0 = 7 } }
    #expect(monitor.wait(atMost: Milliseconds(10_000)) { $0 == 7 ? $0 : nil } == 7)
  }

  @Test func aWaitEndsAfterItsLimit() {
    let monitor = Monitor(0)
    let began = MonotonicClock.milliseconds()
    let value: Int? = monitor.wait(atMost: Milliseconds(30)) { $0 == 1 ? $0 : nil }
    #expect(value == nil)
    #expect((MonotonicClock.milliseconds() - began).rawValue >= 29)
  }

  @Test func theClocksDoNotGoBack() {
    let (first, boot) = (MonotonicClock.nanoseconds(), MonotonicClock.microsecondsSinceBoot())
    #expect(MonotonicClock.nanoseconds() >= first)
    #expect(MonotonicClock.microsecondsSinceBoot() >= boot)
  }
}

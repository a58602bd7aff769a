import Model
import Testing

@testable import lunara

/// The delay before a service that ended is started again.
struct RestartPolicyTests {
  @Test func theFirstRestartIsImmediateAndDelaysDoubleToHalfAMinute() {
    var policy = RestartPolicy()
    let delays = (0..<9).map { _ in policy.delay(afterRunning: Milliseconds(100)).rawValue }
    #expect(delays == [0, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000])
  }

  @Test func aMinuteOfRunningResetsTheDelay() {
    var policy = RestartPolicy()
    for _ in 0..<4 { _ = policy.delay(afterRunning: Milliseconds(100)) }
    #expect(policy.delay(afterRunning: Milliseconds(59_999)) == Milliseconds(8000))
    #expect(policy.delay(afterRunning: Milliseconds(60_000)) == .zero)
    #expect(policy.delay(afterRunning: Milliseconds(10)) == Milliseconds(1000))
  }

  @Test func theDelayNeverOverflows() {
    var policy = RestartPolicy()
    for _ in 0..<1000 { #expect(policy.delay(afterRunning: .zero) <= Milliseconds(30_000)) }
  }
}

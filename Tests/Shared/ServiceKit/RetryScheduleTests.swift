import ServiceKit
import Testing

@Suite struct RetryScheduleTests {
  private let start = ContinuousClock.now

  @Test func thePauseDoublesFromFiveSecondsToAQuarterOfAnHour() {
    let policy = RetryPolicy.standard
    #expect(
      (1...10).map { policy.pause(after: $0) } == [5, 10, 20, 40, 80, 160, 320, 640, 900, 900].map { .seconds($0) })
    #expect(policy.pause(after: 0) == .seconds(5) && policy.pause(after: .max) == .seconds(900))
  }

  @Test func eachFailureInARowDoublesThePause() {
    var schedule = RetrySchedule(at: start)
    #expect(schedule.pause(at: start) == .zero && !schedule.isHeldBack)
    schedule.fail(at: start)
    #expect(schedule.pause(at: start) == .seconds(5) && schedule.isHeldBack)
    schedule.fail(at: start + .seconds(5))
    #expect(schedule.pause(at: start + .seconds(5)) == .seconds(10) && schedule.failures == 2)
    schedule.succeed()
    schedule.fail(at: start + .seconds(15))
    #expect(schedule.pause(at: start + .seconds(15)) == .seconds(5))
  }

  @Test func thePauseGrowsNoFurtherThanToItsLimit() {
    var schedule = RetrySchedule(at: start)
    var now = start
    for _ in 0..<6 {
      schedule.fail(at: now, growingUntil: 3)
      #expect(schedule.pause(at: now) <= .seconds(20))
      now += .seconds(20)
    }
    #expect(schedule.failures == 6)
  }

  @Test func aLongerPauseIsNotCutShort() {
    var schedule = RetrySchedule(at: start)
    schedule.hold(for: .seconds(300), at: start)
    schedule.hold(for: .seconds(10), at: start)
    #expect(schedule.pause(at: start) == .seconds(300))
    schedule.hold(for: .seconds(1 << 30), at: start)
    #expect(schedule.pause(at: start) == RetrySchedule.longestPause)
    schedule.reset(at: start)
    #expect(schedule.pause(at: start) == .zero && schedule.failures == 0 && !schedule.isHeldBack)
  }

  @Test func thePauseBetweenRequestsDelaysNoRetry() {
    var schedule = RetrySchedule(at: start)
    schedule.begin(at: start, pace: .milliseconds(250))
    #expect(schedule.pause(at: start) == .milliseconds(250) && !schedule.isHeldBack)
    schedule.fail(at: start)
    schedule.release()
    #expect(!schedule.isHeldBack && schedule.failures == 1)
  }

  @Test func aPauseThatWasKeptOverARestartGoesOn() {
    let schedule = RetrySchedule(at: start, pause: .seconds(60))
    #expect(schedule.isHeldBack && schedule.pause(at: start + .seconds(20)) == .seconds(40))
  }
}

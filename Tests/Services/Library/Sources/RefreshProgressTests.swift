import Testing

@testable import Records
@testable import Sources

struct RateMeterTests {
  @Test func aRateIsKnownAfterAMomentAndFollowsTheLastSeconds() {
    var meter = RateMeter()
    meter.add(0, at: .zero)
    #expect(meter.rate == nil)
    meter.add(100, at: .seconds(1))
    #expect(meter.rate == 100)
    for second in 2...20 { meter.add(100 + (second - 1) * 10, at: .seconds(second)) }
    #expect(meter.rate == 10)
  }
}

struct RefreshPlanTests {
  @Test func oneRunsAtATimeAndRequestsMeanwhileShareTheNext() {
    var plan = RefreshPlan()
    let answers = [plan.request([], number: 1), plan.request([], number: 2), plan.request([], number: 3)]
    #expect(answers.map(\.number) == [1, 2, 2] && answers.map(\.begins) == [true, false, false])
    #expect(plan.isRunning)
    let ends = [plan.finish(), plan.finish()]
    #expect(ends == [RefreshPlan.Refresh(number: 2, accepts: []), nil])
    #expect(!plan.isRunning)
  }

  @Test func anAcceptanceIsKeptWhileRequestsAreCombined() {
    var plan = RefreshPlan()
    for (number, accepts) in [(1, []), (2, .deletions), (3, [])] as [(Int64, AcceptedChanges)] {
      _ = plan.request(accepts, number: number)
    }
    let next = plan.finish()
    #expect(next == RefreshPlan.Refresh(number: 2, accepts: .deletions))
  }

  @Test func anAcceptanceHoldsForOneRefresh() {
    var plan = RefreshPlan()
    _ = plan.request(.deletions, number: 1)
    let next = plan.finish()
    #expect(next == nil)
    let after = plan.request([], number: 2)
    #expect(after == (2, true))
  }
}

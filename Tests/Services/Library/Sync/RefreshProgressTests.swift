import Testing

@testable import lunara_library

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
  @Test func oneRunsAtATime() {
    var plan = RefreshPlan()
    #expect(plan.request([]) == [])
    #expect(plan.isRunning)
    #expect(plan.request([]) == nil)
    #expect(plan.request([]) == nil)
    #expect(plan.finish() == [])
    #expect(plan.finish() == nil)
    #expect(!plan.isRunning)
  }

  @Test func anAcceptanceIsKeptWhileRequestsAreCombined() {
    var plan = RefreshPlan()
    _ = plan.request([])
    _ = plan.request(.deletions)
    _ = plan.request([])
    #expect(plan.finish() == .deletions)
  }

  @Test func anAcceptanceHoldsForOneRefresh() {
    var plan = RefreshPlan()
    #expect(plan.request(.deletions) == .deletions)
    #expect(plan.finish() == nil)
    #expect(plan.request([]) == [])
  }
}

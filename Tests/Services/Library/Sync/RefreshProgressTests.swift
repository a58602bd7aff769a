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
    #expect(plan.handle(.wanted([])) == [])
    #expect(plan.runs)
    #expect(plan.handle(.wanted([])) == nil)
    #expect(plan.handle(.wanted([])) == nil)
    #expect(plan.handle(.ended) == [])
    #expect(plan.handle(.ended) == nil)
    #expect(!plan.runs)
  }

  @Test func anAcceptanceIsNotLostBehindOthers() {
    var plan = RefreshPlan()
    _ = plan.handle(.wanted([]))
    _ = plan.handle(.wanted(.deletions))
    _ = plan.handle(.wanted([]))
    #expect(plan.handle(.ended) == .deletions)
  }

  @Test func anAcceptanceHoldsForOneRefresh() {
    var plan = RefreshPlan()
    #expect(plan.handle(.wanted(.deletions)) == .deletions)
    #expect(plan.handle(.ended) == nil)
    #expect(plan.handle(.wanted([])) == [])
  }
}

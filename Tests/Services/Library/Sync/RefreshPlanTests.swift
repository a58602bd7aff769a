import Testing

@testable import lunara_library

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

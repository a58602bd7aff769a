import Testing

@testable import lunara_library

struct RefreshPlanTests {
  @Test func oneRunsAtATime() {
    var plan = RefreshPlan()
    #expect(plan.handle(.wanted(acceptsDeletions: false)) == false)
    #expect(plan.runs)
    #expect(plan.handle(.wanted(acceptsDeletions: false)) == nil)
    #expect(plan.handle(.wanted(acceptsDeletions: false)) == nil)
    #expect(plan.handle(.ended) == false)
    #expect(plan.handle(.ended) == nil)
    #expect(!plan.runs)
  }

  @Test func anAcceptanceIsNotLostBehindOthers() {
    var plan = RefreshPlan()
    _ = plan.handle(.wanted(acceptsDeletions: false))
    _ = plan.handle(.wanted(acceptsDeletions: true))
    _ = plan.handle(.wanted(acceptsDeletions: false))
    #expect(plan.handle(.ended) == true)
  }

  @Test func anAcceptanceHoldsForOneRefresh() {
    var plan = RefreshPlan()
    #expect(plan.handle(.wanted(acceptsDeletions: true)) == true)
    #expect(plan.handle(.ended) == nil)
    #expect(plan.handle(.wanted(acceptsDeletions: false)) == false)
  }
}

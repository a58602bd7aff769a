import ServiceKit
import Testing

@testable import lunara_scrobble

struct DeliveryPlanTests {
  private let start = ContinuousClock.now

  private func plan(_ batch: Int = 8) -> DeliveryPlan { DeliveryPlan(batch: batch, at: start) }

  /// Returns the size of the next batch once the plan need not wait.
  private func size(_ plan: DeliveryPlan) -> Int? {
    guard case .send(let count, _) = plan.next(at: start + .seconds(1 << 30)) else { return nil }
    return count
  }

  private func wait(_ plan: DeliveryPlan) -> Duration? {
    guard case .wait(let until) = plan.next(at: start) else { return nil }
    return until - start
  }

  private let down = SendResult(.failed("500", isAnswer: true))
  private let away = SendResult(.failed("no route", isAnswer: false))

  @Test func requestsAreSpacedOut() {
    var plan = plan()
    plan.begin(at: start)
    _ = plan.apply(SendResult(.answered([.accepted(nil)])), of: 1, at: start + .milliseconds(20))
    #expect(plan.next(at: start + .milliseconds(249)) == .wait(until: start + .milliseconds(250)))
    #expect(plan.next(at: start + .milliseconds(250)) == .send(atMost: 8))
  }

  @Test func eachItemGetsItsOwnAnswer() {
    var plan = plan()
    let verdict = plan.apply(
      SendResult(.answered([.accepted(nil), .ignored("filtered"), .accepted("corrected")])), of: 3, at: start)
    #expect(verdict.items == [.sent(nil), .failed("filtered"), .sent("corrected")])
    #expect(verdict.hasAccepted)
  }

  @Test func theWaitDoublesFromFiveSeconds() {
    var plan = plan()
    for seconds in [5, 10, 20] {
      let verdict = plan.apply(away, of: 8, at: start)
      #expect(verdict.items == Array(repeating: .due("no route", standsBack: false), count: 8))
      #expect(wait(plan) == .seconds(seconds))
    }
    _ = plan.apply(SendResult(.answered([.accepted(nil)])), of: 1, at: start + .seconds(60))
    #expect(plan.failures == 0)
  }

  @Test func aNetworkThatIsAwayForWeeksHalvesNothing() {
    var plan = plan()
    for _ in 0..<2000 { _ = plan.apply(away, of: 8, at: start) }
    #expect(size(plan) == 8)
  }

  @Test func aRefusedBatchIsHalvedDownToTheOneThatIsToBlame() {
    var plan = plan()
    // The service refuses the sixth of eight.
    var queue = Array(1...8)
    var failed: [Int] = []
    var sent: [Int] = []
    for _ in 0..<10 where !queue.isEmpty {
      let batch = Array(queue.prefix(size(plan) ?? 0))
      let isBad = batch.contains(6)
      let result = SendResult(isBad ? .rejected("bad") : .answered(batch.map { _ in .accepted(nil) }))
      let verdict = plan.apply(result, of: batch.count, at: start)
      for (item, verdict) in zip(batch, verdict.items) {
        switch verdict {
        case .sent: sent.append(item)
        case .failed: failed.append(item)
        case .due: continue
        }
        queue.removeAll { $0 == item }
      }
    }
    #expect(failed == [6])
    #expect(sent == [1, 2, 3, 4, 5, 7, 8])
    #expect(size(plan) == 8)
  }

  /// A plan after ten refusals in a row.
  private func tenRefused() -> DeliveryPlan {
    var plan = plan(1)
    for count in 1...10 {
      #expect(plan.next(at: start) == .send(atMost: 1))
      let verdict = plan.apply(SendResult(.rejected("method")), of: 1, at: start).items.first
      #expect(verdict == (count < 10 ? .failed("method") : .due("method", standsBack: false)))
    }
    return plan
  }

  @Test func tenRefusedOneAfterAnotherAndTheNewestStopTheAccount() {
    var plan = tenRefused()
    #expect(plan.next(at: start) == .send(atMost: 1, newest: true))
    let verdict = plan.apply(SendResult(.rejected("method")), of: 1, at: start)
    #expect(verdict.items == [.due("method", standsBack: false)])
    #expect(plan.next(at: start) == .pause(.refused, "method"))
  }

  @Test func theNewestShowsThatTheOldestAreAtFault() {
    var plan = tenRefused()
    // The plan asks again until the service gives an answer.
    _ = plan.apply(SendResult(.failed("no route", isAnswer: false)), of: 1, at: start)
    #expect(plan.next(at: start + .seconds(60)) == .send(atMost: 1, newest: true))
    _ = plan.apply(SendResult(.answered([.accepted(nil)])), of: 1, at: start + .seconds(60))
    #expect(plan.next(at: start + .seconds(60)) == .send(atMost: 1))
    let next = plan.apply(SendResult(.rejected("bad")), of: 1, at: start)
    #expect(next.items == [.failed("bad")])
  }

  @Test func whatLimitsOtherRequestsLimitsScrobblesToo() {
    var plan = plan()
    let results: [(SendResult, wait: Duration?)] = [
      (SendResult(.failed("500", isAnswer: true)), nil),
      (SendResult(.answered([.accepted(nil)]), quiet: .seconds(9)), .seconds(9)),
      (SendResult(.limited("slow down", wait: .seconds(40))), .seconds(40)),
    ]
    for (result, expected) in results {
      let isHeeded = plan.applyToAccount(result, at: start)
      #expect(isHeeded == (expected != nil))
      #expect(wait(plan) == expected)
    }
    #expect(plan.failures == 0)
  }

  @Test func anAcceptedItemBetweenRefusalsProvesTheItemsAreAtFault() {
    var plan = plan(1)
    for count in 1...40 {
      _ = plan.apply(SendResult(count % 9 == 0 ? .answered([.accepted(nil)]) : .rejected("bad")), of: 1, at: start)
    }
    #expect(plan.pause == nil)
  }

  @Test func aServiceThatAnswersButCannotIsAskedAboutLessAndLess() {
    var plan = plan()
    for _ in 0..<2 { _ = plan.apply(down, of: 8, at: start) }
    #expect(size(plan) == 8)
    _ = plan.apply(down, of: 8, at: start)
    #expect(size(plan) == 4)
    _ = plan.apply(down, of: 4, at: start)
    _ = plan.apply(down, of: 2, at: start)
    #expect(size(plan) == 1)
    let verdict = plan.apply(down, of: 1, at: start)
    #expect(verdict.items == [.due("500", standsBack: true)])
    // One other scrobble is tried alone; once it is accepted, all are sent together again.
    #expect(size(plan) == 1)
    _ = plan.apply(SendResult(.answered([.accepted(nil)])), of: 1, at: start)
    #expect(size(plan) == 8)
  }

  @Test func aPersonWhoAsksAgainAndAgainDoesNotKeepTheBatchLarge() {
    var plan = plan()
    for _ in 0..<3 {
      #expect(size(plan) == 8)
      _ = plan.apply(down, of: 8, at: start)
      plan.resume(at: start)
    }
    #expect(size(plan) == 4)
    _ = plan.apply(down, of: 4, at: start)
    plan.resume(at: start)
    #expect(size(plan) == 2)
  }

  /// Sends items to a service that accepts at most `most` in one request, and returns the sizes of the requests.
  private func sizes(
    _ plan: inout DeliveryPlan, items: Int, most: Int, _ refusal: SendResult, from start: ContinuousClock.Instant
  ) -> [Int] {
    var (left, sizes, now) = (items, [Int](), start)
    while left > 0, sizes.count < 1000 {
      switch plan.next(at: now) {
      case .pause: return sizes
      case .wait(let until): now = until
      case .send(let limit, _):
        let count = min(limit, left)
        sizes.append(count)
        let accepted = SendResult(.answered(Array(repeating: .accepted(nil), count: count)))
        let verdict = plan.apply(count > most ? refusal : accepted, of: count, at: now)
        left -= verdict.items.count { $0 == .sent(nil) }
      }
    }
    return sizes
  }

  @Test(arguments: [1, 3, 10]) func theSizeThatAServiceAcceptsIsKept(most: Int) {
    for refusal in [down, SendResult(.rejected("Missing required parameter artist"))] {
      var plan = plan(50)
      let sizes = sizes(&plan, items: 100, most: most, refusal, from: start)
      let refused = sizes.filter { $0 > most }
      // One search, and one further full batch that shows that the size was at fault and not one of the listens.
      #expect(refused.count <= 10 && refused.last == 50, "\(sizes)")
      let size = plan.batchSize(at: start)
      #expect(size.map { $0 <= most } == true)
      // Neither a person's wish to try again nor a restart begins the search anew.
      plan.resume(at: start)
      var restarted = DeliveryPlan(batch: 50, at: start, batchSize: size)
      for var plan in [plan, restarted] {
        #expect(self.sizes(&plan, items: 60, most: most, refusal, from: start).allSatisfy { $0 <= most })
      }
      // After a day a full batch is tried again, and is enough to know it once more.
      let nextDay = start + DeliveryPlan.sizeLifetime
      #expect(self.sizes(&restarted, items: 60, most: most, refusal, from: nextDay).filter { $0 > most } == [50])
      #expect(self.sizes(&restarted, items: 60, most: 50, refusal, from: nextDay + .seconds(90_000)) == [50, 10])
      #expect(restarted.batchSize(at: nextDay) == nil)
    }
  }

  @Test func batchesWithoutAClearAnswerAreHalvedThoughTheirItemsPassAlone() {
    var (plan, now) = (plan(8), start)
    func accepted(_ count: Int) -> SendResult { SendResult(.answered(Array(repeating: .accepted(nil), count: count))) }
    func unclear(_: Int) -> SendResult { SendResult(.failed("timeout", isAnswer: false), mayHaveArrived: true) }
    /// Sends the next batch, and then one item alone, which the service accepts. Returns the size of the batch.
    func send(_ result: (Int) -> SendResult) -> Int? {
      if case .wait(let until) = plan.next(at: now) { now = until }
      guard case .send(let count, _) = plan.next(at: now) else { return nil }
      _ = plan.apply(result(count), of: count, at: now)
      _ = plan.apply(accepted(1), of: 1, at: now)
      return count
    }
    #expect([send(unclear), send(unclear), send(unclear), send(accepted)] == [8, 8, 4, 2])
    #expect(plan.batchSize(at: now) == 2)
    // A single answer that is lost lowers nothing.
    #expect(send(unclear) == 2 && plan.batchSize(at: now) == 2)
    // After a day one full batch is enough to know the size again, or that the service takes more now.
    now += DeliveryPlan.sizeLifetime
    #expect(send(unclear) == 8 && plan.batchSize(at: now) == 2)
    now += DeliveryPlan.sizeLifetime
    #expect(send(accepted) == 8 && plan.batchSize(at: now) == nil)
  }

  @Test func aServiceThatRecoversGetsFullBatchesAgain() {
    var plan = plan(50)
    for _ in 0..<20 { _ = plan.apply(down, of: size(plan) ?? 0, at: start) }
    let sizes = sizes(&plan, items: 100, most: 50, down, from: start + .seconds(7200))
    #expect(sizes.max() == 50 && plan.batchSize(at: start) == nil)
  }

  @Test func aRefusedAccountIsPausedUntilAPersonActs() {
    var plan = plan()
    let verdict = plan.apply(SendResult(.refused(.signedOut, "Invalid session key")), of: 2, at: start)
    #expect(verdict.items.allSatisfy { $0 == .due("Invalid session key", standsBack: false) })
    #expect(plan.next(at: start + .seconds(1 << 30)) == .pause(.signedOut, "Invalid session key"))
    plan.resume(at: start)
    #expect(plan.next(at: start) == .send(atMost: 8))
    #expect(plan.problem == nil)
  }

  @Test func aLimitIsKeptToAsLongAsTheServiceSaysOrElseFiveMinutes() {
    var plan = plan()
    _ = plan.apply(SendResult(.limited("slow down", wait: .seconds(17))), of: 8, at: start)
    #expect(wait(plan) == .seconds(17))
    var other = self.plan()
    _ = other.apply(SendResult(.limited("29", wait: nil)), of: 8, at: start)
    #expect(wait(other) == .seconds(300))
    #expect(size(other) == 8)
  }

  @Test func whatIsOverTheDailyLimitWaitsForHoursAndTheRestIsDone() {
    var plan = plan()
    let verdict = plan.apply(SendResult(.answered([.accepted(nil), .later("daily limit")])), of: 2, at: start)
    #expect(verdict.items == [.sent(nil), .due("daily limit", standsBack: false)])
    #expect(wait(plan) == DeliveryPlan.dailyWait)
    #expect(plan.heldBack(at: start) > .zero)
  }

  @Test func aServiceWhoseRateLimitIsUsedUpGetsNoRequest() {
    var plan = plan()
    _ = plan.apply(SendResult(.answered([.accepted(nil)]), quiet: .seconds(9)), of: 1, at: start)
    #expect(wait(plan) == .seconds(9))
  }

  @Test func anAnswerForAnotherNumberOfListensIsAskedAboutOneByOne() {
    var plan = plan()
    let verdict = plan.apply(SendResult(.answered([.accepted(nil)])), of: 3, at: start)
    #expect(verdict.items.allSatisfy { if case .due = $0 { true } else { false } })
    #expect(size(plan) == 1)
  }

  @Test func noWaitIsLongerThanADay() {
    let plan = DeliveryPlan(batch: 8, at: start, wait: .seconds(1 << 40))
    #expect(wait(plan) == RetrySchedule.longestPause)
    #expect(wait(DeliveryPlan(batch: 8, at: start, wait: .seconds(-5))) == nil)
  }

  @Test func anAnswerAboutSomethingElseShowsThatTheServiceIsWell() {
    var plan = DeliveryPlan(batch: 8, at: start, problem: "no route")
    #expect(plan.problem == "no route")
    /// Returns true where an answer changes the account's status.
    func changes(_ outcome: SendOutcome) -> Bool { plan.applyToAccount(SendResult(outcome), at: start) }
    let taken = SendOutcome.answered([.accepted(nil)])
    #expect([changes(taken), changes(taken)] == [true, false])
    #expect(plan.problem == nil)
    _ = plan.apply(SendResult(.failed("500", isAnswer: true)), of: 1, at: start)
    #expect([changes(.rejected("unknown there"))] == [false])
    #expect(plan.problem == "500" && plan.failures == 1)
    #expect([changes(taken)] == [true])
    #expect(plan.failures == 0)
    // An account that needs a sign-in is not well again because of an accepted scrobble.
    _ = plan.apply(SendResult(.refused(.signedOut, "Invalid session key")), of: 1, at: start)
    #expect([changes(taken)] == [false])
    #expect(plan.problem == "Invalid session key")
  }
}

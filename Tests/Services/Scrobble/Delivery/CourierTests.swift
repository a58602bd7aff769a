import Messages
import Model
import ServiceKit
import Synchronization
import TestSupport
import Testing

@testable import lunara_scrobble

@Suite(.timeLimit(.minutes(1)))
struct CourierTests {
  @Test func everythingGoesOnceOldestFirstInFullBatches() async throws {
    let desk = try await Desk()
    try await desk.heard(5..<10)
    try await desk.heard(0..<5)
    let courier = try await desk.courier()
    await courier.start()
    #expect(try await eventually { try await desk.states() == ["sent": 10] })
    await courier.stop()
    #expect(desk.service.titles == (0..<10).map { "Track \($0)" })
    #expect(desk.service.state.withLock { $0.requests.map(\.count) } == [4, 4, 2])
    #expect(desk.service.state.withLock { $0.mostOpen } == 1)
    #expect(try await desk.facts(Scrobble.DeliverySent.self).map(\.listens.count) == [4, 4, 2])
  }

  @Test func whatCountsLaterIsSentOnceItIsWoken() async throws {
    let desk = try await Desk()
    let courier = try await desk.courier()
    await courier.start()
    try await desk.heard(0..<1)
    await courier.wake()
    #expect(try await eventually { try await desk.states() == ["sent": 1] })
    await courier.stop()
  }

  @Test func aServiceThatIsAwayLosesNothing() async throws {
    let desk = try await Desk()
    desk.service.state.withLock {
      $0.moods = Array(repeating: .gives(SendResult(.failed("no route", isAnswer: false))), count: 30)
    }
    try await desk.heard(0..<6)
    let courier = try await desk.courier()
    await courier.start()
    #expect(try await eventually { try await desk.states() == ["sent": 6] })
    await courier.stop()
    // 30 failures: 5 s doubling to 15 min.
    #expect(desk.waited.withLock { $0 } > .seconds(22 * 900))
    #expect(desk.service.state.withLock { Array($0.kept.values) } == [1, 1, 1, 1, 1, 1])
  }

  @Test func anAnswerThatWasLostIsAskedForAgainWithTheSameTime() async throws {
    let desk = try await Desk()
    desk.service.state.withLock { $0.moods = [.losesAnswer, .losesAnswer] }
    try await desk.heard(0..<3)
    let courier = try await desk.courier()
    await courier.start()
    #expect(try await eventually { try await desk.states() == ["sent": 3] })
    await courier.stop()
    // It came three times, and is the same each time: the service keeps one.
    #expect(desk.service.state.withLock { Array($0.kept.values) } == [3, 3, 3])
  }

  @Test func aProcessThatEndsBetweenAnAnswerAndItsCommitSendsTheSameAgain() async throws {
    let desk = try await Desk()
    desk.service.state.withLock { $0.hangs = true }
    try await desk.heard(0..<2)
    let killed = try await desk.courier()
    await killed.start()
    #expect(await eventually { desk.service.titles.count == 2 })
    await killed.stop()
    #expect(try await desk.states() == ["sending": 2])
    desk.service.state.withLock { $0.hangs = false }
    let courier = try await desk.courier()
    await courier.start()
    #expect(try await eventually { try await desk.states() == ["sent": 2] })
    await courier.stop()
    #expect(desk.service.state.withLock { $0.requests[0] == $0.requests[1] })
    #expect(desk.service.titles == ["Track 0", "Track 1"])
  }

  @Test func whatWasAnsweredForIsNeverSentAgain() async throws {
    let desk = try await Desk()
    try await desk.heard(0..<20)
    for _ in 0..<5 {
      let courier = try await desk.courier()
      await courier.start()
      await courier.retry()
      #expect(try await eventually { try await desk.states() == ["sent": 20] })
      await courier.stop()
    }
    #expect(desk.service.state.withLock { $0.kept.values.allSatisfy { $0 == 1 } })
  }

  @Test func aPoisonedItemIsParkedAndTheOthersGo() async throws {
    let desk = try await Desk()
    desk.service.state.withLock {
      $0.judge = { $0.contains { $0.title == "Track 5" } ? SendResult(.rejected("bad title")) : nil }
    }
    try await desk.heard(0..<12)
    let courier = try await desk.courier()
    await courier.start()
    #expect(try await eventually { try await desk.states() == ["sent": 11, "parked": 1] })
    await courier.stop()
    let parked = try await desk.facts(Scrobble.DeliveryFailed.self)
    #expect(parked.map(\.listen.rawValue) == ["l5"])
    #expect(parked.first?.reason == "bad title")
    #expect(parked.first?.title == "Track 5")
  }

  @Test func anItemAtWhichTheServiceBreaksForEverHoldsNothingUpAndIsParked() async throws {
    let desk = try await Desk()
    desk.service.state.withLock {
      $0.judge = { $0.contains { $0.title == "Track 2" } ? SendResult(.failed("500", isAnswer: true)) : nil }
    }
    try await desk.heard(0..<9)
    let courier = try await desk.courier()
    await courier.start()
    #expect(try await eventually { try await desk.states()["sent"] == 8 })
    // What goes on being heard proves that the service is well.
    var number = 9
    while number < 20, try await desk.states()["parked"] == nil {
      try await desk.heard(number..<number + 1)
      number += 1
      await courier.wake()
      #expect(try await eventually { try await desk.states()["sent"] == number - 1 })
      // Between two of them it is tried again, or given up.
      let tries = desk.service.state.withLock { $0.requests.count }
      #expect(
        try await eventually {
          try await desk.states()["parked"] == 1 || desk.service.state.withLock { $0.requests.count } > tries + 4
        })
    }
    #expect(try await desk.states() == ["sent": number - 1, "parked": 1])
    await courier.stop()
    #expect(try await desk.facts(Scrobble.DeliveryFailed.self).map(\.listen.rawValue) == ["l2"])
  }

  @Test func aServiceThatBreaksAtEverythingForAWeekParksNothing() async throws {
    let desk = try await Desk()
    desk.service.state.withLock {
      $0.moods = Array(repeating: .gives(SendResult(.failed("500", isAnswer: true))), count: 700)
    }
    try await desk.heard(0..<9)
    let courier = try await desk.courier()
    await courier.start()
    #expect(try await eventually { try await desk.states() == ["sent": 9] })
    await courier.stop()
    #expect(desk.waited.withLock { $0 } > .seconds(7 * 86_400 - 10_000))
  }

  @Test func aSignInThatIsRefusedStopsTheAccountUntilItIsRetried() async throws {
    let desk = try await Desk()
    desk.service.state.withLock { $0.moods = [.gives(SendResult(.refused(.signedOut, "Invalid session key")))] }
    try await desk.heard(0..<3)
    let courier = try await desk.courier()
    await courier.start()
    #expect(try await eventually { try await desk.standing()?.pause == .signedOut })
    let facts = try await desk.facts(Scrobble.AccountPaused.self)
    #expect(facts.map(\.error?.code) == ["scrobble.signedOut"])
    await courier.wake()
    #expect(try await desk.states() == ["due": 3])
    await courier.retry()
    #expect(try await eventually { try await desk.states() == ["sent": 3] })
    await courier.stop()
    #expect(try await desk.facts(Scrobble.AccountPaused.self).map(\.error?.code) == ["scrobble.signedOut", nil])
  }

  @Test func anAccountThatStandsStillDoesSoAfterARestart() async throws {
    let desk = try await Desk()
    try await desk.heard(0..<3)
    try await desk.outbox.note(Standing(pause: .refused, problem: "Invalid API key"))
    let courier = try await desk.courier()
    await courier.start()
    await courier.wake()
    await courier.stop()
    #expect(desk.service.state.withLock { $0.requests.isEmpty })
    #expect(try await desk.states() == ["due": 3])
  }

  @Test func aDailyLimitOutlastsARestart() async throws {
    let desk = try await Desk()
    desk.service.state.withLock {
      $0.moods = [.gives(SendResult(.answered([.taken(nil), .later("daily limit"), .later("daily limit")])))]
      $0.judge = { _ in nil }
    }
    try await desk.heard(0..<3)
    // A clock that stands still: it gets to the wait and no further.
    let courier = Courier(
      outbox: desk.outbox, backend: desk.service, standing: Standing(), log: .quiet, changed: {},
      sleep: { _ in try await Task.sleep(for: .seconds(3600)) })
    await courier.start()
    #expect(try await eventually { try await desk.states() == ["sent": 1, "due": 2] })
    await courier.stop()
    let wait = try #require(try await desk.standing()).wait(at: .now())
    #expect(wait > .seconds(3 * 3600))
    #expect(wait <= DeliveryPlan.dailyWait)
  }

  @Test func aListenThatNoServiceCouldTakeIsParkedWithoutAsking() async throws {
    let desk = try await Desk()
    try await desk.heard(0..<1) { $0.item.track.artist = "Various Artists" }
    try await desk.heard(1..<3)
    let courier = try await desk.courier()
    await courier.start()
    #expect(try await eventually { try await desk.states() == ["sent": 2, "parked": 1] })
    await courier.stop()
    #expect(desk.service.titles == ["Track 1", "Track 2"])
  }

  @Test func whatIsHeardNowIsToldOnlyOnceNothingIsDue() async throws {
    let desk = try await Desk()
    try await desk.heard(0..<9)
    let now = try Submission(subject("x", 99).item.track, startedAt: .now())
    let courier = try await desk.courier()
    await courier.announce(now)
    await courier.start()
    #expect(await eventually { desk.service.state.withLock { $0.announced == [now] } })
    #expect(desk.service.titles.count == 9)
    await courier.stop()
  }

  @Test func whatIsHeardNowIsNotToldOnceItIsLate() async throws {
    let desk = try await Desk()
    desk.service.state.withLock {
      $0.moods = Array(repeating: .gives(SendResult(.failed("no route", isAnswer: false))), count: 6)
    }
    try await desk.heard(0..<1)
    let courier = try await desk.courier()
    await courier.announce(try Submission(subject("x", 99).item.track, startedAt: .now()))
    await courier.start()
    #expect(try await eventually { try await desk.states() == ["sent": 1] })
    await courier.stop()
    #expect(desk.service.state.withLock { $0.announced.isEmpty })
  }
}

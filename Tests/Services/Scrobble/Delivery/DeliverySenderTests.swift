import HTTP
import Messages
import Model
import ServiceKit
import Storage
import Synchronization
import TestSupport
import Testing

@testable import lunara_scrobble

@Suite(.timeLimit(.minutes(1)))
struct DeliverySenderTests {
  @Test func everythingGoesOnceOldestFirstInFullBatches() async throws {
    let account = try await TestAccount()
    try await account.heard(5..<10)
    try await account.heard(0..<5)
    let sender = try await account.sender()
    await sender.start()
    #expect(try await eventually(equals: ["sent": 10]) { try await account.states() })
    await sender.stop()
    #expect(account.service.titles == (0..<10).map { "Track \($0)" })
    #expect(account.service.state.withLock { $0.requests.map(\.count) } == [4, 4, 2])
    #expect(account.service.state.withLock { $0.mostOpen } == 1)
    #expect(try await account.facts(Scrobble.DeliverySent.self).map(\.listens.count) == [4, 4, 2])
  }

  @Test func laterListensAreSentAfterAWakeUp() async throws {
    let account = try await TestAccount()
    let sender = try await account.sender()
    await sender.start()
    try await account.heard(0..<1)
    await sender.wake()
    #expect(try await eventually(equals: ["sent": 1]) { try await account.states() })
    await sender.stop()
  }

  @Test func aServiceThatIsAwayLosesNothing() async throws {
    let account = try await TestAccount()
    account.service.state.withLock {
      $0.reactions = Array(repeating: .gives(SendResult(.failed("no route", isAnswer: false))), count: 30)
    }
    try await account.heard(0..<6)
    let sender = try await account.sender()
    await sender.start()
    #expect(try await eventually(equals: ["sent": 6]) { try await account.states() })
    await sender.stop()
    // 30 failures with pauses that double from 5 s to 15 min.
    #expect(account.waited.withLock { $0 } > .seconds(22 * 900))
    #expect(account.service.state.withLock { Array($0.kept.values) } == [1, 1, 1, 1, 1, 1])
  }

  @Test func anAnswerThatWasLostIsAskedForAgainWithTheSameTime() async throws {
    let account = try await TestAccount()
    account.service.state.withLock { $0.reactions = [.losesAnswer, .losesAnswer] }
    try await account.heard(0..<3)
    let sender = try await account.sender()
    await sender.start()
    #expect(try await eventually(equals: ["sent": 3]) { try await account.states() })
    await sender.stop()
    // Each arrived more than once with the same time, so the service keeps one.
    let sent = account.service.state.withLock { $0.requests.map { $0.map(\.title) } }
    #expect(sent == [["Track 0", "Track 1", "Track 2"], ["Track 0"], ["Track 0"], ["Track 1"], ["Track 2"]])
    #expect(account.service.titles == ["Track 0", "Track 1", "Track 2"])
  }

  @Test func whatMayHaveArrivedGoesAloneSoThatNoServerSkipsTheRest() async throws {
    let account = try await TestAccount()
    account.service.state.withLock { ($0.stopsAtKnown, $0.reactions) = (true, [.losesAnswer]) }
    try await account.heard(0..<10)
    let sender = try await account.sender()
    await sender.start()
    #expect(try await eventually(equals: ["sent": 10]) { try await account.states() })
    await sender.stop()
    #expect(account.service.titles == (0..<10).map { "Track \($0)" })
    #expect(account.service.state.withLock { $0.requests.map(\.count) } == [4, 1, 1, 1, 1, 4, 2])
  }

  @Test(arguments: [true, false])
  func theSizeAtWhichAServiceGivesNoClearAnswerIsRememberedOverARestart(isAnswer: Bool) async throws {
    let account = try await TestAccount(FakeScrobbleService(batch: 8))
    account.service.state.withLock {
      $0.judge = { $0.count > 2 ? SendResult(.failed("504", isAnswer: isAnswer), mayHaveArrived: true) : nil }
    }
    for (listens, failed) in [(0..<40, [8, 8, 4]), (40..<60, [])] {
      try await account.heard(listens)
      let sender = try await account.sender()
      await sender.start()
      #expect(try await eventually(equals: ["sent": listens.upperBound]) { try await account.states() })
      await sender.stop()
      #expect(account.service.state.withLock { $0.requests.map(\.count).filter { $0 > 2 } } == failed)
      account.service.state.withLock { $0.requests = [] }
    }
    #expect(account.service.titles == (0..<60).map { "Track \($0)" })
  }

  @Test func whatWasBeingSentAtAKillGoesAloneToo() async throws {
    let account = try await TestAccount()
    account.service.state.withLock { ($0.stopsAtKnown, $0.hangs) = (true, true) }
    try await account.heard(0..<2)
    let killed = try await account.sender()
    await killed.start()
    #expect(await eventually(equals: 2) { account.service.titles.count })
    await killed.stop()
    try await account.heard(2..<6)
    account.service.state.withLock { $0.hangs = false }
    let sender = try await account.sender()
    await sender.start()
    #expect(try await eventually(equals: ["sent": 6]) { try await account.states() })
    await sender.stop()
    #expect(account.service.titles == (0..<6).map { "Track \($0)" })
  }

  @Test func aRequestThatNeverArrivedIsSentAsAWholeAgain() async throws {
    let account = try await TestAccount()
    account.service.state.withLock { $0.reactions = [.gives(SendResult(.failed("no route", isAnswer: false)))] }
    try await account.heard(0..<4)
    let sender = try await account.sender()
    await sender.start()
    #expect(try await eventually(equals: ["sent": 4]) { try await account.states() })
    await sender.stop()
    #expect(account.service.state.withLock { $0.requests.map(\.count) } == [4, 4])
  }

  @Test func aProcessThatEndsBetweenAnAnswerAndItsCommitSendsTheSameAgain() async throws {
    let account = try await TestAccount()
    account.service.state.withLock { $0.hangs = true }
    try await account.heard(0..<2)
    let killed = try await account.sender()
    await killed.start()
    #expect(await eventually(equals: 2) { account.service.titles.count })
    await killed.stop()
    #expect(try await account.states() == ["sending": 2])
    account.service.state.withLock { $0.hangs = false }
    let sender = try await account.sender()
    await sender.start()
    #expect(try await eventually(equals: ["sent": 2]) { try await account.states() })
    await sender.stop()
    #expect(account.service.state.withLock { $0.requests[0] == $0.requests[1] + $0.requests[2] })
    #expect(account.service.titles == ["Track 0", "Track 1"])
  }

  @Test func anAcceptedListenIsNeverSentAgain() async throws {
    let account = try await TestAccount()
    try await account.heard(0..<20)
    for _ in 0..<5 {
      let sender = try await account.sender()
      await sender.start()
      await sender.retry()
      #expect(try await eventually(equals: ["sent": 20]) { try await account.states() })
      await sender.stop()
    }
    #expect(account.service.state.withLock { $0.kept.values.allSatisfy { $0 == 1 } })
  }

  @Test func aPoisonedItemIsParkedAndTheOthersGo() async throws {
    let account = try await TestAccount()
    account.service.state.withLock {
      $0.judge = { $0.contains { $0.title == "Track 5" } ? SendResult(.rejected("bad title")) : nil }
    }
    try await account.heard(0..<12)
    let sender = try await account.sender()
    await sender.start()
    #expect(try await eventually(equals: ["sent": 11, "parked": 1]) { try await account.states() })
    await sender.stop()
    let failed = try await account.facts(Scrobble.DeliveryFailed.self)
    #expect(failed.map(\.listen.rawValue) == ["l5"])
    #expect(failed.first?.reason == "bad title")
    #expect(failed.first?.title == "Track 5")
  }

  @Test func anItemAtWhichTheServiceBreaksForEverHoldsNothingUpAndIsParked() async throws {
    let account = try await TestAccount()
    account.service.state.withLock {
      $0.judge = { $0.contains { $0.title == "Track 2" } ? SendResult(.failed("500", isAnswer: true)) : nil }
    }
    try await account.heard(0..<9)
    let sender = try await account.sender()
    await sender.start()
    #expect(try await eventually(equals: 8) { try await account.states()["sent"] })
    // Further accepted listens prove that the service works.
    var number = 9
    while number < 20, try await account.states()["parked"] == nil {
      try await account.heard(number..<number + 1)
      number += 1
      await sender.wake()
      #expect(try await eventually(equals: number - 1) { try await account.states()["sent"] })
      // Between two listens it is tried again or parked.
      let tries = account.service.state.withLock { $0.requests.count }
      #expect(
        try await eventually {
          try await account.states()["parked"] == 1 || account.service.state.withLock { $0.requests.count } > tries + 4
        })
    }
    #expect(try await account.states() == ["sent": number - 1, "parked": 1])
    await sender.stop()
    #expect(try await account.facts(Scrobble.DeliveryFailed.self).map(\.listen.rawValue) == ["l2"])
  }

  @Test func aServiceThatRefusesEveryBatchGetsAllListensAloneWithinMinutes() async throws {
    let account = try await TestAccount(FakeScrobbleService(batch: 50))
    // Maloja answers so, by Last.fm's protocol.
    let refused = LastFMAnswer.result(8, "Operation failed (error 8)")
    account.service.state.withLock { $0.judge = { $0.count > 1 ? refused : nil } }
    try await account.heard(0..<100)
    let sender = try await account.sender()
    await sender.start()
    #expect(try await eventually(equals: ["sent": 100]) { try await account.states() })
    await sender.stop()
    #expect(account.waited.withLock { $0 } < .seconds(300))
    #expect(try await account.status()?.batchSize == 1)
    // The size is known after a restart.
    let before = account.service.state.withLock { $0.requests.count }
    try await account.heard(100..<110)
    let next = try await account.sender()
    await next.start()
    #expect(try await eventually(equals: ["sent": 110]) { try await account.states() })
    await next.stop()
    #expect(account.service.state.withLock { $0.requests.count } == before + 10)
  }

  @Test(arguments: [
    #"{"scrobbles":{"@attr":{"accepted":0,"ignored":1},"scrobble":[]}}"#, "{}", #"{"scrobbles":[]}"#,
    #"{"scrobbles":{"@attr":{"accepted":0,"ignored":1},"scrobble":{"track":"T"}}}"#,
  ]) func anAnswerThatConfirmsNoListenMarksNoneAsSent(text: String) async throws {
    let account = try await TestAccount()
    account.service.state.withLock {
      $0.judge = { LastFMAnswer(HTTPResponse(status: 200, body: Array(text.utf8))).result(of: $0.count) }
    }
    try await account.heard(0..<4)
    let sender = try await account.sender()
    await sender.start()
    #expect(await eventually(above: 5) { account.service.state.withLock { $0.requests.count } })
    #expect(try await account.states()["sent"] == nil)
    // A service that is well again gets all of them.
    account.service.state.withLock { $0.judge = { _ in nil } }
    let areSent = try await eventually(equals: ["sent": 4]) {
      // A former answer that is still on its way parks its listen again, so a person retries once more.
      try await account.database.write { _ = try DeliveryActions.retry(nil, $0) }
      await sender.retry()
      return try await account.states()
    }
    #expect(areSent)
    await sender.stop()
  }

  @Test func aServiceThatBreaksAtEverythingForAWeekParksNothing() async throws {
    let account = try await TestAccount()
    account.service.state.withLock {
      $0.reactions = Array(repeating: .gives(SendResult(.failed("500", isAnswer: true))), count: 700)
    }
    try await account.heard(0..<9)
    let sender = try await account.sender()
    await sender.start()
    #expect(try await eventually(equals: ["sent": 9]) { try await account.states() })
    await sender.stop()
    #expect(account.waited.withLock { $0 } > .seconds(7 * 86_400 - 10_000))
  }

  @Test func aSignInThatIsRefusedStopsTheAccountUntilItIsRetried() async throws {
    let account = try await TestAccount()
    account.service.state.withLock { $0.reactions = [.gives(SendResult(.refused(.signedOut, "Invalid session key")))] }
    try await account.heard(0..<3)
    let sender = try await account.sender()
    await sender.start()
    #expect(try await eventually(equals: .signedOut) { try await account.status()?.pause })
    let facts = try await account.facts(Scrobble.AccountPaused.self)
    #expect(facts.map(\.error?.code) == ["scrobble.signedOut"])
    await sender.wake()
    #expect(try await account.states() == ["due": 3])
    await sender.retry()
    #expect(try await eventually(equals: ["sent": 3]) { try await account.states() })
    await sender.stop()
    #expect(try await account.facts(Scrobble.AccountPaused.self).map(\.error?.code) == ["scrobble.signedOut", nil])
  }

  @Test func aPausedAccountStaysPausedAfterARestart() async throws {
    let account = try await TestAccount()
    try await account.heard(0..<3)
    try await account.outbox.store(AccountStatus(pause: .refused, problem: "Invalid API key"))
    let sender = try await account.sender()
    await sender.start()
    await sender.wake()
    await sender.stop()
    #expect(account.service.state.withLock { $0.requests.isEmpty })
    #expect(try await account.states() == ["due": 3])
  }

  @Test func aDailyLimitOutlastsARestart() async throws {
    let account = try await TestAccount()
    account.service.state.withLock {
      $0.reactions = [.gives(SendResult(.answered([.accepted(nil), .later("daily limit"), .later("daily limit")])))]
      $0.judge = { _ in nil }
    }
    try await account.heard(0..<3)
    // A sleep that never ends: the sender gets to the wait and no further.
    let sender = DeliverySender(
      outbox: account.outbox, client: account.service, status: AccountStatus(), log: .quiet, changed: {},
      sleep: { _ in try await Task.sleep(for: .seconds(3600)) })
    await sender.start()
    #expect(try await eventually(equals: ["sent": 1, "due": 2]) { try await account.states() })
    await sender.stop()
    let wait = try #require(try await account.status()).wait(at: .now())
    #expect(wait > .seconds(3 * 3600))
    #expect(wait <= DeliveryPlan.dailyWait)
  }

  @Test func aListenThatNoServiceCouldTakeIsParkedWithoutAsking() async throws {
    let account = try await TestAccount()
    try await account.heard(0..<1) { $0.item.track.artist = "Various Artists" }
    try await account.heard(1..<3)
    let sender = try await account.sender()
    await sender.start()
    #expect(try await eventually(equals: ["sent": 2, "parked": 1]) { try await account.states() })
    await sender.stop()
    #expect(account.service.titles == ["Track 1", "Track 2"])
  }

  @Test func nowPlayingIsSentOnlyOnceNothingIsDue() async throws {
    let account = try await TestAccount()
    try await account.heard(0..<9)
    let now = try Submission(subject("x", 99).item.track, startedAt: .now())
    let sender = try await account.sender()
    await sender.announce(now)
    await sender.start()
    #expect(await eventually(equals: [now]) { account.service.state.withLock { $0.announced } })
    #expect(account.service.titles.count == 9)
    await sender.stop()
  }

  @Test func nowPlayingIsNotSentLate() async throws {
    let account = try await TestAccount()
    account.service.state.withLock {
      $0.reactions = Array(repeating: .gives(SendResult(.failed("no route", isAnswer: false))), count: 6)
    }
    try await account.heard(0..<1)
    let sender = try await account.sender()
    await sender.announce(try Submission(subject("x", 99).item.track, startedAt: .now()))
    await sender.start()
    #expect(try await eventually(equals: ["sent": 1]) { try await account.states() })
    await sender.stop()
    #expect(account.service.state.withLock { $0.announced.isEmpty })
  }
}

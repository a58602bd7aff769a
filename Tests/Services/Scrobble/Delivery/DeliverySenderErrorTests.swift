import Messages
import Model
import Storage
import Synchronization
import TestSupport
import Testing

@testable import lunara_scrobble

/// Errors that must not stop an account's deliveries: full disks, items of other versions, rows of refused listens.
@Suite(.timeLimit(.minutes(1)))
struct DeliverySenderErrorTests {
  @Test func anAnswerIsKeptUntilTheDiskTakesIt() async throws {
    let account = try await TestAccount()
    try await account.heard(0..<3)
    // The disk is full from the moment that the service has accepted the scrobbles.
    let database = account.database
    account.service.state.withLock {
      $0.meanwhile = {
        do {
          try await database.write {
            try $0.execute(
              """
              CREATE TEMP TRIGGER IF NOT EXISTS full BEFORE UPDATE ON main.deliveries WHEN NEW.state <> 'sending'
              BEGIN SELECT RAISE(ABORT, 'full'); END
              """)
          }
        } catch {
          Issue.record(error)
        }
      }
    }
    let sender = try await account.sender()
    await sender.start()
    #expect(await eventually(above: .seconds(60)) { account.waited.withLock { $0 } })
    #expect(try await account.states() == ["sending": 3])
    try await account.database.write { try $0.execute("DROP TRIGGER full") }
    #expect(try await eventually(equals: ["sent": 3]) { try await account.states() })
    await sender.stop()
    #expect(account.service.state.withLock { $0.requests.count } == 1)
  }

  @Test func aDeliveryContinuesOnceTheDiskHasSpace() async throws {
    let account = try await TestAccount()
    try await account.heard(0..<3)
    try await account.database.write {
      try $0.execute("UPDATE deliveries SET state = 'sending'")
      try $0.execute(
        "CREATE TEMP TRIGGER full BEFORE UPDATE ON main.deliveries BEGIN SELECT RAISE(ABORT, 'full'); END")
    }
    let sender = try await account.sender()
    await sender.start()
    #expect(await eventually(above: .seconds(60)) { account.waited.withLock { $0 } })
    try await account.database.write { try $0.execute("DROP TRIGGER full") }
    #expect(try await eventually(equals: ["sent": 3]) { try await account.states() })
    await sender.stop()
  }

  @Test func anItemThatThisVersionCannotReadHoldsNothingUp() async throws {
    let account = try await TestAccount()
    try await account.heard(0..<3)
    try await account.database.write {
      try $0.execute("UPDATE scrobbles SET item = ? WHERE listen = 'l0'", Array("{}".utf8))
    }
    let sender = try await account.sender()
    await sender.start()
    #expect(try await eventually(equals: ["sent": 2, "parked": 1]) { try await account.states() })
    await sender.stop()
    #expect(
      try await account.facts(Scrobble.DeliveryFailed.self).map(\.reason) == ["this version of Lunara cannot read it"])
  }

  @Test func anItemOfAnotherVersionThatFailedThereForTheLastTimeIsParkedAndTheBatchIsNotSentAgain() async throws {
    let account = try await TestAccount()
    try await account.heard(0..<3)
    try await account.database.write {
      try $0.execute("UPDATE scrobbles SET item = ? WHERE listen = 'l0'", Array("{}".utf8))
      // It waits behind all others, and counts as failed once the service accepts one more of them.
      try $0.execute(
        "UPDATE deliveries SET stands_back = 1, proofs = ?, answer = '500' WHERE scrobble = 1", Outbox.mostProofs - 1)
    }
    let sender = try await account.sender()
    await sender.start()
    #expect(try await eventually(equals: ["sent": 2, "parked": 1]) { try await account.states() })
    await sender.stop()
    #expect(account.service.state.withLock { $0.kept.values.map(\.self) } == [1, 1])
    let failed = try await account.facts(Scrobble.DeliveryFailed.self)
    #expect(failed.map(\.reason) == ["500"] && failed.map(\.title) == [""])
  }

  @Test func anAccountIsWellAgainOnceAnythingIsAnswered() async throws {
    let account = try await TestAccount()
    try await account.outbox.store(AccountStatus(problem: "no route"))
    account.service.state.withLock { $0.loveResult = SendResult(.failed("no route", isAnswer: false)) }
    let changed = Library.RatingChanged(
      id: PlayableID(source: "files", native: "t1"), rating: Rating(rawValue: 10), track: subject("x", 1).item.track)
    try await account.database.write { try Outbox.apply(changed, at: .now(), now: .now(), $0) }
    let sender = try await account.sender()
    await sender.start()
    #expect(await eventually(above: 3) { account.service.state.withLock { $0.loveCount } })
    #expect(try await account.status()?.problem == "no route")
    account.service.state.withLock { $0.loveResult = nil }
    #expect(try await eventually(equals: nil) { try await account.status()?.problem })
    #expect(account.service.state.withLock { $0.loved } == ["Track 1": true])
    await sender.stop()
  }

  @Test func aLimitIsShownNoLongerOnceItIsOverAndNothingWaits() async throws {
    let account = try await TestAccount()
    let now = try Submission(subject("x", 99).item.track, startedAt: .now())
    account.service.state.withLock { $0.announceResults = [SendResult(.limited("too much", wait: .seconds(20)))] }
    let sender = try await account.sender()
    await sender.announce(now)
    await sender.start()
    #expect(await eventually(above: .seconds(19)) { account.waited.withLock { $0 } })
    #expect(try await eventually(equals: nil) { try await account.status()?.problem })
    await sender.stop()
    #expect(account.service.state.withLock { $0.announced } == [now])
  }

  @Test func aDozenThatAreRefusedDoNotHoldUpWhatComesAfterThem() async throws {
    let account = try await TestAccount(FakeScrobbleService(batch: 8))
    account.service.state.withLock {
      $0.judge = { $0.contains { $0.album == "Bad" } ? SendResult(.rejected("bad time")) : nil }
    }
    try await account.heard(0..<25) { $0.item.track.album = "Bad" }
    try await account.heard(25..<30)
    let sender = try await account.sender()
    await sender.start()
    #expect(try await eventually(equals: ["sent": 5, "parked": 25]) { try await account.states() })
    #expect(try await account.status()?.pause == nil)
    await sender.stop()
  }

  @Test func anAccountThatIsOffIsSentNothing() async throws {
    let account = try await TestAccount()
    try await account.heard(0..<3)
    try await account.database.write { try $0.execute("UPDATE accounts SET is_on = 0") }
    #expect(try await account.outbox.begin(atMost: 8).isEmpty)
    try await account.database.write { try $0.execute("UPDATE accounts SET is_on = 1") }
    #expect(try await account.outbox.begin(atMost: 8).count == 3)
  }
}

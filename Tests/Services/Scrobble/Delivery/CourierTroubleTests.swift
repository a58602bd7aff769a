import Messages
import Model
import Storage
import Synchronization
import TestSupport
import Testing

@testable import lunara_scrobble

/// What must not hold an account up: full disks, items of other versions, rows of listens that are refused.
@Suite(.timeLimit(.minutes(1)))
struct CourierTroubleTests {
  @Test func anAnswerIsKeptUntilTheDiskTakesIt() async throws {
    let desk = try await Desk()
    try await desk.heard(0..<3)
    // The disk is full from the moment that the service has them.
    let database = desk.database
    desk.service.state.withLock {
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
    let courier = try await desk.courier()
    await courier.start()
    #expect(await eventually { desk.waited.withLock { $0 } > .seconds(60) })
    #expect(try await desk.states() == ["sending": 3])
    try await desk.database.write { try $0.execute("DROP TRIGGER full") }
    #expect(try await eventually { try await desk.states() == ["sent": 3] })
    await courier.stop()
    #expect(desk.service.state.withLock { $0.requests.count } == 1)
  }

  @Test func whatWasUnderWayIsTakenUpOnceTheDiskLets() async throws {
    let desk = try await Desk()
    try await desk.heard(0..<3)
    try await desk.database.write {
      try $0.execute("UPDATE deliveries SET state = 'sending'")
      try $0.execute(
        "CREATE TEMP TRIGGER full BEFORE UPDATE ON main.deliveries BEGIN SELECT RAISE(ABORT, 'full'); END")
    }
    let courier = try await desk.courier()
    await courier.start()
    #expect(await eventually { desk.waited.withLock { $0 } > .seconds(60) })
    try await desk.database.write { try $0.execute("DROP TRIGGER full") }
    #expect(try await eventually { try await desk.states() == ["sent": 3] })
    await courier.stop()
  }

  @Test func anItemThatThisVersionCannotReadHoldsNothingUp() async throws {
    let desk = try await Desk()
    try await desk.heard(0..<3)
    try await desk.database.write {
      try $0.execute("UPDATE scrobbles SET item = ? WHERE listen = 'l0'", Array("{}".utf8))
    }
    let courier = try await desk.courier()
    await courier.start()
    #expect(try await eventually { try await desk.states() == ["sent": 2, "parked": 1] })
    await courier.stop()
    #expect(
      try await desk.facts(Scrobble.DeliveryFailed.self).map(\.reason) == ["this version of Lunara cannot read it"])
  }

  @Test func anItemOfAnotherVersionThatFailedThereForTheLastTimeIsParkedAndTheBatchIsNotSentAgain() async throws {
    let desk = try await Desk()
    try await desk.heard(0..<3)
    try await desk.database.write {
      try $0.execute("UPDATE scrobbles SET item = ? WHERE listen = 'l0'", Array("{}".utf8))
      // It stands back behind all others, one acceptance short of being parked.
      try $0.execute(
        "UPDATE deliveries SET stands_back = 1, proofs = ?, answer = '500' WHERE scrobble = 1", Outbox.mostProofs - 1)
    }
    let courier = try await desk.courier()
    await courier.start()
    #expect(try await eventually(within: .seconds(40)) { try await desk.states() == ["sent": 2, "parked": 1] })
    await courier.stop()
    #expect(desk.service.state.withLock { $0.kept.values.map(\.self) } == [1, 1])
    let parked = try await desk.facts(Scrobble.DeliveryFailed.self)
    #expect(parked.map(\.reason) == ["500"] && parked.map(\.title) == [""])
  }

  @Test func anAccountIsWellAgainOnceAnythingIsAnswered() async throws {
    let desk = try await Desk()
    try await desk.outbox.note(Standing(problem: "no route"))
    desk.service.state.withLock { $0.loveResult = SendResult(.failed("no route", isAnswer: false)) }
    let changed = Library.RatingChanged(
      id: PlayableID(source: "files", native: "t1"), rating: Rating(rawValue: 10), track: subject("x", 1).item.track)
    try await desk.database.write { try Outbox.take(changed, at: .now(), now: .now(), $0) }
    let courier = try await desk.courier()
    await courier.start()
    #expect(await eventually(within: .seconds(40)) { desk.service.state.withLock { $0.loveCount } > 3 })
    #expect(try await desk.standing()?.problem == "no route")
    desk.service.state.withLock { $0.loveResult = nil }
    #expect(try await eventually(within: .seconds(40)) { try await desk.standing()?.problem == nil })
    #expect(desk.service.state.withLock { $0.loved } == ["Track 1": true])
    await courier.stop()
  }

  @Test func aLimitIsShownNoLongerOnceItIsOverAndNothingWaits() async throws {
    let desk = try await Desk()
    let now = try Submission(subject("x", 99).item.track, startedAt: .now())
    desk.service.state.withLock { $0.announceResults = [SendResult(.limited("too much", wait: .seconds(20)))] }
    let courier = try await desk.courier()
    await courier.announce(now)
    await courier.start()
    #expect(await eventually(within: .seconds(40)) { desk.waited.withLock { $0 } > .seconds(19) })
    #expect(try await eventually(within: .seconds(40)) { try await desk.standing()?.problem == nil })
    await courier.stop()
    #expect(desk.service.state.withLock { $0.announced } == [now])
  }

  @Test func aDozenThatAreRefusedDoNotHoldUpWhatComesAfterThem() async throws {
    let desk = try await Desk(FakeService(batch: 8))
    desk.service.state.withLock {
      $0.judge = { $0.contains { $0.album == "Bad" } ? SendResult(.rejected("bad time")) : nil }
    }
    try await desk.heard(0..<25) { $0.item.track.album = "Bad" }
    try await desk.heard(25..<30)
    let courier = try await desk.courier()
    await courier.start()
    #expect(try await eventually { try await desk.states() == ["sent": 5, "parked": 25] })
    #expect(try await desk.standing()?.pause == nil)
    await courier.stop()
  }

  @Test func anAccountThatIsOffIsSentNothing() async throws {
    let desk = try await Desk()
    try await desk.heard(0..<3)
    try await desk.database.write { try $0.execute("UPDATE accounts SET is_on = 0") }
    #expect(try await desk.outbox.take(atMost: 8).isEmpty)
    try await desk.database.write { try $0.execute("UPDATE accounts SET is_on = 1") }
    #expect(try await desk.outbox.take(atMost: 8).count == 3)
  }
}

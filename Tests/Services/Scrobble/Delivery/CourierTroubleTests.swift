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
      try await desk.facts(Scrobble.DeliveryParked.self).map(\.reason) == ["this version of Lunara cannot read it"])
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

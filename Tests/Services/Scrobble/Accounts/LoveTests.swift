import Bus
import Messages
import Model
import Storage
import Synchronization
import TestSupport
import Testing

@testable import lunara_scrobble

@Suite(.timeLimit(.minutes(1)))
struct LoveTests {
  private func rate(_ desk: Desk, _ stars: Int?, track: Int = 1) async throws {
    let track = subject("x", track).item.track
    let changed = Library.RatingChanged(
      id: PlayableID(source: "files", native: track.id.native), rating: stars.flatMap { Rating(rawValue: $0 * 2) },
      track: track)
    try await desk.database.write { try Outbox.take(changed, at: .now(), now: .now(), $0) }
  }

  @Test func fiveStarsAreLoveAndLessTakesItBack() async throws {
    let desk = try await Desk()
    let courier = try await desk.courier()
    await courier.start()
    try await rate(desk, 5)
    await courier.wake()
    #expect(await eventually { desk.service.state.withLock { $0.loved } == ["Track 1": true] })
    try await rate(desk, 3)
    await courier.wake()
    #expect(await eventually { desk.service.state.withLock { $0.loved } == ["Track 1": false] })
    await courier.stop()
  }

  @Test func whatWasNeverLovedFromHereIsNotUnloved() async throws {
    let desk = try await Desk()
    try await rate(desk, 4)
    try await rate(desk, nil, track: 2)
    #expect(try await desk.outbox.nextLove() == nil)
  }

  @Test func whoChangesTheirMindBeforeItIsToldTellsNothing() async throws {
    let desk = try await Desk()
    try await rate(desk, 5)
    try await rate(desk, 1)
    #expect(try await desk.outbox.nextLove() == nil)
  }

  private func failures(_ desk: Desk) async throws -> Int {
    try await desk.database.read { try $0.row("SELECT failures FROM loves", as: { try $0.value(0) as Int }) } ?? -1
  }

  private func failed(_ desk: Desk) async throws -> Scrobble.FailedLoves {
    try await desk.database.read { try Outbox.failedLoves(50, $0) }
  }

  @Test func whatCannotBeToldIsGivenUpAfterAWhileAndHoldsNoScrobbleUp() async throws {
    let desk = try await Desk()
    desk.service.state.withLock { $0.loveResult = SendResult(.failed("500", isAnswer: true)) }
    try await rate(desk, 5)
    let courier = try await desk.courier()
    await courier.start()
    #expect(try await eventually { try await failures(desk) == Outbox.mostLoveFailures })
    // Not before hours have gone.
    #expect(desk.waited.withLock { $0 } > .seconds(3 * 3600))
    try await desk.heard(0..<2)
    await courier.wake()
    #expect(try await eventually { try await desk.states() == ["sent": 2] })
    await courier.stop()
    #expect(try await failed(desk).items.map(\.reason) == ["500"])
    let facts = try await desk.facts(Scrobble.LoveFailed.self)
    #expect(facts.map(\.love.title) == ["Track 1"] && facts.first?.love.isLoved == true)
    #expect(try await desk.database.read { try History.tally(in: $0) }.failedLoves == 1)
  }

  @Test func aNetworkThatIsAwayForDaysLosesNoLove() async throws {
    let desk = try await Desk()
    desk.service.state.withLock { $0.loveResult = SendResult(.failed("no route", isAnswer: false)) }
    try await rate(desk, 5)
    let courier = try await desk.courier()
    await courier.start()
    #expect(await eventually { desk.service.state.withLock { $0.loveCount } > 200 })
    desk.service.state.withLock { $0.loveResult = nil }
    #expect(await eventually { desk.service.state.withLock { $0.loved } == ["Track 1": true] })
    await courier.stop()
    #expect(try await failed(desk).count == 0)
  }

  @Test func whatAServiceDoesNotTakeIsShownAndToldAgainOrDropped() async throws {
    let desk = try await Desk()
    desk.service.state.withLock { $0.loveResult = SendResult(.answered([.ignored("unknown there")])) }
    try await rate(desk, 5)
    let courier = try await desk.courier()
    await courier.start()
    #expect(try await eventually { try await failed(desk).items.map(\.reason) == ["unknown there"] })
    desk.service.state.withLock { $0.loveResult = nil }
    #expect(try await desk.database.write { try Upkeep.retry(nil, $0) } == 1)
    await courier.wake()
    #expect(await eventually { desk.service.state.withLock { $0.loved } == ["Track 1": true] })
    desk.service.state.withLock { $0.loveResult = SendResult(.answered([.ignored("unknown there")])) }
    try await rate(desk, 5, track: 2)
    await courier.wake()
    #expect(try await eventually { try await failed(desk).count == 1 })
    #expect(try await desk.database.write { try Upkeep.drop(nil, $0) } == 1)
    #expect(try await failed(desk) == Scrobble.FailedLoves(count: 0, items: []))
    await courier.stop()
    // What was told stays so.
    #expect(desk.service.state.withLock { $0.loved } == ["Track 1": true])
  }

  @Test func whatIsLovedInPrivateIsToldToNobodyHoweverLateItIsRead() async throws {
    let desk = try await Desk()
    let then = Timestamp(seconds: 1_700_000_000)
    try await desk.database.write(.power) {
      try Withholding.setPrivate(Milliseconds(60_000), at: then, $0)
    }
    let changed = Library.RatingChanged(
      id: PlayableID(source: "files", native: "t1"), rating: Rating(rawValue: 10), track: subject("x", 1).item.track)
    try await desk.database.write {
      try Outbox.take(changed, at: Timestamp(seconds: 1_700_000_030), now: .now(), $0)
    }
    #expect(try await desk.outbox.nextLove() == nil)
    try await desk.database.write {
      try Outbox.take(changed, at: Timestamp(seconds: 1_700_000_090), now: .now(), $0)
    }
    #expect(try await desk.outbox.nextLove() != nil)
  }

  @Test func whatIsLovedInPrivateIsToldToNobodyAfterTheClockWasSetBackEither() async throws {
    let desk = try await Desk()
    func at(_ seconds: Int64) -> Timestamp { Timestamp(seconds: 1_700_000_000 + seconds) }
    try await desk.database.write(.power) { [begin = at(3600)] in
      try Withholding.setPrivate(Milliseconds(7_200_000), at: begin, $0)
    }
    let changed = Library.RatingChanged(
      id: PlayableID(source: "files", native: "t1"), rating: Rating(rawValue: 10), track: subject("x", 1).item.track)
    try await desk.database.write { [time = at(60), now = at(61)] in
      try Outbox.take(changed, at: time, now: now, $0)
    }
    #expect(try await desk.outbox.nextLove() == nil)
    // What was loved long before it began is no secret, however late it is read.
    try await desk.database.write { [time = at(60), now = at(3600)] in
      try Outbox.take(changed, at: time, now: now, $0)
    }
    #expect(try await desk.outbox.nextLove() != nil)
  }

  @Test func aPrivateTimeEndedAfterTheClockWasSetBackCoversWhatWasHeardInIt() async throws {
    let desk = try await Desk()
    @Sendable func at(_ seconds: Int64) -> Timestamp { Timestamp(seconds: 1_700_000_000 + seconds) }
    func reason(from began: Int64, to ended: Int64) async throws -> String? {
      try await desk.database.read { try Withholding.read($0) }.reason(
        Withholding.Occasion(
          track: subject("l1").item.track, room: RoomName(from: "den"), began: at(began), ended: at(ended)))
    }
    try await desk.database.write(.power) { try Withholding.setPrivate(Milliseconds(7_200_000), at: at(3600), $0) }
    try await desk.database.write(.power) { try Withholding.setPrivate(nil, at: at(360), $0) }
    #expect(try await reason(from: 300, to: 420) == "private")
    #expect(try await reason(from: 361, to: 420) == nil)
    // One that the clock did not leave begins where it began.
    try await desk.database.write(.power) { try Withholding.setPrivate(Milliseconds(7_200_000), at: at(9000), $0) }
    try await desk.database.write(.power) { try Withholding.setPrivate(nil, at: at(9060), $0) }
    #expect(try await reason(from: 8000, to: 8999) == nil)
    #expect(try await reason(from: 8000, to: 9000) == "private")
  }
}

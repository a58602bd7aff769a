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
  private func rate(_ account: TestAccount, _ stars: Int?, track: Int = 1) async throws {
    let track = subject("x", track).item.track
    let changed = Library.RatingChanged(
      id: PlayableID(source: "files", native: track.id.native), rating: stars.flatMap { Rating(rawValue: $0 * 2) },
      track: track)
    try await account.database.write { try Outbox.apply(changed, at: .now(), now: .now(), $0) }
  }

  @Test func fiveStarsAreLoveAndLessTakesItBack() async throws {
    let account = try await TestAccount()
    let sender = try await account.sender()
    await sender.start()
    try await rate(account, 5)
    await sender.wake()
    #expect(await eventually(equals: ["Track 1": true]) { account.service.state.withLock { $0.loved } })
    try await rate(account, 3)
    await sender.wake()
    #expect(await eventually(equals: ["Track 1": false]) { account.service.state.withLock { $0.loved } })
    await sender.stop()
  }

  @Test func aTrackThatLunaraDidNotLoveIsNotUnloved() async throws {
    let account = try await TestAccount()
    try await rate(account, 4)
    try await rate(account, nil, track: 2)
    #expect(try await account.outbox.nextLove() == nil)
  }

  @Test func aLoveThatIsTakenBackInTimeIsNotSent() async throws {
    let account = try await TestAccount()
    try await rate(account, 5)
    try await rate(account, 1)
    #expect(try await account.outbox.nextLove() == nil)
  }

  private func failures(_ account: TestAccount) async throws -> Int {
    try await account.database.read { try $0.row("SELECT failures FROM loves", as: { try $0.value(0) as Int }) } ?? -1
  }

  private func failed(_ account: TestAccount) async throws -> Scrobble.FailedLoves {
    try await account.database.read { try Outbox.failedLoves(50, $0) }
  }

  @Test func whatCannotBeToldIsGivenUpAfterAWhileAndHoldsNoScrobbleUp() async throws {
    let account = try await TestAccount()
    account.service.state.withLock { $0.loveResult = SendResult(.failed("500", isAnswer: true)) }
    try await rate(account, 5)
    let sender = try await account.sender()
    await sender.start()
    #expect(try await eventually(equals: Outbox.mostLoveFailures) { try await failures(account) })
    // The retries take hours.
    #expect(account.waited.withLock { $0 } > .seconds(3 * 3600))
    try await account.heard(0..<2)
    await sender.wake()
    #expect(try await eventually(equals: ["sent": 2]) { try await account.states() })
    await sender.stop()
    #expect(try await failed(account).items.map(\.reason) == ["500"])
    let facts = try await account.facts(Scrobble.LoveFailed.self)
    #expect(facts.map(\.love.title) == ["Track 1"] && facts.first?.love.isLoved == true)
    #expect(try await account.database.read { try ListenStore.outboxState(in: $0) }.failedLoves == 1)
  }

  @Test func aNetworkThatIsAwayForDaysLosesNoLove() async throws {
    let account = try await TestAccount()
    account.service.state.withLock { $0.loveResult = SendResult(.failed("no route", isAnswer: false)) }
    try await rate(account, 5)
    let sender = try await account.sender()
    await sender.start()
    #expect(await eventually(above: 200) { account.service.state.withLock { $0.loveCount } })
    account.service.state.withLock { $0.loveResult = nil }
    #expect(await eventually(equals: ["Track 1": true]) { account.service.state.withLock { $0.loved } })
    await sender.stop()
    #expect(try await failed(account).count == 0)
  }

  @Test func whatAServiceDoesNotTakeIsShownAndToldAgainOrDropped() async throws {
    let account = try await TestAccount()
    account.service.state.withLock { $0.loveResult = SendResult(.answered([.ignored("unknown there")])) }
    try await rate(account, 5)
    let sender = try await account.sender()
    await sender.start()
    #expect(try await eventually(equals: ["unknown there"]) { try await failed(account).items.map(\.reason) })
    account.service.state.withLock { $0.loveResult = nil }
    #expect(try await account.database.write { try DeliveryActions.retry(nil, $0) } == 1)
    await sender.wake()
    #expect(await eventually(equals: ["Track 1": true]) { account.service.state.withLock { $0.loved } })
    account.service.state.withLock { $0.loveResult = SendResult(.answered([.ignored("unknown there")])) }
    try await rate(account, 5, track: 2)
    await sender.wake()
    #expect(try await eventually(equals: 1) { try await failed(account).count })
    #expect(try await account.database.write { try DeliveryActions.drop(nil, $0) } == 1)
    #expect(try await failed(account) == Scrobble.FailedLoves(count: 0, items: []))
    await sender.stop()
    // A love that was accepted stays.
    #expect(account.service.state.withLock { $0.loved } == ["Track 1": true])
  }

  @Test func whatIsLovedInPrivateIsToldToNobodyHoweverLateItIsRead() async throws {
    let account = try await TestAccount()
    let then = Timestamp(seconds: 1_700_000_000)
    try await account.database.write(.power) {
      try PrivateListening.setPrivate(Milliseconds(60_000), at: then, $0)
    }
    let changed = Library.RatingChanged(
      id: PlayableID(source: "files", native: "t1"), rating: Rating(rawValue: 10), track: subject("x", 1).item.track)
    try await account.database.write {
      try Outbox.apply(changed, at: Timestamp(seconds: 1_700_000_030), now: .now(), $0)
    }
    #expect(try await account.outbox.nextLove() == nil)
    try await account.database.write {
      try Outbox.apply(changed, at: Timestamp(seconds: 1_700_000_090), now: .now(), $0)
    }
    #expect(try await account.outbox.nextLove() != nil)
  }

  @Test func whatIsLovedInPrivateIsToldToNobodyAfterTheClockWasSetBackEither() async throws {
    let account = try await TestAccount()
    func at(_ seconds: Int64) -> Timestamp { Timestamp(seconds: 1_700_000_000 + seconds) }
    try await account.database.write(.power) { [begin = at(3600)] in
      try PrivateListening.setPrivate(Milliseconds(7_200_000), at: begin, $0)
    }
    let changed = Library.RatingChanged(
      id: PlayableID(source: "files", native: "t1"), rating: Rating(rawValue: 10), track: subject("x", 1).item.track)
    try await account.database.write { [time = at(60), now = at(61)] in
      try Outbox.apply(changed, at: time, now: now, $0)
    }
    #expect(try await account.outbox.nextLove() == nil)
    // A love from long before the private time is sent, however late it is read.
    try await account.database.write { [time = at(60), now = at(3600)] in
      try Outbox.apply(changed, at: time, now: now, $0)
    }
    #expect(try await account.outbox.nextLove() != nil)
  }

  @Test func aPrivateTimeEndedAfterTheClockWasSetBackCoversWhatWasHeardInIt() async throws {
    let account = try await TestAccount()
    @Sendable func at(_ seconds: Int64) -> Timestamp { Timestamp(seconds: 1_700_000_000 + seconds) }
    func reason(from began: Int64, to ended: Int64) async throws -> String? {
      try await account.database.read { try PrivateListening.read($0) }.reason(
        PrivateListening.HeardTrack(
          track: subject("l1").item.track, room: RoomName(from: "den"), began: at(began), ended: at(ended)))
    }
    try await account.database.write(.power) {
      try PrivateListening.setPrivate(Milliseconds(7_200_000), at: at(3600), $0)
    }
    try await account.database.write(.power) { try PrivateListening.setPrivate(nil, at: at(360), $0) }
    #expect(try await reason(from: 300, to: 420) == "private")
    #expect(try await reason(from: 361, to: 420) == nil)
    // A second private time, during which the clock is not set back, begins at its recorded start.
    try await account.database.write(.power) {
      try PrivateListening.setPrivate(Milliseconds(7_200_000), at: at(9000), $0)
    }
    try await account.database.write(.power) { try PrivateListening.setPrivate(nil, at: at(9060), $0) }
    #expect(try await reason(from: 8000, to: 8999) == nil)
    #expect(try await reason(from: 8000, to: 9000) == "private")
  }
}

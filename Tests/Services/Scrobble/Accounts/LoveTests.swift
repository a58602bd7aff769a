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
    try await desk.database.write { try Outbox.take(changed, at: .now(), $0) }
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
    let love = try await desk.outbox.nextLove()
    #expect(love == nil)
  }

  @Test func whoChangesTheirMindBeforeItIsToldTellsNothing() async throws {
    let desk = try await Desk()
    try await rate(desk, 5)
    try await rate(desk, 1)
    let love = try await desk.outbox.nextLove()
    #expect(love == nil)
  }

  @Test func whatCannotBeToldIsGivenUpAfterAWhileAndHoldsNoScrobbleUp() async throws {
    let desk = try await Desk()
    desk.service.state.withLock { $0.loveResult = SendResult(.failed("500", isAnswer: true)) }
    try await rate(desk, 5)
    let courier = try await desk.courier()
    await courier.start()
    #expect(
      try await eventually {
        try await desk.database.read { try $0.row("SELECT failures FROM loves", as: { try $0.value(0) as Int }) } == 5
      })
    try await desk.heard(0..<2)
    await courier.wake()
    #expect(try await eventually { try await desk.states() == ["sent": 2] })
    await courier.stop()
  }
}

import Messages
import Model
import Testing

@testable import Bus
@testable import lunara_web

@Suite struct RoomViewTests {
  private let now = ContinuousClock.now
  private let room = "playback@kitchen"

  @Test func aPositionIsOlderByTheTimeSinceItWasTakenAndSaid() throws {
    // The room's clock is an hour off: only differences of its own times may count.
    let taken = Timestamp(microseconds: Timestamp.now().microseconds - 3_600_000_000)
    let said = Timestamp(microseconds: taken.microseconds + 3_000_000)
    let state = roomState(at: 10_000, takenAt: taken)
    let view = RoomView(try observed(state, by: room, age: 2000, said: said), at: now, after: nil)
    #expect(view.position(at: now) == Milliseconds(15_000))
    #expect(view.position(at: now + .seconds(4)) == Milliseconds(19_000))
  }

  @Test func aPositionNeverPassesTheEnd() throws {
    let view = RoomView(try observed(roomState(at: 199_000), by: room, age: 60_000), at: now, after: nil)
    #expect(view.position(at: now) == Milliseconds(200_250))
  }

  @Test func aPausedRoomStandsStill() throws {
    let view = RoomView(try observed(roomState(.paused, at: 7000, rate: 0), by: room, age: 900), at: now, after: nil)
    #expect(view.position(at: now + .seconds(60)) == Milliseconds(7000))
  }

  @Test func aRoomThatIsAwayStandsWhereItWasLastHeard() throws {
    let state = roomState(at: 10_000)
    let here = RoomView(try observed(state, by: room), at: now, after: nil)
    let gone = RoomView(try observed(state, by: room, age: 4000, away: true), at: now + .seconds(4), after: here)
    let later = RoomView(try observed(state, by: room, age: 60_000, away: true), at: now + .seconds(60), after: gone)
    #expect(later.position(at: now + .seconds(90)) == Milliseconds(14_000))
    #expect(later.shape(at: now + .seconds(90)).rate == 0)
    let back = RoomView(try observed(state, by: room, age: 70_000), at: now + .seconds(70), after: later)
    #expect(back.position(at: now + .seconds(70)) == Milliseconds(80_000))
  }

  @Test func aRetryComesNearerByTheTimeSinceItWasSaid() throws {
    // The room's clock is an hour off here too.
    let said = Timestamp(microseconds: Timestamp.now().microseconds - 3_600_000_000)
    var state = roomState(.error(LunaraError("playback.noSound", "No sound.")), rate: 0)
    state.retriesAt = said - Milliseconds(-16_000)
    let view = RoomView(try observed(state, by: room, age: 2000, said: said), at: now, after: nil)
    #expect(view.shape(at: now).retriesInSeconds == 14)
    #expect(view.shape(at: now + .seconds(4)).retriesInSeconds == 10)
    #expect(view.shape(at: now + .seconds(40)).retriesInSeconds == 0)
  }

  @Test func onlyWhatAPersonWouldSeeIsADifference() throws {
    let state = roomState(at: 10_000)
    let first = RoomView(try observed(state, by: room), at: now, after: nil)
    let same = RoomView(try observed(state, by: room, age: 4000), at: now + .seconds(4), after: first)
    let away = RoomView(try observed(state, by: room, age: 5000, away: true), at: now + .seconds(5), after: same)
    #expect(first.differs(from: nil))
    #expect(!same.differs(from: first))
    #expect(away.differs(from: same))
  }
}

import Client
import Messages
import Model
import Testing

@testable import Bus

@Suite struct RoomStatusTests {
  private let now = ContinuousClock.now
  private let room = "playback@kitchen"

  @Test func aPositionIsOlderByTheTimeSinceItWasTakenAndSaid() throws {
    // The room's clock is an hour off: only differences of its own times may count.
    let taken = Timestamp(microseconds: Timestamp.now().microseconds - 3_600_000_000)
    let said = Timestamp(microseconds: taken.microseconds + 3_000_000)
    let one = try observed(roomState(at: 10_000, takenAt: taken), by: room, age: 2000, said: said)
    #expect(RoomStatus(one, at: one.readAt).position == Milliseconds(15_000))
    #expect(RoomStatus(one, at: one.readAt + .seconds(4)).position == Milliseconds(19_000))
  }

  @Test func aPositionNeverPassesTheEnd() throws {
    let one = try observed(roomState(at: 199_000), by: room, age: 60_000)
    #expect(RoomStatus(one, at: one.readAt).position == Milliseconds(200_250))
  }

  @Test func aPausedRoomStandsStill() throws {
    let one = try observed(roomState(.paused, at: 7000, rate: 0), by: room, age: 900)
    #expect(RoomStatus(one, at: one.readAt + .seconds(60)).position == Milliseconds(7000))
  }

  @Test func aRoomThatIsAwayStandsWhereItWasLastHeard() throws {
    func rooms(_ ages: [(age: Int64, at: Int, away: Bool)]) throws -> ObservedRooms {
      var rooms = ObservedRooms()
      for (age, at, away) in ages {
        var one = try observed(roomState(at: 10_000), by: room, age: age, away: away)
        one.readAt = now + .seconds(at)
        one.saidAt = one.value.position.takenAt
        _ = rooms.update([one], at: one.readAt)
      }
      return rooms
    }
    let gone = try rooms([(0, 0, false), (4000, 4, true), (60_000, 60, true)])
    let status = try #require(gone.status(of: kitchen, at: now + .seconds(90)))
    #expect(status.position == Milliseconds(14_000) && status.rate == 0)
    let back = try rooms([(0, 0, false), (4000, 4, true), (60_000, 60, true), (70_000, 70, false)])
    #expect(back.status(of: kitchen, at: now + .seconds(70))?.position == Milliseconds(80_000))
  }

  @Test func aRetryComesNearerByTheTimeSinceItWasSaid() throws {
    // The room's clock is an hour off here too.
    let said = Timestamp(microseconds: Timestamp.now().microseconds - 3_600_000_000)
    var state = roomState(.error(LunaraError("playback.noSound", "No sound.")), rate: 0)
    state.retriesAt = said - Milliseconds(-16_000)
    let one = try observed(state, by: room, age: 2000, said: said)
    #expect(RoomStatus(one, at: one.readAt).retriesIn == Milliseconds(14_000))
    #expect(RoomStatus(one, at: one.readAt + .seconds(4)).retriesIn == Milliseconds(10_000))
    #expect(RoomStatus(one, at: one.readAt + .seconds(40)).retriesIn == .zero)
  }

  @Test func onlyWhatAPersonWouldSeeIsADifference() throws {
    let state = roomState(at: 10_000)
    var rooms = ObservedRooms()
    let first = rooms.update([try observed(state, by: room)])
    let same = rooms.update([try observed(state, by: room, age: 4000)])
    let away = rooms.update([try observed(state, by: room, age: 5000, away: true)])
    #expect(first && !same && away)
  }
}

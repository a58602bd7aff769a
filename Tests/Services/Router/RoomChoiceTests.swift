import Model
import Testing

@testable import lunara_router

struct RoomChoiceTests {
  private func rooms(_ live: String..., away: [String] = []) -> RoomChoice {
    RoomChoice(live: Set(live.map { RoomName(from: $0) }), away: Set(away.map { RoomName(from: $0) }))
  }

  private func error(_ choice: RoomChoice, for wanted: String?) -> LunaraError? {
    #expect(throws: LunaraError.self) { try choice.room(for: wanted.map { RoomName(from: $0) }) }
  }

  @Test func theNamedRoomIsTaken() throws {
    #expect(try rooms("den", "bath").room(for: RoomName(from: "bath")) == RoomName(from: "bath"))
  }

  @Test func theOnlyLiveRoomNeedsNoName() throws {
    #expect(try rooms("den", away: ["bath"]).room(for: nil) == RoomName(from: "den"))
  }

  @Test func withSeveralRoomsOneMustBeNamed() {
    let error = error(rooms("den", "bath"), for: nil)
    #expect(error?.code == "client.roomNeeded")
    #expect(error?.message.contains("bath, den") == true)
  }

  @Test func withoutARoomThereIsAWayToStartOne() {
    #expect(error(rooms(), for: nil)?.code == "client.noRoom")
    let away = error(rooms(away: ["den"]), for: nil)
    #expect(away?.code == "client.noRoom")
    #expect(away?.message.contains("den") == true)
  }

  @Test func anUnknownRoomIsToldFromOneThatIsAway() {
    let unknown = error(rooms("den", away: ["bath"]), for: "kitchen")
    #expect(unknown?.code == "client.roomUnknown")
    #expect(unknown?.message.contains("bath, den") == true)
    #expect(error(rooms("den", away: ["bath"]), for: "bath")?.code == "client.roomAway")
  }
}

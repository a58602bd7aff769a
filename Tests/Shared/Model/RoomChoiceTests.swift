import Model
import Testing

/// A room is chosen by name, as the only one, or as the one that plays.
struct RoomChoiceTests {
  private let den = RoomName(from: "den")
  private let kitchen = RoomName(from: "kitchen")

  @Test func theOnlyRoomNeedsNoName() throws {
    #expect(try RoomChoice(live: [den]).room(for: nil) == den)
    #expect(try RoomChoice(live: [den], away: [kitchen]).room(for: nil) == den)
  }

  @Test func theNamedRoomIsMeant() throws {
    #expect(try RoomChoice(live: [den, kitchen]).room(for: kitchen) == kitchen)
    #expect(code { try RoomChoice(live: [den]).room(for: kitchen) } == "client.roomUnknown")
    #expect(try RoomChoice(live: [den], away: [kitchen]).known(kitchen) == kitchen)
    #expect(code { try RoomChoice(live: [den]).known(kitchen) } == "client.roomUnknown")
  }

  @Test func aNamedRoomThatIsAwayIsRefused() {
    #expect(code { try RoomChoice(live: [den], away: [kitchen]).room(for: kitchen) } == "client.roomAway")
  }

  @Test func everyErrorNamesTheRooms() {
    let garden = RoomName(from: "garden")
    let some = RoomChoice(live: [den], away: [kitchen])
    #expect(message { try some.room(for: garden) }?.contains("den, kitchen") == true)
    #expect(message { try RoomChoice(live: [kitchen, den]).room(for: nil) }?.contains("den, kitchen") == true)
    #expect(message { try RoomChoice(live: [], away: [den]).room(for: nil) }?.contains("den") == true)
  }

  @Test func withoutANameTheRoomThatPlaysIsMeant() throws {
    let both = RoomChoice(live: [den, kitchen])
    #expect(try both.room(for: nil, playing: [kitchen]) == kitchen)
    #expect(code { try both.room(for: nil) } == "client.roomNeeded")
    #expect(code { try both.room(for: nil, playing: [den, kitchen]) } == "client.roomNeeded")
  }

  @Test func withoutRoomsTheErrorSaysSo() {
    #expect(code { try RoomChoice(live: []).room(for: nil) } == "client.noRoom")
    #expect(code { try RoomChoice(live: [], away: [den]).room(for: nil) } == "client.noRoom")
  }

  private func code(_ body: () throws -> Any?) -> String? { error(body)?.code }

  private func message(_ body: () throws -> Any?) -> String? { error(body)?.message }

  private func error(_ body: () throws -> Any?) -> LunaraError? {
    do {
      _ = try body()
      return nil
    } catch {
      return LunaraError(error)
    }
  }
}

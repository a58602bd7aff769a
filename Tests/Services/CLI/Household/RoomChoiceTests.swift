import Model
import Testing

@testable import lunara

/// Which room a command is for.
struct RoomChoiceTests {
  private let den = RoomName(from: "den")
  private let kitchen = RoomName(from: "kitchen")

  @Test func theOnlyRoomNeedsNoName() throws {
    #expect(try choice([den]).decided() == den)
    #expect(try choice([den], usual: "elsewhere").decided() == den)
  }

  @Test func theNamedRoomIsMeant() throws {
    #expect(try choice([den, kitchen], wanted: "Kitchen").decided() == kitchen)
    #expect(code { try choice([den, kitchen], wanted: "attic").decided() } == "client.roomUnknown")
    #expect(code { try choice([den], wanted: "attic").decided() } == "client.roomUnknown")
  }

  @Test func elseTheOneOfTheEnvironment() throws {
    #expect(try choice([den, kitchen], usual: "den").decided() == den)
    #expect(code { try choice([den, kitchen], usual: "attic").decided() } == "client.roomUnknown")
  }

  @Test func elseTheOneThatPlays() throws {
    #expect(try choice([den, kitchen]).decided() == nil)
    #expect(try choice([den, kitchen]).decided(playing: [kitchen]) == kitchen)
    #expect(code { try choice([den, kitchen]).decided(playing: []) } == "client.roomNeeded")
    #expect(code { try choice([den, kitchen]).decided(playing: [den, kitchen]) } == "client.roomNeeded")
  }

  @Test func withoutRoomsTheErrorSaysSo() {
    #expect(code { try choice([]).decided() } == "client.noRoom")
  }

  private func choice(_ rooms: [RoomName], wanted: String? = nil, usual: String? = nil) -> RoomChoice {
    RoomChoice(rooms: rooms, wanted: wanted, usual: usual)
  }

  private func code(_ body: () throws -> Any?) -> String? {
    do {
      _ = try body()
      return nil
    } catch {
      return LunaraError(error).code
    }
  }
}

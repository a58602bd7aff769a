import Model
import Testing

/// A room is chosen by name, as the only one, as the one that plays or was used last, or as that of this machine.
struct RoomChoiceTests {
  private let den = RoomName(from: "den")
  private let kitchen = RoomName(from: "kitchen")
  private let garden = RoomName(from: "garden")
  private let playing = RoomUse(isPlaying: true, sinceUsed: Milliseconds(2000))

  private func paused(_ seconds: Double) -> RoomUse {
    RoomUse(isPlaying: false, sinceUsed: Milliseconds(seconds: seconds))
  }

  private func choice(_ uses: [RoomName: RoomUse]) -> RoomChoice { RoomChoice(live: Set(uses.keys), uses: uses) }

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
    let some = RoomChoice(live: [den], away: [kitchen])
    #expect(message { try some.room(for: garden) }?.contains("den, kitchen") == true)
    #expect(message { try RoomChoice(live: [kitchen, den]).room(for: nil) }?.contains("den, kitchen") == true)
    #expect(message { try RoomChoice(live: [], away: [den]).room(for: nil) }?.contains("den") == true)
  }

  @Test func theRoomThatPlaysIsMeantAndNotTheOneThatWasUsedLast() throws {
    let choice = choice([den: RoomUse(isPlaying: false, sinceUsed: .zero), kitchen: playing])
    #expect(try choice.room(for: nil) == kitchen)
  }

  @Test func whileNoRoomPlaysTheOneThatWasUsedLastIsMeant() throws {
    #expect(try choice([den: paused(90), kitchen: paused(3)]).room(for: nil) == kitchen)
    // The garden was never used.
    #expect(try choice([den: paused(90), garden: RoomUse(isPlaying: false, sinceUsed: nil)]).room(for: nil) == den)
  }

  @Test func whileNoRoomWasUsedTheOnlyOneOfThisMachineIsMeant() throws {
    #expect(try RoomChoice(live: [den, kitchen], here: [kitchen]).room(for: nil) == kitchen)
    #expect(code { try RoomChoice(live: [den, kitchen]).room(for: nil) } == "client.roomNeeded")
    #expect(code { try RoomChoice(live: [den, kitchen], here: [den, kitchen]).room(for: nil) } == "client.roomNeeded")
  }

  @Test func whileSeveralRoomsPlayOnlyTheOneOfThisMachineIsMeant() throws {
    var both = choice([den: playing, kitchen: playing, garden: paused(1)])
    #expect(message { try both.room(for: nil) }?.hasPrefix("Several rooms play: den, kitchen.") == true)
    both.here = [kitchen, garden]
    #expect(try both.room(for: nil) == kitchen)
  }

  @Test func withoutRoomsTheErrorSaysSo() {
    #expect(code { try RoomChoice(live: []).room(for: nil) } == "client.noRoom")
    #expect(code { try RoomChoice(live: [], away: [den]).room(for: nil) } == "client.noRoom")
    #expect(message { try RoomChoice(live: []).room(for: nil) }?.contains("Start one with `lunara up`") == true)
    // If the household runs, the message does not advise starting it.
    let up = RoomChoice(live: [], isHouseholdUp: true)
    #expect(message { try up.room(for: nil) } == "No room is running, though Lunara is. `lunara doctor` says why.")
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

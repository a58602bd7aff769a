import Testing

extension SystemTests.SharedHouseholdTests {
  @Suite struct DesktopTests {
    @Test func theDesktopShowsAndSteersTheRoom() async throws {
      let household = try await Household.atRest()
      let bus = try #require(Household.current).bus
      try await soon("the room is on the session bus") {
        try await Programs.run(["playerctl", "--list-all"], environment: ["DBUS_SESSION_BUS_ADDRESS": bus.address])
          .contains("lunara.kitchen")
      }
      try await household.run("play", "Morning Tide")
      try await soon("the desktop shows what plays") {
        try await bus.playerctl("status") == "Playing"
      }
      #expect(try await bus.playerctl("metadata", "xesam:title") == "First Light")
      #expect(try await bus.playerctl("metadata", "xesam:artist") == "The Lanterns")
      #expect(try await bus.playerctl("metadata", "xesam:album") == "Morning Tide")
      // The cover may come in a second signal.
      try await soon("the desktop shows the cover") {
        let metadata = try await bus.playerctl("metadata")
        return metadata.contains("mpris:artUrl") && metadata.contains("file:///")
      }

      try await bus.playerctl("pause")
      _ = try await household.room(is: "paused")
      try await soon("the desktop shows that it is held") { try await bus.playerctl("status") == "Paused" }
      try await bus.playerctl("play")
      _ = try await household.room(is: "playing")
      try await bus.playerctl("next")
      try await soon("the next track plays") { try await household.playing() == "Salt" }
      try await soon("the desktop shows the next track") {
        try await bus.playerctl("metadata", "xesam:title") == "Salt"
      }
      try await household.run("stop")
      try await soon("the desktop shows the end") { try await bus.playerctl("status") == "Stopped" }
    }
  }
}

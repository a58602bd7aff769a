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
      try await soon("the desktop shows what plays", equals: "Playing") { try await bus.playerctl("status") }
      #expect(try await bus.playerctl("metadata", "xesam:title") == "First Light")
      #expect(try await bus.playerctl("metadata", "xesam:artist") == "The Lanterns")
      #expect(try await bus.playerctl("metadata", "xesam:album") == "Morning Tide")
      // The cover may come in a second signal.
      try await soon("the desktop shows the cover") {
        try await bus.playerctl("metadata")
      } satisfies: {
        $0.contains("mpris:artUrl") && $0.contains("file:///")
      }

      try await bus.playerctl("pause")
      _ = try await household.room(is: "paused")
      try await soon("the desktop shows that it is held", equals: "Paused") { try await bus.playerctl("status") }
      try await bus.playerctl("play")
      _ = try await household.room(is: "playing")
      try await bus.playerctl("next")
      try await soon("the next track plays", equals: "Salt") { try await household.playing() }
      try await soon("the desktop shows the next track", equals: "Salt") {
        try await bus.playerctl("metadata", "xesam:title")
      }
      try await household.run("stop")
      try await soon("the desktop shows the end", equals: "Stopped") { try await bus.playerctl("status") }
    }
  }
}

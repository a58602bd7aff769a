import Glibc
import Testing

extension SystemTests {
  /// Two rooms with homes of their own, as on two machines: one with the library, and one that plays streams.
  @Suite struct RoomsTests {
    @Test func whatPlaysMovesToAnotherRoomAndBackWithItsPlace() async throws {
      try await Self.withTwoRooms(speed: "1") { house, _ in
        try await house.run("play", "Morning Tide", "--room", "kitchen")
        try await house.run("seek", "5", "--room", "kitchen")
        _ = try await house.room("kitchen", is: "playing")
        let queue = try await house.json("queue", "--room", "kitchen")
        try await house.run("move", "kitchen", "den")
        let there = try await house.room("den", is: "playing")
        #expect((there.positionSeconds.asNumber ?? 0) >= 5)
        #expect(try await house.json("queue", "--room", "den").items == queue.items)
        #expect(try await house.json("queue", "--room", "kitchen").items.elements.isEmpty)
        #expect(try await house.room("kitchen", is: "idle").state.asString == "idle")
        // A move of a paused queue, with a restarted router, keeps the position.
        try await house.run("pause", "--room", "den")
        let paused = try await house.room("den", is: "paused")
        let router = try #require(try await house.process(of: "router"))
        kill(router, SIGKILL)
        try await soon("the router is back") { try await house.process(of: "router").map { $0 != router } ?? false }
        try await house.run("move", "den", "kitchen")
        let back = try await house.room("kitchen", is: "paused")
        let difference = (back.positionSeconds.asNumber ?? 0) - (paused.positionSeconds.asNumber ?? 0)
        #expect(abs(difference) < 0.1 && back.track == paused.track)
        let error = try await house.failure("move", "den", "kitchen")
        #expect(error.code.asString == "playback.nothingToMove")
        let started = try await house.facts("playback.listen-started")
        #expect(started.count == 1)
        #expect(try await house.facts("playback.listen-ended").isEmpty)
      }
    }

    @Test func aRoomWhoseLibraryAndRouterAreGonePlaysOnWithWhatItHas() async throws {
      try await Self.withTwoRooms(speed: "2") { house, den in
        try await house.run("play", "Morning Tide", "--room", "den")
        let first = try await house.room("den", is: "playing").track
        let ahead = TestMusic.lanterns.pieces.count - 1
        try await soon("what comes next is on the disk", equals: ahead) { try den.files(in: "playback-den-ahead") }
        await house.end()
        var heard = [first]
        try await soon("the album is over", within: .seconds(120)) {
          let room = try #require(try await den.json("rooms").elements.first { $0.name.asString == "den" })
          #expect(room.state.asString != "error", "\(room)")
          if room.track != heard.last, room.state.asString != "idle" { heard.append(room.track) }
          return room.state.asString == "idle"
        }
        #expect(heard.count == TestMusic.lanterns.pieces.count)
      }
    }

    private static func withTwoRooms(
      speed: String, _ body: (_ house: Household, _ den: Household) async throws -> Void
    ) async throws {
      let music = try #require(TestMusic.current)
      try await Household.with(.init(speed: speed, music: [music.path])) { house in
        try await house.up("--services", "library,router,playback")
        _ = try await house.source(holding: 6)
        var settings = Household.Settings(room: "den", speed: speed)
        settings.environment["LUNARA_RUN"] = house.run
        let den = try Household(settings)
        let player = try ChildProcess([try Programs.lunara("lunara-playback")], environment: den.environment)
        do {
          try await soon("both rooms are there", equals: 2) { try await house.json("rooms").elements.count }
          try await body(house, den)
        } catch {
          await player.kill()
          throw error
        }
        player.signal(SIGTERM)
        #expect(await player.ended() == 0)
      }
    }
  }
}

extension Household {
  /// Waits until the room of this name has a state, and returns it.
  fileprivate func room(_ name: String, is state: String) async throws -> JSON {
    try await soon("\(name) is \(state)") {
      try await json("rooms").elements.first { $0.name.asString == name } ?? .null
    } satisfies: {
      $0.state.asString == state
    }
  }

  /// Returns the number of complete files in a folder of the home.
  fileprivate func files(in folder: String) throws -> Int {
    guard let listing = opendir("\(home)/\(folder)") else { return 0 }
    defer { closedir(listing) }
    var count = 0
    while let entry = readdir(listing) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      if !name.hasPrefix("."), !name.hasSuffix(".part") { count += 1 }
    }
    return count
  }
}

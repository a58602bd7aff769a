import Glibc
import TestSupport
import Testing

extension SystemTests {
  @Suite struct UpTests {
    @Test func aSecondHouseholdOnTheSameHomeIsRefusedWithThePidOfTheFirst() async throws {
      try await Household.with(try .plain()) { household in
        let first = try await household.up()
        let second = try household.begin()
        #expect(await second.ended() == 1)
        #expect(second.transcript.contains("\(first.pid)"))
        #expect(!second.isReady)
        // The first household is not affected.
        #expect(first.ending == nil)
        #expect(try await household.json("status").nodes.elements.count == 6)
        // Another runtime folder makes no difference: two households must not share a home.
        let third = try household.begin(environment: ["LUNARA_RUN": household.run + "-other"])
        #expect(await third.ended() == 1)
        #expect(third.transcript.contains("\(first.pid)"))
      }
    }

    @Test func noServiceOutlivesItsSupervisorAndAFreshOneStarts() async throws {
      try await Household.with(try .plain()) { household in
        let first = try await household.up()
        _ = try await household.source(holding: 6)
        #expect(household.processes.count == 7)
        first.signal(SIGKILL)
        let killed = ContinuousClock.now
        try await soon("all services are gone", equals: []) { household.processes }
        print("kill -9 lunara up: all gone after \((ContinuousClock.now - killed).milliseconds) ms")
        try await household.up()
        _ = try await household.source(holding: 6)
        #expect(household.processes.count == 7)
      }
    }

    @Test(arguments: [SIGINT, SIGTERM]) func aStopEndsEverything(signal: Int32) async throws {
      try await Household.with(try .plain()) { household in
        let up = try await household.up()
        _ = try await household.source(holding: 6)
        try await household.run("play", "Morning Tide")
        _ = try await household.room(is: "playing")
        let asked = ContinuousClock.now
        up.signal(signal)
        #expect(await up.ended() == 0)
        print("stop by signal \(signal): \((ContinuousClock.now - asked).milliseconds) ms; 2 s are meant")
        #expect(household.processes == [])
        let error = try await household.failure("status", status: 3)
        #expect(error.code.asString == "cli.noHousehold")
      }
    }

    @Test func theReadyLineSaysWhereThePageIs() async throws {
      try await Household.with(try .plain()) { household in
        let up = try await household.up()
        #expect(up.output.contains("http://127.0.0.1:\(household.web)"))
      }
    }

    @Test func theLogNamesTheServiceOfEachLine() async throws {
      try await Household.with(try .plain()) { household in
        let up = try await household.up()
        for service in ["library", "playback", "router", "scrobble", "nowplaying", "web"] {
          try await soon("a line of \(service)") { up.errors.split(separator: "\n").contains { $0.hasPrefix(service) } }
        }
      }
    }

    @Test func onlyTheChosenServicesAreStarted() async throws {
      try await Household.with(try .plain()) { household in
        try await household.up("--services", "library,router")
        let roles = try await household.json("status").nodes.elements.compactMap(\.role.asString)
        #expect(roles.sorted() == ["library", "router"])
      }
    }
  }
}

extension Household.Settings {
  /// Plays the test music in real time.
  static func plain() throws -> Household.Settings {
    .init(music: [try #require(TestMusic.current).path])
  }
}

import Glibc
import TestSupport
import Testing

extension SystemTests {
  @Suite struct ReplayTests {
    private let folder = TemporaryDirectory()

    @Test func aRecordedDayGivesTheSameListensInAServiceThatIsTestedAlone() async throws {
      let music = try #require(TestMusic.current)
      let recording = folder.path + "/day.jsonl"
      let original = try await Household.with(.init(speed: "40", music: [music.path])) { household in
        try await household.up()
        _ = try await household.source(holding: 6)
        try await household.run("play", "Morning Tide")
        try await household.allHeard(TestMusic.lanterns.pieces.count)
        _ = try await household.room(is: "idle")
        _ = try await household.lines("tap", "--since", "1h", "--for", "1s", "--record", recording)
        return try await household.json("scrobbles")
      }
      #expect(original.elements.count >= 2)
      try await alone("lunara-scrobble", ["--under-test"]) { household in
        #expect(try await household.json("scrobbles") == .array([]))
        for _ in 1...2 {
          // The second replay changes nothing, since effects are stored under the listens' ids.
          let fed = try await household.json("replay", recording, "--to", "scrobble", "--speed", "max")
          #expect((fed.facts.asInt ?? 0) >= 3 * TestMusic.lanterns.pieces.count)
          #expect(fed.states.asInt != nil && fed.seconds.asNumber != nil)
          #expect(try await household.json("scrobbles") == original)
        }
        let other = try ChildProcess([try Programs.lunara("lunara-router")], environment: household.environment)
        _ = try await soon("the router") { try await household.process(of: "router") }
        let refusal = try await household.failure("replay", recording, "--to", "scrobble")
        #expect(refusal.code.asString == "cli.notAlone")
        await end(other)
      }
    }

    @Test func aServiceThatIsNotUnderTestRefusesAReplay() async throws {
      let recording = folder.path + "/day.jsonl"
      try Folder.write([], to: recording)
      try await alone("lunara-scrobble", []) { household in
        let refusal = try await household.failure("replay", recording, "--to", "scrobble@main")
        #expect(refusal.code.asString == "bus.notUnderTest")
        let absent = try await household.failure("replay", recording, "--to", "library", status: 3)
        #expect(absent.code.asString == "cli.noReplayTarget")
      }
    }

    /// Runs one service under test, apart from any household.
    private func alone(_ program: String, _ words: [String], _ body: (Household) async throws -> Void) async throws {
      let household = try Household(.init())
      let service = try ChildProcess([try Programs.lunara(program)] + words, environment: household.environment)
      try await soon("\(program) is there", equals: 0) { try await household.lunara(["status", "--json"]).status }
      do {
        try await body(household)
      } catch {
        Issue.record("its log: \(service.transcript)")
        await end(service)
        throw error
      }
      await end(service)
    }

    private func end(_ service: ChildProcess) async {
      service.signal(SIGTERM)
      #expect(await service.ended() == 0)
    }
  }
}

import Glibc
import Testing

extension SystemTests.SharedHouseholdTests {
  @Suite struct TapTests {
    private let shape = [
      "time": "string|number", "node": "string", "class": "string", "topic": "string", "kind": "string",
      "payload": "object",
    ]

    @Test func factsAndStatesPassWhileItPlays() async throws {
      let household = try await Household.atRest()
      let tap = try ChildProcess(
        [try Programs.lunara(), "tap", "--json"], environment: household.environment)
      // The tap receives heartbeats, so it is connected.
      try await soon("the tap hears something") { tap.output.contains("\n") }
      try await household.run("play", "月の庭")
      let started = try await soon("the start of a listen in the tap") {
        try lines(of: tap).first { $0.kind.asString == "playback.listen-started" }
      }
      #expect(started.differences(from: shape) == [])
      #expect(started.seq.asInt != nil)
      #expect(started["class"].asString == "fact")
      #expect(started.node.asString == "playback@kitchen")
      #expect(started.topic.asString?.hasPrefix("playback.kitchen.") == true)
      #expect(started.payload.subject.item.track.title.asString == "序")
      let playing = try await soon("the playing room in the tap") {
        try lines(of: tap).first {
          $0.kind.asString == "playback.state" && $0.payload.state.name.asString == "playing"
        }
      }
      #expect(playing.differences(from: shape) == [])
      #expect(playing["class"].asString == "state")
      #expect(playing.version.asInt != nil)
      tap.signal(SIGINT)
      #expect(await tap.ended() != nil)
    }

    @Test func aTopicAndACountLimitIt() async throws {
      let household = try await Household.atRest()
      let tap = try ChildProcess(
        [try Programs.lunara(), "tap", "--topic", "playback.", "--count", "4", "--json"],
        environment: household.environment)
      // Each command changes the room; the tap may start to receive after some of them.
      try await household.run("play", "Morning Tide")
      try await soon("the tap has its count") {
        if tap.ending == nil {
          try await household.run("pause")
          try await household.run("resume")
        }
        return tap.ending != nil
      }
      #expect(tap.ending == 0)
      let lines = try lines(of: tap)
      #expect(lines.count == 4)
      #expect(lines.allSatisfy { $0.topic.asString?.hasPrefix("playback.") == true })
    }

    @Test func aTimeLimitsIt() async throws {
      let household = try await Household.atRest()
      let started = ContinuousClock.now
      _ = try await household.lines("tap", "--for", "1s")
      #expect(ContinuousClock.now - started >= .seconds(1))
    }

    @Test func thePastComesFirst() async throws {
      let household = try await Household.atRest()
      try await household.run("play", "Morning Tide")
      _ = try await household.room(is: "playing")
      try await household.run("stop")
      let kinds = try await soon("the end of the listen in the past") {
        let past = try await household.lines(
          "tap", "--since", "1h", "--topic", "playback.", "--node", "playback@kitchen", "--for", "300ms")
        let facts = past.filter { $0["class"].asString == "fact" }
        return facts.last?.kind.asString == "playback.listen-ended" ? facts : nil
      }
      let sequence = kinds.compactMap(\.seq.asInt)
      #expect(sequence == sequence.sorted())
      #expect(Set(sequence).count == sequence.count)
      #expect(kinds.contains { $0.kind.asString == "playback.listen-started" })
      let ended = try await household.lines(
        "tap", "--since", "1h", "--kind", "playback.listen-ended", "--count", "1")
      #expect(ended.map(\.kind.asString) == ["playback.listen-ended"])
    }

    /// The whole lines so far.
    private func lines(of tap: ChildProcess) throws -> [JSON] {
      let output = tap.output
      let whole = output[..<(output.lastIndex(of: "\n") ?? output.startIndex)]
      return try whole.split(separator: "\n").map { try JSON(text: String($0)) }
    }
  }
}

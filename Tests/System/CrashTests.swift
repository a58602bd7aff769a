import Glibc
import Testing

extension SystemTests {
  @Suite struct CrashTests {
    /// Playback comes first: its restart interrupts the sound, which the other kills must not.
    static let roles = ["playback", "library", "router", "scrobble", "nowplaying", "web"]

    @Test func everyServiceMayBeKilledWhileMusicPlaysAndNothingIsLost() async throws {
      let music = try #require(TestMusic.current)
      let pieces = TestMusic.lanterns.pieces + TestMusic.moon.pieces
      try await Household.with(.init(speed: "2", music: [music.path])) { household in
        let up = try await household.up()
        _ = try await household.source(holding: 6)
        let albums = try await household.albums()
        try await household.run("play", "Morning Tide")
        try await household.run("play", "月の庭", "--later")
        _ = try await household.room(is: "playing")
        let queue = try await household.json("queue").items
        for role in Self.roles {
          try await kill(role, of: household)
          #expect(try await household.albums() == albums, "the catalogue after \(role)")
          #expect(try await household.json("queue").items == queue, "the queue after \(role)")
        }
        // The whole household is stopped and started again with faster playback; the queue is kept, then the rest is
        // heard.
        up.signal(SIGINT)
        #expect(await up.ended() == 0)
        try await household.up(environment: ["LUNARA_AUDIO_SPEED": "40"])
        #expect(try await household.albums() == albums)
        let waiting = try await household.room()
        #expect(waiting.state.asString == "paused")
        try await household.run("resume")
        try await household.allHeard(pieces.count)
        _ = try await household.room(is: "idle")
        try await household.expectScrobbles(pieces)
        // The time heard is stored every second; at double speed each kill may lose up to two seconds of media, and a
        // little.
        try await Listens(of: household).expectWhole(pieces, slack: 6)
      }
    }

    @Test func killingTheWholeHouseholdRepeatedlyLosesNothing() async throws {
      let music = try #require(TestMusic.current)
      let pieces = TestMusic.lanterns.pieces + TestMusic.moon.pieces
      try await Household.with(.init(speed: "15", music: [music.path])) { household in
        var up = try await household.up()
        _ = try await household.source(holding: 6)
        try await household.run("play", "Morning Tide")
        try await household.run("play", "月の庭", "--later")
        let queue = try await household.json("queue").items
        for round in 1...4 {
          // Each kill comes a little later: in the middle of a track, near its end, at the moment that a listen counts.
          let before = try await household.room(is: "playing")
          try await soon("the music goes on") {
            let room = try await household.room()
            return room.track != before.track
              || (room.positionSeconds.asNumber ?? 0) > (before.positionSeconds.asNumber ?? 0) + Double(round * 4)
          }
          up.signal(SIGKILL)
          try await soon("all services are gone", equals: []) { household.processes }
          up = try await household.up()
          #expect(try await household.json("queue").items == queue)
          try await household.run("resume")
        }
        try await household.allHeard(pieces.count)
        try await household.expectScrobbles(pieces)
        // The time heard is stored every second, which at this speed is 15 s of media for each kill.
        try await Listens(of: household).expectWhole(pieces, slack: 31)
      }
    }

    /// Kills a service, and checks that the others go on and that it is started again.
    private func kill(_ role: String, of household: Household) async throws {
      let pid = try #require(try await household.process(of: role), "\(role) runs")
      let others = Set(household.processes).subtracting([pid])
      let before = try await household.room()
      let started = ContinuousClock.now
      Glibc.kill(pid, SIGKILL)
      let isPlayback = role == "playback"
      if !isPlayback {
        try await soon("the sound goes on without \(role)") {
          let room = try await household.room()
          return room.state.asString == "playing"
            && (room.track != before.track
              || (room.positionSeconds.asNumber ?? 0) > (before.positionSeconds.asNumber ?? 0))
        }
      }
      let again = try await soon("\(role) is back") {
        let found = try await household.process(of: role)
        return found == pid ? nil : found
      }
      print("kill -9 \(role): back in `lunara status` after \((ContinuousClock.now - started).milliseconds) ms")
      #expect(others.isSubset(of: household.processes), "the others still run")
      try await soon("status is whole again") {
        try await household.json("status").nodes.elements
      } satisfies: { nodes in
        nodes.count == 6 && nodes.allSatisfy { $0.away.asBool == false }
      }
      #expect(Processes.isAlive(again))
      guard isPlayback else { return }
      let resumed = try await household.room(is: "playing")
      #expect(resumed.track == before.track)
      let (then, now) = (before.positionSeconds.asNumber ?? 0, resumed.positionSeconds.asNumber ?? -10)
      #expect(now > then - 3, "the position is kept")
    }
  }
}

extension Duration {
  var milliseconds: Int64 { components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000 }
}

import Testing

extension SystemTests {
  /// MPD clients that nobody here wrote, at a household of real processes.
  @Suite struct MPDTests {
    @Test func pythonMPD2BrowsesQueuesPlaysAndWritesPlaylists() async throws {
      try await Self.withClients { house, port in
        let client = try ChildProcess(
          ["/usr/bin/python3", "-B", "Tests/API/mpd_client.py", "\(port)"], environment: house.environment)
        #expect(await client.ended() == 0, "\(client.transcript)")
      }
    }

    @Test func mpcAddsPlaysAndShowsASong() async throws {
      try await Self.withClients { house, port in
        func mpc(_ words: String...) async throws -> String {
          let client = try ChildProcess(["/usr/bin/mpc", "-p", "\(port)"] + words, environment: house.environment)
          #expect(await client.ended() == 0, "\(client.transcript)")
          return client.output
        }
        let songs = try await mpc("listall").split(separator: "\n").map(String.init)
        #expect(songs.count == 6)
        _ = try await mpc("add", try #require(songs.first))
        _ = try await mpc("play")
        try await soon("mpc shows that the song plays") { try await mpc("status").contains("[playing]") }
        #expect(try await mpc("current", "-f", "%file%").hasPrefix(try #require(songs.first)))
        _ = try await mpc("volume", "30")
        #expect(try await mpc("volume").contains("30%"))
      }
    }

    private static func withClients(_ body: (Household, UInt16) async throws -> Void) async throws {
      let music = try #require(TestMusic.current)
      let port = try FreePort.find()
      var settings = Household.Settings(speed: "1", music: [music.path])
      settings.environment["LUNARA_MPD"] = "127.0.0.1:\(port)"
      try await Household.with(settings) { house in
        try await house.up("--services", "library,router,playback,mpd")
        _ = try await house.source(holding: 6)
        try await body(house, port)
      }
    }
  }
}

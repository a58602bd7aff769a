import Glibc
import TestSupport
import Testing

extension SystemTests {
  /// A machine that lost its data, with another machine beside it.
  @Suite struct RestoreTests {
    @Test func aHouseholdThatLostItsFolderIsWholeAfterARestoreAndKnownToTheOtherMachine() async throws {
      // Ports that no other test uses.
      let bases = (house: try TestHousehold(isSealed: false).base, den: try TestHousehold(isSealed: false).base)
      let keys = TemporaryDirectory()
      let key = keys.path + "/household.key"
      try TestHousehold.writeKey(to: key)
      var settings = try Household.Settings.plain()
      settings.environment["LUNARA_LISTEN"] = "tcp://127.0.0.1:\(bases.house)"
      settings.environment["LUNARA_KEY_FILE"] = key
      try await Household.with(settings) { house in
        var up = try await house.up()
        _ = try await house.source(holding: 6)
        try await house.run("play", "Morning Tide", "--room", "kitchen")
        try await house.run("pause", "--room", "kitchen")
        _ = try await house.json("rooms", "title", "kitchen", "Downstairs")
        let queue = try await house.json("queue", "--room", "kitchen").items
        let albums = try await house.albums()
        #expect(!queue.elements.isEmpty)

        try await Self.withDen(at: bases.den, beside: bases.house, key) { den in
          try await soon("the other machine sees the household") { try await den.sees("Downstairs", albums.count) }
          let file = "\(house.home).tar.zst"
          _ = try await house.json("backup", file)
          up.signal(SIGTERM)
          #expect(await up.ended() == 0)
          try await soon("the other machine misses the household") { try await !den.sees("Downstairs", albums.count) }
          try Folder.remove(house.home)
          _ = try await house.json("restore", file)

          up = try await house.up()
          let started = ContinuousClock.now
          try await soon("the other machine accepts the restored services") {
            try await den.sees("Downstairs", albums.count)
          }
          print("restored services accepted after \((ContinuousClock.now - started).milliseconds) ms; 10 s are meant")
          // All is as it was, and both machines are content.
          _ = try await house.source(holding: 6)
          #expect(try await house.json("queue", "--room", "kitchen").items == queue)
          #expect(try await house.albums() == albums)
          try await soon("all services know each other") {
            try await den.json("status").nodes.elements
          } satisfies: { nodes in
            nodes.count == 7 && nodes.allSatisfy { $0.away.asBool == false }
          }
          for machine in [house, den] { #expect(try await machine.failures() == []) }
          // The music moves to the other machine.
          try await house.run("move", "kitchen", "den")
          #expect(try await den.json("queue", "--room", "den").items.elements.count == queue.elements.count)
        }
      }
    }

    /// Runs a room on another machine of the household with a key whose nodes listen from `house` on.
    private static func withDen(
      at base: UInt16, beside house: UInt16, _ key: String, _ body: (Household) async throws -> Void
    ) async throws {
      var settings = Household.Settings(room: "den")
      settings.environment["LUNARA_LISTEN"] = "tcp://127.0.0.1:\(base)"
      settings.environment["LUNARA_KEY_FILE"] = key
      settings.environment["LUNARA_SEEDS"] = "127.0.0.1:\(house)"
      try await Household.with(settings) { den in
        try await den.up("--services", "playback")
        try await body(den)
      }
    }
  }
}

extension Household {
  /// Returns what `lunara doctor` finds wrong.
  fileprivate func failures() async throws -> [JSON] {
    let outcome = try await lunara(["doctor", "--json"])
    return try JSON(text: outcome.output).findings.elements.filter { $0.verdict.asString == "failure" }
  }

  /// Returns true if this machine gets answers from a room with this title and from a library with so many albums.
  fileprivate func sees(_ title: String, _ albums: Int) async throws -> Bool {
    let rooms = try await json("rooms").elements
    guard rooms.contains(where: { $0.title.asString == title && $0.away.asBool == false }) else { return false }
    let outcome = try await lunara(["albums", "--json"])
    return try outcome.status == 0 && JSON(text: outcome.output).items.elements.count == albums
  }
}

import Testing

extension SystemTests {
  @Suite struct DiskTests {
    @Test func aHomeThatCannotBeWrittenIsOneClearErrorAndNothingIsLost() async throws {
      try await onASmallDisk { household, disk in
        let up = try await household.up()
        _ = try await household.source(holding: 6)
        try await household.run("play", "Morning Tide")
        let queue = try await household.json("queue").items
        try await stop(up)

        try await disk.remount("ro")
        try await expectRefusal(of: household, naming: disk.path)

        try await disk.remount("rw")
        try await household.up()
        #expect(try await household.source(holding: 6).health.asString == "ready")
        #expect(try await household.json("queue").items == queue)
      }
    }

    @Test func aFullDiskAtTheStartIsOneClearErrorAndNothingIsLost() async throws {
      try await onASmallDisk { household, disk in
        try await stop(try await household.up())
        try disk.fill()
        try await expectRefusal(of: household, naming: "disk is full")
        disk.empty()
        try await household.up()
        _ = try await household.source(holding: 6)
      }
    }

    @Test func aDiskThatFillsWhileMusicPlaysLosesNoListen() async throws {
      try await onASmallDisk(speed: "8") { household, disk in
        let up = try await household.up()
        _ = try await household.source(holding: 6)
        try await household.run("play", "Morning Tide")
        _ = try await household.room(is: "playing")
        let queue = try await household.json("queue").items
        try disk.fill()
        let error = try await household.failure("play", "月の庭")
        #expect(error.code.asString == "storage.full")
        try await soon("the sound goes on", equals: "Salt") { try await household.playing() }
        #expect(try await household.json("albums").items.elements.count == 2)
        #expect(try await household.json("queue").items == queue, "what was refused changed nothing")
        #expect(household.processes.count == 7, "nobody has died of it: \(up.transcript)")
        disk.empty()
        let pieces = TestMusic.lanterns.pieces
        try await household.allHeard(pieces.count)
        try await household.expectScrobbles(pieces)
        try await Listens(of: household).expectWhole(pieces)
        try await household.run("play", "月の庭")
      }
    }

    private func onASmallDisk(
      speed: String = "1", _ body: (Household, SmallDisk) async throws -> Void
    ) async throws {
      let disk = try await SmallDisk.mount()
      var settings = try Household.Settings.plain()
      settings.speed = speed
      settings.home = disk.path
      settings.wrapper = try disk.entry
      try await Household.with(settings) { try await body($0, disk) }
      await disk.end()
    }

    private func stop(_ up: ChildProcess) async throws {
      up.signal(2)
      try #require(await up.ended() == 0)
    }

    /// Checks that `lunara up` ends at once with one error, and starts nothing.
    private func expectRefusal(
      of household: Household, naming name: String, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
      let up = try household.begin()
      #expect(await up.ended() == 1, sourceLocation: sourceLocation)
      #expect(up.output == "", sourceLocation: sourceLocation)
      let errors = up.errors.split(separator: "\n").filter { $0.hasPrefix("lunara:") }
      #expect(errors.count == 1, "\(up.errors)", sourceLocation: sourceLocation)
      #expect(up.errors.contains(name), "\(up.errors)", sourceLocation: sourceLocation)
      #expect(household.processes == [], sourceLocation: sourceLocation)
    }
  }
}

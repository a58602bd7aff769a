import Testing

extension SystemTests {
  @Suite struct ListeningTests {
    @Test func twoAlbumsAreHeardToTheEndAndCountOnceEach() async throws {
      let music = try #require(TestMusic.current)
      try await Household.with(.init(speed: "40", music: [music.path])) { household in
        try await household.up()
        _ = try await household.source(holding: 6)
        #expect(try await household.json("scrobbles") == .array([]))
        try await household.run("play", "Morning Tide")
        try await household.run("play", "月の庭", "--later")
        let pieces = TestMusic.lanterns.pieces + TestMusic.moon.pieces
        #expect(try await household.json("queue").items.elements.map(\.title.asString) == pieces.map(\.title))
        try await household.allHeard(pieces.count)
        _ = try await household.room(is: "idle")
        #expect(try await household.json("queue").current == .null)
        try await household.expectScrobbles(pieces)
        try await Listens(of: household).expectWhole(pieces)
      }
    }

    @Test func aSkippedTrackIsRecordedAsSkippedAndNotCounted() async throws {
      let music = try #require(TestMusic.current)
      try await Household.with(.init(speed: "1", music: [music.path])) { household in
        try await household.up()
        _ = try await household.source(holding: 6)
        try await household.run("play", "Morning Tide")
        _ = try await household.room(is: "playing")
        try await household.run("next")
        try await soon("the second track plays", equals: "Salt") { try await household.playing() }
        try await household.run("stop")
        try await household.allHeard(2)
        let listens = try await Listens(of: household)
        #expect(listens.ended.map(\.reason.asString) == ["skipped", "skipped"])
        #expect(listens.counted == [])
        #expect(try await household.json("scrobbles") == .array([]))
      }
    }
  }
}

extension Household {
  /// Waits until that many listens have ended and every reader of facts has caught up.
  func allHeard(_ count: Int) async throws {
    try await soon("\(count) listens ended") {
      try await facts("playback.listen-ended")
    } satisfies: {
      $0.count >= count
    }
    try await soon("all have read all") {
      try await json("status").nodes.elements
    } satisfies: { nodes in
      nodes.count == 6 && nodes.allSatisfy { $0.lag.asInt == 0 && $0.away.asBool == false }
    }
  }
}

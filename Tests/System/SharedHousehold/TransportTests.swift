import Testing

extension SystemTests.SharedHouseholdTests {
  @Suite struct TransportTests {
    @Test func anAlbumPlaysByItsTitle() async throws {
      let household = try await Household.atRest()
      try await household.run("play", "morning tide")
      let room = try await household.room(is: "playing")
      let shape = [
        "name": "string", "state": "string", "away": "bool", "track": "object|null", "positionSeconds": "number",
        "durationSeconds": "number|null", "volume": "number",
      ]
      #expect(room.differences(from: shape) == [])
      #expect(room.name.asString == "kitchen")
      #expect(room.track.title.asString == "First Light")
      #expect(abs((room.durationSeconds.asNumber ?? 0) - 36) < 0.1)

      let queue = try await household.json("queue")
      #expect(
        queue.differences(
          from: ["room": "string", "current": "number|null", "items": "array", "positionSeconds": "number"]) == [])
      #expect(queue.room.asString == "kitchen")
      #expect(queue.current.asInt == 0)
      let item = ["entry": "string", "id": "string", "title": "string", "artist": "string", "album": "string"]
      for found in queue.items.elements { #expect(found.differences(from: item) == []) }
      #expect(queue.items.elements.map(\.title.asString) == TestMusic.lanterns.pieces.map(\.title))
      #expect(Set(queue.items.elements.map(\.entry)).count == 3)

      let before = try #require(try await household.room().positionSeconds.asNumber)
      try await soon("the position goes on") {
        try await household.room().positionSeconds.asNumber ?? 0
      } satisfies: {
        $0 > before
      }
    }

    @Test func pauseHoldsThePositionAndResumeGoesOnFromThere() async throws {
      let household = try await Household.atRest()
      try await household.run("play", "月の庭")
      _ = try await household.room(is: "playing")
      try await household.run("pause")
      let held = try await household.room(is: "paused")
      // A second pause changes nothing, and the position stays.
      try await household.run("pause")
      let still = try await household.room()
      #expect(still.state == held.state && still.positionSeconds == held.positionSeconds && still.track == held.track)
      try await household.run("resume")
      let going = try await household.room(is: "playing")
      #expect(going.track == held.track)
      #expect((going.positionSeconds.asNumber ?? -1) >= (held.positionSeconds.asNumber ?? 0))
      try await household.run("resume")
      #expect(try await household.room().state.asString == "playing")
    }

    @Test func nextPreviousAndStopMoveThroughTheQueue() async throws {
      let household = try await Household.atRest()
      try await household.run("play", "Morning Tide")
      try await household.run("next")
      try await soon("the second track plays", equals: "Salt") { try await household.playing() }
      try await household.run("previous")
      try await soon("the first track plays again", equals: "First Light") { try await household.playing() }
      try await household.run("next")
      try await household.run("next")
      try await soon("the last track plays", equals: "Short Pier") { try await household.playing() }
      try await household.run("next")
      _ = try await household.room(is: "idle")
      let queue = try await household.json("queue")
      #expect(queue.current == .null)
      #expect(queue.items.elements.count == 3)

      try await household.run("play", "Morning Tide")
      try await household.run("stop")
      let room = try await household.room(is: "idle")
      #expect(room.track == .null)
    }

    @Test func tracksGoNextAndLater() async throws {
      let household = try await Household.atRest()
      let tracks = try await household.json("search", "first light").tracks
      let light = try #require(tracks[0].id.asString)
      try await household.run("play", "月の庭")
      try await household.run("play", light, "--next")
      try await household.run("play", light, "--later")
      let queue = try await household.json("queue")
      #expect(
        queue.items.elements.map(\.title.asString) == ["序", "First Light", "Ещё вечер", "👋 До утра", "First Light"])
      #expect(queue.current.asInt == 0)
      #expect(Set(queue.items.elements.map(\.entry)).count == 5)
    }

    @Test func anAlbumStartsAtAnyOfItsTracks() async throws {
      let household = try await Household.atRest()
      try await household.run("play", "Morning Tide", "--from", "2")
      try await soon("the second track plays", equals: "Salt") { try await household.playing() }
      #expect(try await household.json("queue").items.elements.count == 3)
    }

    @Test func theRoomCanBeNamed() async throws {
      let household = try await Household.atRest()
      try await household.run("play", "Morning Tide", "--room", "kitchen")
      _ = try await household.room(is: "playing")
      let error = try await household.failure("pause", "--room", "attic", status: 1)
      #expect(error.message.asString?.contains("attic") == true)
    }
  }
}

extension Household {
  /// The title of the playing track; nil while nothing plays.
  func playing() async throws -> String? {
    let room = try await room()
    return room.state.asString == "playing" ? room.track.title.asString : nil
  }
}

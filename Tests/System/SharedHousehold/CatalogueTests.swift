import Testing

extension SystemTests.SharedHouseholdTests {
  @Suite struct CatalogueTests {
    @Test func statusShowsEveryServiceAndTheSource() async throws {
      let household = try await Household.atRest()
      // A service that is busy for two seconds is shown as away.
      let status = try await soon("all six answer and have read all") {
        try await household.json("status")
      } satisfies: { status in
        let nodes = status.nodes.elements
        let isWhole = nodes.count == 6 && nodes.allSatisfy { $0.away.asBool == false && $0.lag.asInt == 0 }
        return isWhole && !status.sources.elements.isEmpty
      }
      let node = [
        "role": "string", "name": "string", "pid": "number", "uptimeSeconds": "number", "version": "string",
        "away": "bool", "lag": "number", "journalHead": "number|string|object|null",
      ]
      for found in status.nodes.elements { #expect(found.differences(from: node) == []) }
      #expect(
        status.nodes.elements.compactMap(\.role.asString).sorted() == [
          "library", "nowplaying", "playback", "router", "scrobble", "web",
        ])
      #expect(status.nodes.elements.first { $0.role.asString == "playback" }?.name.asString == "kitchen")
      for found in status.nodes.elements {
        let pid = try #require(found.pid.asInt)
        #expect(Processes.program(of: Int32(pid)) == "lunara-\(found.role.asString ?? "")")
      }
      let source = [
        "name": "string", "kind": "string", "health": "string", "lastRefreshed": "string|number", "albums": "number",
        "tracks": "number", "problems": "array",
      ]
      #expect(status.sources.elements.count == 1)
      #expect(status.sources[0].differences(from: source) == [])
      #expect(status.sources[0].kind.asString == "files")
      #expect(status.sources[0].health.asString == "ready")
      #expect((status.sources[0].albums.asInt, status.sources[0].tracks.asInt) == (2, 6))
      #expect(status.sources[0].problems.elements == [])
    }

    @Test func albumsAreSortedAndPaged() async throws {
      let household = try await Household.atRest()
      let all = try await household.json("albums")
      let shape = [
        "id": "string", "title": "string", "artist": "string", "year": "number|null", "trackCount": "number",
      ]
      for album in all.items.elements { #expect(album.differences(from: shape) == []) }
      // "The" is ignored in the order, and Latin letters come before Cyrillic ones.
      #expect(all.items.elements.map(\.title.asString) == ["Morning Tide", "月の庭"])
      #expect(all.items.elements.map(\.artist.asString) == ["The Lanterns", "Лунный квартет"])
      #expect(all.items.elements.map(\.year.asInt) == [2019, 2021])
      #expect(all.items.elements.map(\.trackCount.asInt) == [3, 3])
      #expect(all.next == .null)

      let first = try await household.json("albums", "--limit", "1")
      #expect(first.items.elements.map(\.id) == [all.items[0].id])
      let cursor = try #require(first.next.asString)
      let second = try await household.json("albums", "--limit", "1", "--after", cursor)
      #expect(second.items.elements.map(\.id) == [all.items[1].id])
      #expect(second.next == .null)
      let newest = try await household.json("albums", "--sort", "year")
      #expect(newest.items.elements.map(\.year.asInt) == [2021, 2019])
    }

    @Test func anAlbumShowsItsTracksInOrder() async throws {
      let household = try await Household.atRest()
      let id = try #require(try await household.album("月の庭").id.asString)
      let album = try await household.json("album", id)
      #expect(album.id.asString == id)
      #expect(album.title.asString == "月の庭")
      let shape = [
        "id": "string", "title": "string", "artist": "string", "albumArtist": "string", "disc": "number",
        "number": "number", "durationSeconds": "number",
      ]
      for track in album.tracks.elements { #expect(track.differences(from: shape) == []) }
      #expect(album.tracks.elements.map(\.title.asString) == TestMusic.moon.pieces.map(\.title))
      #expect(album.tracks.elements.map(\.number.asInt) == [1, 2, 3])
      for (track, piece) in zip(album.tracks.elements, TestMusic.moon.pieces) {
        #expect(abs((track.durationSeconds.asNumber ?? 0) - Double(piece.seconds)) < 0.1)
      }
    }

    @Test(arguments: [
      ("lant", "albums", "Morning Tide"), ("MORNING", "albums", "Morning Tide"), ("ночь", "albums", nil),
      ("еще", "tracks", "Ещё вечер"), ("ЛУННЫЙ", "artists", "Лунный квартет"), ("月", "albums", "月の庭"),
      ("tide lanterns", "albums", "Morning Tide"),
    ])
    func searchFindsEveryWordAsAPrefixWhateverItsCaseAndMarks(words: String, kind: String, title: String?) async throws
    {
      let household = try await Household.atRest()
      let found = try await household.json("search", words)
      #expect(
        found.differences(from: ["artists": "array", "albums": "array", "tracks": "array", "collections": "array"])
          == [])
      let names = found[kind].elements.map { $0.title.asString ?? $0.name.asString }
      #expect(names == (title.map { [$0] } ?? []))
    }

    @Test func severalWordsNeedNoQuotes() async throws {
      let household = try await Household.atRest()
      let found = try await household.json("search", "first", "light")
      #expect(found.tracks.elements.map(\.title.asString) == ["First Light"])
    }

    @Test func withoutATerminalTheOutputIsPlain() async throws {
      let household = try await Household.atRest()
      for words in [["status"], ["albums"], ["rooms"], ["queue"], ["scrobbles"], ["search", "tide"]] {
        let outcome = try await household.lunara(words)
        #expect(outcome.status == 0, "\(words): \(outcome.errors)")
        #expect(!outcome.output.contains("\u{1B}"), "\(words)")
      }
    }
  }
}

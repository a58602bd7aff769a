import Testing

extension SystemTests {
  @Suite struct DemoTests {
    @Test func theDemoIsASmallLibraryThatCanBePlayed() async throws {
      try await Household.with(.init(speed: "40")) { household in
        try await household.up("--demo", within: .seconds(240))
        let source = try await soon("the demo library is read") {
          try await household.json("status").sources[0]
        } satisfies: {
          $0.health.asString == "ready"
        }
        #expect(source.problems.elements == [])
        let albums = try await household.json("albums").items.elements
        #expect(albums.count >= 6)
        #expect(Set(albums.map(\.artist)).count >= 4)
        let browser = Browser(port: household.web)
        var lengths: [Double] = []
        for album in albums {
          let art = try #require(album.art.asString, "\(album) has a cover")
          #expect(try await browser.get("/api/v1/art/\(art)").status == 200)
          let tracks = try await household.json("album", try #require(album.id.asString)).tracks.elements
          #expect(tracks.allSatisfy { $0.title.asString != "" && $0.number.asInt != nil && $0.year.asInt != nil })
          lengths += tracks.compactMap(\.durationSeconds.asNumber)
        }
        #expect(lengths.contains { $0 > 30 })
        try await household.run("play", try #require(albums[0].title.asString))
        try await soon("a listen counts") { try await household.json("scrobbles").elements.count >= 1 }
      }
    }
  }
}

import Testing

extension SystemTests.SharedHouseholdTests {
  @Suite struct PageTests {
    @Test func thePageIsServed() async throws {
      let browser = Browser(port: try await Household.atRest().web)
      let page = try await browser.get("/")
      #expect(page.status == 200)
      #expect(page.headers["content-type"]?.hasPrefix("text/html") == true)
      #expect(String(decoding: page.body, as: UTF8.self).contains("Lunara"))
      // A path without an extension gets the page itself; a file that does not exist is not found.
      #expect(try await browser.get("/nothing-here").body == page.body)
      #expect(try await browser.get("/nothing-here.js").status == 404)
    }

    @Test func roomsAndAlbumsAreTheSameAsOnTheCommandLine() async throws {
      let household = try await Household.atRest()
      let browser = Browser(port: household.web)
      let rooms = try await browser.get("/api/v1/rooms").json()
      #expect(rooms.elements.map(\.name.asString) == ["kitchen"])
      #expect(rooms[0].state.asString == "idle")
      let albums = try await browser.get("/api/v1/albums").json()
      let expected = try await household.json("albums")
      #expect(albums.items.elements.map(\.id) == expected.items.elements.map(\.id))
    }

    @Test func everyAlbumHasItsCover() async throws {
      let browser = Browser(port: try await Household.atRest().web)
      for album in try await browser.get("/api/v1/albums").json().items.elements {
        let art = try #require(album.art.asString)
        let picture = try await browser.get("/api/v1/art/\(art)")
        #expect(picture.status == 200)
        #expect(picture.headers["content-type"] == "image/jpeg")
        #expect(picture.body.starts(with: [0xFF, 0xD8, 0xFF]))
        #expect(picture.body.suffix(2) == [0xFF, 0xD9])
      }
    }

    @Test func aBrowserPlaysAndIsToldWhatChanges() async throws {
      let household = try await Household.atRest()
      let browser = Browser(port: household.web)
      let events = try browser.events()
      try await soon("the stream begins") { events.readMore() && events.text.contains("\r\n\r\n") }
      #expect(events.text.hasPrefix("HTTP/1.1 200"))
      #expect(events.text.contains("text/event-stream"))
      let id = try #require(try await household.album("Morning Tide").id.asString)
      let answer = try await browser.post("/api/v1/play", json: #"{"ids": ["\#(id)"]}"#)
      #expect(answer.status == 200)
      try await soon("an event says that the room plays") {
        events.readMore() && events.text.contains(#""state":"playing""#) && events.text.contains("First Light")
      }
      let pause = try await browser.post("/api/v1/rooms/kitchen/transport", json: #"{"action": "pause"}"#)
      #expect(pause.status == 200)
      #expect(try await household.room().state.asString == "paused")
      try await soon("an event says that the room is held") {
        events.readMore() && events.text.contains(#""state":"paused""#)
      }
    }

    @Test func otherSitesNeitherReadNorSteer() async throws {
      let household = try await Household.atRest()
      let browser = Browser(port: household.web)
      let foreign = try await browser.get("/api/v1/rooms", headers: ["Host": "evil.example"])
      #expect((400..<500).contains(foreign.status))
      #expect(try foreign.json().error.code.asString == "web.hostRefused")
      let id = try #require(try await household.album("Morning Tide").id.asString)
      let body = #"{"ids": ["\#(id)"]}"#
      for headers in [
        ["Origin": "http://evil.example"], ["Sec-Fetch-Site": "cross-site"], ["Content-Type": "text/plain"],
      ] {
        let answer = try await browser.post("/api/v1/play", json: body, headers: headers)
        #expect((400..<500).contains(answer.status), "\(headers)")
      }
      #expect(try await household.room().state.asString == "idle")
    }
  }
}

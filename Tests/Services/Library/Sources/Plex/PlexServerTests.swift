import Messages
import Model
import TestSupport
import Testing

@testable import Records
@testable import Sources

@Suite struct PlexChangeCheckTests {
  @Test func atAnAddressThatWasChosenItIsNotAskedWhoAnswers() async throws {
    let fixture = try await FakePlexServer(isChosen: true)
    let mark = try await fixture.read(.everything)
    try await fixture.order("log/clear")
    let machine = try await fixture.server.identify().machine
    #expect(machine == fixture.standIn.announced["machineIdentifier"]?.string)
    _ = try await fixture.server.sections()
    #expect(try await fixture.server.checkForChanges(since: mark, sections: ["1"]).need == .nothing)
    let asked = try await fixture.asked()
    #expect(asked.count == 4)
    #expect(asked.allSatisfy { !$0.contains("/identity") })
  }

  @Test func withoutAMarkEverythingIsRead() async throws {
    let fixture = try await FakePlexServer()
    #expect(
      try await fixture.server.checkForChanges(since: nil, sections: ["1"])
        == ServerChangeCheck(need: .everything, method: "full"))
  }

  @Test func aCheckWithoutChangesTakesFourRequestsWhileTheServerNotifies() async throws {
    let fixture = try await FakePlexServer()
    let machine = try await fixture.server.identify().machine
    await fixture.server.expect(machine)
    let mark = try await fixture.read(.everything)
    try await fixture.server.awaitChange()
    func requests() async throws -> [String] {
      try await fixture.order("log/clear")
      // A refresh makes these requests, too.
      #expect(try await fixture.server.identify().machine == machine)
      _ = try await fixture.server.sections()
      #expect(
        try await fixture.server.checkForChanges(since: mark, sections: ["1"])
          == ServerChangeCheck(need: .nothing, method: "counter"))
      return try await fixture.asked()
    }
    #expect(try await requests().count == 4)
    // Without the stream the server is asked which machine it is.
    try await fixture.order("notifications", #"{"drop":true}"#)
    _ = await eventually { await !fixture.server.notifications.isAlive }
    let asked = try await requests()
    #expect(asked.count == 5 && asked.contains { $0.contains("/identity") })
    // A section that was switched on since has never been read.
    #expect(try await fixture.server.checkForChanges(since: mark, sections: ["1", "2"]).need == .everything)
  }

  @Test func aDeltaBringsWhatIsNewOrDifferentAndNothingElse() async throws {
    let fixture = try await FakePlexServer()
    let mark = try await fixture.read(.everything)
    let count = try await fixture.tracks().count
    let lantern = try await fixture.key("Lantern")
    try await fixture.order("change", #"{"key":\#(lantern),"fields":{"title":"Lantern II"}}"#)
    try await fixture.order("add", #"{"artist":"New Face","album":"First","title":"Hello"}"#)
    let look = try await fixture.server.checkForChanges(since: mark, sections: ["1"])
    #expect(look == ServerChangeCheck(need: .delta, method: "counter", tracks: count + 1))
    let next = try await fixture.read(.delta, since: mark)
    #expect(Set(try await fixture.tracks().map(\.title)) == ["Lantern II", "Hello"])
    #expect(try await fixture.albums().map(\.title) == ["First"])
    #expect(try await fixture.staged(ServerList.self, .collection).isEmpty)
    #expect(try await fixture.staged(ServerList.self, .playlist).isEmpty)
    #expect(try await fixture.server.checkForChanges(since: next, sections: ["1"]).need == .nothing)
  }

  @Test func operatorsOfADeltaAreSentRaw() async throws {
    let fixture = try await FakePlexServer()
    let mark = try await fixture.read(.everything)
    try await fixture.order("log/clear")
    _ = try await fixture.read(.delta, since: mark)
    let asked = try await fixture.asked()
    #expect(asked.contains { $0.contains("type=10") && $0.contains("updatedAt>>=") })
    #expect(!asked.contains { $0.contains("%3E") })
  }

  @Test(arguments: ["album", "track"], [true, false])
  func aRatingGivenElsewhereIsNoticedThoughTheCounterStandsStill(_ kind: String, _ isChosen: Bool) async throws {
    let fixture = try await FakePlexServer(isChosen: isChosen)
    let mark = try await fixture.read(.everything)
    let key = try await fixture.key(kind == "album" ? "Two Rivers" : "River 1", kind)
    let now = Timestamp.now().seconds + 2
    try await fixture.order("mark", #"{"key":\#(key),"rating":7,"rated":\#(now)}"#)
    #expect(
      try await fixture.server.checkForChanges(since: mark, sections: ["1"])
        == ServerChangeCheck(need: .delta, method: "delta"))
    let next = try await fixture.read(.delta, since: mark)
    let ratings = kind == "album" ? try await fixture.albums().map(\.rating) : try await fixture.tracks().map(\.rating)
    #expect(ratings.compactMap { $0?.rawValue } == [7])
    #expect(try await fixture.server.checkForChanges(since: next, sections: ["1"]).need == .nothing)
  }

  @Test func aFutureTimeOfArrivalHidesNothingThatComesLater() async throws {
    let fixture = try await FakePlexServer()
    try await fixture.order(
      "add", #"{"artist":"Futura","album":"Later","title":"Not yet","fields":{"added":4000000000}}"#)
    let mark = try await fixture.read(.everything)
    try await fixture.order("add", #"{"artist":"Futura","album":"Now","title":"Now"}"#)
    _ = try await fixture.read(.delta, since: mark)
    #expect(try await fixture.tracks().contains { $0.title == "Now" })
  }

  @Test func aReadingOfKeysListsWhatIsLeft() async throws {
    let fixture = try await FakePlexServer()
    let mark = try await fixture.read(.everything)
    let count = try await fixture.tracks().count
    let lantern = try await fixture.key("Lantern")
    try await fixture.order("remove", #"{"key":\#(lantern)}"#)
    let next = try await fixture.read(.keys, since: mark)
    let keys = try await fixture.keys()
    #expect(!keys.contains("3:\(lantern)"))
    #expect(keys.count { $0.hasPrefix("3:") } == count - 1)
    #expect(keys.count { $0.hasPrefix("4:") } == 4)
    #expect(keys.count { $0.hasPrefix("5:") } == 3)
    // The reading of keys read no changes, so the next delta still has to bring them.
    #expect(next.changedAt == mark.changedAt)
    #expect(next.counters == mark.counters)
  }

  @Test func aPlaylistThatChangedIsReadAgain() async throws {
    let fixture = try await FakePlexServer()
    let mark = try await fixture.read(.everything)
    // A smart playlist of favourites gets one more track.
    let key = try await fixture.key("River 2")
    try await fixture.order("mark", #"{"key":\#(key),"rating":10,"rated":\#(Timestamp.now().seconds + 2)}"#)
    #expect(try await fixture.server.checkForChanges(since: mark, sections: ["1"]).need == .delta)
    _ = try await fixture.read(.delta, since: mark)
    let favourites = try await fixture.staged(ServerList.self, .playlist).first { $0.title == "Favourites" }
    #expect(favourites?.items.contains(key) == true)
  }
}

@Suite struct PlexRatingTests {
  private func received(_ fixture: FakePlexServer) async throws -> [JSONView] {
    try await fixture.order("received").elements
  }

  @Test func ratingsAreGivenInHalfStarsAndTakenAway() async throws {
    let fixture = try await FakePlexServer()
    let key = try await fixture.key("River 3")
    func rating() async throws -> Rating? {
      guard case .track(let track) = try await fixture.server.item(key) else { return nil }
      return track.rating
    }
    try await fixture.server.rate(.track(key), Rating(stars: 3.5))
    #expect(try await rating()?.stars == 3.5)
    try await fixture.server.rate(.track(key), nil)
    #expect(try await rating() == nil)
    #expect(try await received(fixture).compactMap { $0["rating"]?.number } == [7, -1])
    #expect(await refusal { try await fixture.server.rate(.album("99999"), Rating(rawValue: 1)) } == "library.gone")
  }

  @Test func aPlayIsCountedOnce() async throws {
    let fixture = try await FakePlexServer()
    let key = try await fixture.key("River 3")
    #expect(try await fixture.server.playCount(of: key) == 0)
    try await fixture.server.countPlay(of: key, at: .now())
    #expect(try await fixture.server.playCount(of: key) == 1)
    #expect(await refusal { _ = try await fixture.server.playCount(of: "99999") } == "library.gone")
  }

  private func play(
    _ fixture: FakePlexServer, _ key: String, until end: Int64 = 5900, isContinuing: Bool = false
  ) async throws {
    let room = RoomName(from: "kitchen")
    for (state, position) in [
      (NowPlayingReport.State.buffering, 0), (.playing, 0), (.paused, 2000), (.playing, 2000), (.stopped, end),
    ] {
      try await fixture.server.report(
        NowPlayingReport(
          native: key, state: state, position: Milliseconds(position), duration: Milliseconds(6000), room: room,
          listen: ListenID(rawValue: "l1"), isContinuing: state == .stopped && isContinuing))
    }
  }

  @Test func aStopIsReportedWhereItHappenedAndSaysWhetherAnotherTrackFollows() async throws {
    let fixture = try await FakePlexServer()
    let key = try await fixture.key("River 4")
    try await play(fixture, key, until: 4321)
    try await play(fixture, key, until: 6000, isContinuing: true)
    let stops = try await received(fixture).filter { $0["state"]?.string == "stopped" }
    // A stop at the end is reported just before the point from which servers count.
    #expect(stops.map { $0["time"]?.integer } == [4321, 5399])
    #expect(stops.map { $0["continuing"]?.isTrue } == [false, true])
    #expect(
      try await received(fixture).filter { $0["state"]?.string == "playing" }.map { $0["continuing"]?.isTrue }
        == [false, false, false, false])
  }

  @Test func reportsCountNothingWherePlaysAreCountedByRequest() async throws {
    let fixture = try await FakePlexServer()
    let key = try await fixture.key("River 4")
    // Some servers count a play when it is reported to have stopped near its end.
    try await fixture.order("policy", #"{"stoppedCounts":true}"#)
    try await play(fixture, key)
    #expect(
      try await received(fixture).compactMap { $0["state"]?.string } == [
        "buffering", "playing", "paused", "playing", "stopped",
      ])
    #expect(try await fixture.server.playCount(of: key) == 0)
    try await fixture.server.countPlay(of: key, at: .now())
    #expect(try await fixture.server.playCount(of: key) == 1)
  }
}

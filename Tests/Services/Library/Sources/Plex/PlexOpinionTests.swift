import Messages
import Model
import Testing

@testable import lunara_library

@Suite struct PlexRatingTests {
  private func received(_ house: FakePlexServer) async throws -> [JSONView] { try await house.order("received").elements }

  @Test func ratingsAreGivenInHalfStarsAndTakenAway() async throws {
    let house = try await FakePlexServer()
    let key = try await house.key("River 3")
    func rating() async throws -> Rating? {
      guard case .track(let track) = try await house.server.item(key) else { return nil }
      return track.rating
    }
    try await house.server.rate(.track(key), Rating(stars: 3.5))
    #expect(try await rating()?.stars == 3.5)
    try await house.server.rate(.track(key), nil)
    #expect(try await rating() == nil)
    #expect(try await received(house).compactMap { $0["rating"]?.number } == [7, -1])
    #expect(await refusal { try await house.server.rate(.album("99999"), Rating(rawValue: 1)) } == "library.gone")
  }

  @Test func aPlayIsCountedOnce() async throws {
    let house = try await FakePlexServer()
    let key = try await house.key("River 3")
    #expect(try await house.server.playCount(of: key) == 0)
    try await house.server.countPlay(of: key, at: .now())
    #expect(try await house.server.playCount(of: key) == 1)
    #expect(await refusal { _ = try await house.server.playCount(of: "99999") } == "library.gone")
  }

  private func play(_ house: FakePlexServer, _ key: String) async throws {
    let room = RoomName(from: "kitchen")
    for (state, position) in [
      (NowPlayingReport.State.buffering, 0), (.playing, 0), (.paused, 2000), (.playing, 2000), (.stopped, 5900),
    ] {
      try await house.server.report(
        NowPlayingReport(
          native: key, state: state, position: Milliseconds(Int64(position)), duration: Milliseconds(6000), room: room,
          listen: ListenID(rawValue: "l1")))
    }
  }

  @Test func reportsCountNothingWherePlaysAreCountedByRequest() async throws {
    let house = try await FakePlexServer()
    let key = try await house.key("River 4")
    // A server of the kind that counts what is reported to have stopped near its end.
    try await house.order("policy", #"{"stoppedCounts":true}"#)
    try await play(house, key)
    #expect(
      try await received(house).compactMap { $0["state"]?.string } == [
        "buffering", "playing", "paused", "playing", "stopped",
      ])
    #expect(try await house.server.playCount(of: key) == 0)
    try await house.server.countPlay(of: key, at: .now())
    #expect(try await house.server.playCount(of: key) == 1)
  }

  @Test func theServerMayBeLeftToCountFromReports() async throws {
    let house = try await FakePlexServer(counting: .byReports)
    let key = try await house.key("River 4")
    try await house.order("policy", #"{"stoppedCounts":true}"#)
    try await play(house, key)
    try await house.server.countPlay(of: key, at: .now())
    #expect(try await house.server.playCount(of: key) == 1)
  }
}

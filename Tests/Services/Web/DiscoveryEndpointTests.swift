import Bus
import FoundationEssentials
import HTTP
import Messages
import Model
import Synchronization
import TestSupport
import Testing

@testable import lunara_web

/// Walls and feeds over HTTP, with a service that gives prepared answers.
@Suite(.timeLimit(.minutes(2))) struct DiscoveryEndpointTests {
  @Test func withoutTheServiceAWallIsRefused() async throws {
    let home = TemporaryDirectory()
    let household = try await ServedHousehold(home: home)
    let refused = try await household.get("/api/v1/wall")
    #expect(refused.status == 409 && refused.errorCode == "discovery.notRunning")
    // This test's web service knows no home folder, so it cannot begin with walls.
    #expect(try await household.send("PUT", "/api/v1/discovery", "{}").errorCode == "discovery.notRunning")
    await household.stop()
  }

  @Test func aPageOfAWallOrFeedIsAskedForAsTheQuerySays() async throws {
    let household = try await ServedHousehold()
    let node = try await household.bus.node("discovery@main")
    let asked = Mutex("")
    await node.serve(Discovery.ReadWall.self) { request, _ in
      let text = String(decoding: try MessageCoding.encode(request), as: UTF8.self)
      asked.withLock { $0 = text }
      let tile = Discovery.Tile(
        id: AlbumID(source: "files", native: "a1"), title: "<script>", artist: "Ada", year: 1971, signal: .charts,
        reason: "The most played of your Jazz, with 40 plays.", evidence: .init(genre: "Jazz", plays: 40, place: 1))
      return Discovery.Wall(name: .init(seed: 7, dial: 3, first: 100), tiles: [tile], next: "7.3.100.1")
    }
    #expect(await eventually(contains: .discovery) { household.library.nodes() })
    let wall = try await eventuallyOK(household, "/api/v1/wall?seed=7&dial=3&count=50")
    #expect(
      wall.text
        == #"{"seed":7,"dial":3,"genre":null,"items":[{"id":"files:a1","title":"<script>","artist":"Ada","year":1971,"signal":"charts","reason":"The most played of your Jazz, with 40 plays.","onShelf":true,"evidence":{"genre":"Jazz","plays":40,"place":1}}],"next":"7.3.100.1","round":1,"endsRound":false,"wall":{"seed":7,"dial":3,"first":100}}"#
    )
    #expect(asked.withLock { $0 } == #"{"count":50,"dial":3,"seed":7}"#)
    let feed = try await household.get("/api/v1/genres/jazz/feed?sub=bebop&sub=fusion&after=c")
    #expect(feed.status == 200)
    #expect(asked.withLock { $0 } == #"{"after":"c","genre":"jazz","subcategories":["bebop","fusion"]}"#)
    for bad in ["dial=6", "count=0", "seed=-1", "seed=9007199254740992"] {
      #expect(try await household.get("/api/v1/wall?\(bad)").errorCode == "web.badParameter", "\(bad)")
    }
    await node.close()
    await household.stop()
  }

  /// Asks until the page's service knows the node that has just started.
  private func eventuallyOK(_ household: ServedHousehold, _ path: String) async throws -> HTTPResponse {
    var response = try await household.get(path)
    _ = try await eventually {
      response = try await household.get(path)
      return response.status == 200
    }
    return response
  }
}

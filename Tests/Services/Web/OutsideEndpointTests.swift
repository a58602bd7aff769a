import Bus
import FoundationEssentials
import HTTP
import Messages
import Model
import Synchronization
import TestSupport
import Testing

@testable import lunara_web

/// Sources outside and wishes over HTTP, with a service that gives prepared answers.
@Suite(.timeLimit(.minutes(2))) struct OutsideEndpointTests {
  @Test func theWishListHasWhatSourcesKnowWhereWallsAreUsed() async throws {
    let household = try await ServedHousehold()
    let wish = Library.Wish(
      id: 3, artist: "Ada", album: "<script>", addedAt: Timestamp(seconds: 1_800_000_000), releaseGroup: "g1")
    let other = Library.Wish(id: 2, artist: "Moondog", album: nil, addedAt: Timestamp(seconds: 1_800_000_000))
    await household.library.serve(Library.ListWishes.self) { _, _ in Library.Page(items: [wish, other], next: nil) }
    let rest = #"{"id":2,"artist":"Moondog","providers":[],"addedAt":"2027-01-15T08:00:00.000000Z"}],"next":null}"#
    let own =
      #"{"items":[{"id":3,"artist":"Ada","album":"<script>","providers":[],"addedAt":"2027-01-15T08:00:00.000000Z","releaseGroup":"g1""#
    #expect(try await household.get("/api/v1/wishes").text == own + "}," + rest)
    let node = try await household.bus.node("discovery@main")
    await node.serve(Discovery.ListWishes.self) { _, _ in
      Discovery.WishList(
        wishes: [
          .init(
            album: .init(
              releaseGroup: "g1", title: "<script>", artist: "Ada", date: "2026", source: "MusicBrainz",
              links: [.init(name: "MusicBrainz", url: "https://musicbrainz.org/release-group/g1")], isWished: true),
            at: Timestamp(seconds: 1_800_000_000))
        ])
    }
    let missing =
      #","missing":{"releaseGroup":"g1","title":"<script>","artist":"Ada","date":"2026","source":"MusicBrainz","links":[{"name":"MusicBrainz","url":"https://musicbrainz.org/release-group/g1"}],"isWished":true}},"#
    #expect(try await eventually(equals: own + missing + rest) { try await household.get("/api/v1/wishes").text })
    await node.close()
    await household.stop()
  }

  @Test func sourcesAndWishesAreListedAndChanged() async throws {
    let household = try await ServedHousehold()
    let node = try await household.bus.node("discovery@main")
    let asked = Mutex<[String]>([])
    await node.serve(Discovery.ListSources.self) { _, _ in
      Discovery.SourceList(
        sources: [
          .init(
            name: "coverart", readAt: nil, items: 0,
            outside: .init(title: "Cover Art Archive", adds: "Covers.", sends: "Ids.", isOn: false))
        ], showsMissing: true)
    }
    await node.serve(Discovery.SetSource.self) { request, _ in
      asked.withLock { $0.append("\(request.name) \(request.isOn)") }
      return Done()
    }
    await node.serve(Discovery.RefreshSource.self) { request, _ in
      asked.withLock { $0.append("refresh \(request.name ?? "all")") }
      return Done()
    }
    await node.serve(Discovery.SetMissingAlbums.self) { request, _ in
      asked.withLock { $0.append("missing \(request.isOn)") }
      return Done()
    }
    await node.serve(Discovery.SetWish.self) { request, _ in
      asked.withLock { $0.append("wish \(request.releaseGroup) \(request.isWished)") }
      return Done()
    }
    await node.serve(Discovery.ListSimilarAlbums.self) { request, _ in
      asked.withLock { $0.append("similar \(request.album) \(request.limit)") }
      return Discovery.SimilarAlbums(
        items: [
          .init(
            id: AlbumID(source: "files", native: "a4"), title: "Red", artist: "Ada", signal: .recommended,
            reason: "Jazz as well.", evidence: .init())
        ])
    }
    #expect(await eventually(contains: .discovery) { household.library.nodes() })
    var sources = try await household.get("/api/v1/discovery/sources")
    _ = try await eventually {
      sources = try await household.get("/api/v1/discovery/sources")
      return sources.status == 200
    }
    #expect(
      sources.text
        == #"{"sources":[{"name":"coverart","items":0,"outside":{"title":"Cover Art Archive","adds":"Covers.","sends":"Ids.","isOn":false}}],"showsMissing":true}"#
    )
    for (method, path, body) in [
      ("PUT", "/api/v1/discovery/sources/coverart", #"{"isOn":true}"#),
      ("POST", "/api/v1/discovery/sources/refresh", #"{"name":null}"#),
      ("POST", "/api/v1/discovery/sources/refresh", #"{"name":"coverart"}"#),
      ("PUT", "/api/v1/discovery/missing", #"{"isOn":false}"#),
      ("PUT", "/api/v1/discovery/wishes/g1", #"{"isWished":true}"#),
      ("GET", "/api/v1/albums/files:a3/similar", ""), ("GET", "/api/v1/albums/files:a3/similar?limit=50", ""),
    ] { #expect(try await household.send(method, path, body).status == 200, "\(path)") }
    #expect(
      asked.withLock { $0 } == [
        "coverart true", "refresh all", "refresh coverart", "missing false", "wish g1 true", "similar files:a3 12",
        "similar files:a3 50",
      ])
    let similar = try await household.get("/api/v1/albums/files:a3/similar").text
    #expect(similar.hasPrefix(#"{"items":[{"id":"files:a4","title":"Red","artist":"Ada""#), "\(similar)")
    for limit in ["0", "51", "x"] {
      #expect(try await household.get("/api/v1/albums/files:a3/similar?limit=\(limit)").status == 400)
    }
    #expect(try await household.send("PUT", "/api/v1/discovery/missing", "{}").status == 400)
    await node.close()
    await household.stop()
  }
}

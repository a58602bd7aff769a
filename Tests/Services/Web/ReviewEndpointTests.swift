import Bus
import HTTP
import Messages
import Model
import Synchronization
import TestSupport
import Testing

@testable import lunara_web

/// Reviews over HTTP, with a service that gives prepared answers.
@Suite(.timeLimit(.minutes(2))) struct ReviewEndpointTests {
  @Test func theReviewOfAnAlbumIsReadAndAskedForUnderTheAlbum() async throws {
    let household = try await ServedHousehold()
    let node = try await household.bus.node("discovery@main")
    let asked = Mutex<[Discovery.MakeReview]>([])
    let review = Discovery.Review(
      summary: "<script>", points: ["One."], tenths: 84, label: "Low Point", tier: 8, keyTracks: ["Blue"],
      model: "small", writtenAt: Timestamp(seconds: 0))
    await node.serve(Discovery.ReadReview.self) { request, _ in
      Discovery.ReviewStatus(album: request.album, review: review, isOn: true)
    }
    await node.serve(Discovery.MakeReview.self) { request, _ in
      asked.withLock { $0.append(request) }
      guard request.album.native == "a1" else { throw LunaraError("discovery.unknownAlbum", "No.") }
      return Discovery.ReviewStatus(album: request.album, isBeingMade: true, isOn: true)
    }
    #expect(await eventually(contains: .discovery) { household.library.nodes() })
    let path = "/api/v1/albums/files:a1/review"
    var read = try await household.get(path)
    _ = try await eventually {
      read = try await household.get(path)
      return read.status == 200
    }
    #expect(
      read.text
        == #"{"album":"files:a1","review":{"summary":"<script>","points":["One."],"tenths":84,"label":"Low Point","tier":8,"keyTracks":["Blue"],"model":"small","writtenAt":"1970-01-01T00:00:00.000000Z"},"isBeingMade":false,"isOn":true}"#
    )
    let made = try await household.send("POST", path, #"{"isAgain":true}"#)
    #expect(made.text == #"{"album":"files:a1","isBeingMade":true,"isOn":true}"#)
    #expect(try await household.send("POST", path, "{}").status == 200)
    #expect(asked.withLock { $0.map(\.isAgain) } == [true, nil])
    #expect(try await household.send("POST", "/api/v1/albums/files:a2/review", "{}").status == 404)
    #expect(try await household.send("POST", "/api/v1/albums/a2/review", "{}").errorCode == "web.badID")
    await node.close()
    await household.stop()
  }

  @Test func theSettingsAreStoredAndTheKeyNeverComesBack() async throws {
    let household = try await ServedHousehold()
    let node = try await household.bus.node("discovery@main")
    let asked = Mutex<[Discovery.SetReviews]>([])
    await node.serve(Discovery.ReadReviewSettings.self) { _, _ in Discovery.ReviewSettings(sends: "Little.") }
    await node.serve(Discovery.SetReviews.self) { request, _ in
      asked.withLock { $0.append(request) }
      return Discovery.ReviewSettings(
        endpoint: request.endpoint, model: request.model, hasKey: request.key != nil, dailyCap: request.dailyCap ?? 20,
        sends: "Little.")
    }
    #expect(await eventually(contains: .discovery) { household.library.nodes() })
    let path = "/api/v1/discovery/reviews"
    _ = try await eventually(equals: 200) { try await household.get(path).status }
    #expect(
      try await household.get(path).text == #"{"hasKey":false,"dailyCap":20,"today":0,"kept":0,"sends":"Little."}"#)
    let set = try await household.send(
      "PUT", path, #"{"endpoint":"http://127.0.0.1:1/v1","model":"m","key":"sk-1","dailyCap":5}"#)
    #expect(set.status == 200 && set.text.contains(#""hasKey":true,"dailyCap":5"#) && !set.text.contains("sk-1"))
    #expect(try await household.send("PUT", path, #"{"endpoint":null}"#).status == 200)
    #expect(asked.withLock { $0.map(\.endpoint) } == ["http://127.0.0.1:1/v1", nil])
    #expect(try await household.send("PUT", path, #"{"dailyCap":"many"}"#).errorCode == "web.badBody")
    await node.close()
    await household.stop()
  }
}

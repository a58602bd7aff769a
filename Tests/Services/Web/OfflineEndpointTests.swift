import Bus
import HTTP
import Messages
import Model
import Synchronization
import TestSupport
import Testing

@testable import lunara_web

/// The albums that a room keeps, over HTTP, with a room that gives prepared answers.
@Suite(.timeLimit(.minutes(2))) struct OfflineEndpointTests {
  @Test func keptAlbumsAreListedAddedAndRemoved() async throws {
    let household = try await ServedHousehold()
    let asked = Mutex<[String]>([])
    @Sendable func record(_ request: some Message) throws {
      let text = String(decoding: try MessageCoding.encode(request), as: UTF8.self)
      asked.withLock { $0.append(text) }
    }
    let state = Playback.OfflineState(
      albums: 1, whole: 0, bytes: 50, limit: 900, free: 1000, pause: "metered", connection: .wifi)
    await household.room.serve(Playback.ListOffline.self) { request, _ in
      try record(request)
      return Playback.OfflinePage(
        albums: [
          Playback.OfflineAlbum(
            id: AlbumID(source: "files", native: "a/1"), title: "<b>", artist: "Ada", state: .loading, tracks: 2,
            kept: 1, bytes: 50, size: 100, addedAt: Timestamp(seconds: 0))
        ], next: "7", state: state)
    }
    await household.room.serve(Playback.AddOffline.self) { request, _ in
      try record(request)
      return Playback.OfflineChange(changed: 1, unchanged: 0)
    }
    await household.room.serve(Playback.RemoveOffline.self) { request, _ in
      try record(request)
      return Playback.OfflineChange(changed: 0, unchanged: 1)
    }
    await household.room.serve(Playback.SetOffline.self) { request, _ in
      try record(request)
      return state
    }
    _ = try await household.ready()
    let list = try await household.get("/api/v1/rooms/kitchen/offline?after=3")
    #expect(
      list.text
        == #"{"room":"kitchen","state":{"albums":1,"whole":0,"bytes":50,"limit":900,"limitChosen":false,"free":1000,"pause":"metered","connection":"wifi"},"items":[{"id":"files:a/1","title":"<b>","artist":"Ada","room":"kitchen","state":"loading","bytes":50,"size":100,"progress":0.5,"tracks":2,"kept":1,"pinned":false,"addedAt":"1970-01-01T00:00:00.000000Z"}],"next":"7"}"#
    )
    let path = "/api/v1/rooms/kitchen/offline"
    #expect(try await household.send("PUT", path + "/files:a%2F1", "{}").text == #"{"changed":1,"unchanged":0}"#)
    #expect(try await household.send("PUT", path + "/files:a1", #"{"pinned":true}"#).status == 200)
    #expect(try await household.send("DELETE", path + "/files:a1").text == #"{"changed":0,"unchanged":1}"#)
    #expect(try await household.send("PUT", path, #"{"limit":64000000000}"#).status == 200)
    #expect(try await household.send("PUT", path, #"{"limit":null}"#).status == 200)
    #expect(
      asked.withLock { $0 } == [
        #"{"after":"3"}"#, #"{"ids":["files:a/1"]}"#, #"{"ids":["files:a1"],"isPinned":true}"#,
        #"{"ids":["files:a1"]}"#, #"{"limit":64000000000}"#, "{}",
      ])
    #expect(try await household.send("PUT", path, "{}").errorCode == "web.badBody")
    #expect(try await household.send("PUT", path + "/nothing", "{}").errorCode == "web.badID")
    await household.stop()
  }
}

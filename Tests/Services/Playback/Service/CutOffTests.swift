import Bus
import HTTP
import Messages
import Model
import Synchronization
import TestSupport
import Testing

@testable import lunara_playback

extension RealSound {
  /// A room whose network goes while it plays from a server.
  @Suite struct CutOffTests {
    @Test func whatWasFetchedPlaysOnWithoutRouterAndServerAndTheRestWhenTheyAreBack() async throws {
      try await TestHousehold.with(router: false) { household in
        let audio = household.audio
        let file = try await audio.sine("track.flac", seconds: 20)
        let server = try HTTPServer(address: "127.0.0.1", port: 0) { _ in
          HTTPServerResponse(headers: [("Content-Type", "audio/flac")], body: .file(file))
        }
        let router = try await household.bus.node("router@main")
        await router.serve(Router.Resolve.self) { request, _ in
          .url("http://127.0.0.1:\(server.port)/\(request.track)?sign=secret", headers: [:])
        }
        let items = (1...4).map { QueueItem.numbered($0, seconds: 20) }
        let limits = Prefetcher.Limits(items: 2, space: 10)
        let room = try await household.room(speed: "5", cache: (audio.folder.path + "/ahead", limits))
        try await room.load(items)
        #expect(await room.becomes("playing"))
        let ahead = try #require(room.service.prefetcher)
        #expect(await eventually(within: .seconds(40)) { ahead.has(items[2]) })
        await router.close()
        await server.stop()
        #expect(
          try await eventually(within: .seconds(30)) {
            try await room.facts().contains { $0.word == "ended 3 finished" }
          })
        let facts = try await room.facts().map(\.word).filter { !$0.hasPrefix("heard") }
        #expect(
          facts == ["started 1", "ended 1 finished", "started 2", "ended 2 finished", "started 3", "ended 3 finished"])
        // The fourth was not fetched: the room says so, and goes on by itself when the network is back.
        #expect(await eventually(within: .seconds(40)) { await room.watcher.last?.state.name == "error" })
        #expect(await room.watcher.last?.retriesAt != nil)
        household.replace(items[3].track.id, with: file)
        try await household.startRouter()
        #expect(
          try await eventually(within: .seconds(60)) {
            try await room.facts().contains { $0.word == "ended 4 finished" }
          })
        await room.stop()
      }
    }
  }
}

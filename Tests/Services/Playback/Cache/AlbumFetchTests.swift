import Bus
import HTTP
import Messages
import Model
import TestSupport
import Testing

@testable import lunara_playback

extension RealSound {
  /// A room asks a music server once for the audio of each track.
  @Suite struct AlbumFetchTests {
    private let audio = Audio()
    private let http = HTTPClient(userAgent: "tests")

    private func order(_ verb: String, _ json: String = "{}", of server: StandIn) async throws -> JSONView {
      let response = try await http.send(
        HTTPRequest(
          .changes, method: "POST", url: "http://127.0.0.1:\(server.port)/__control__/\(verb)", body: Array(json.utf8)))
      return try #require(JSONView(response.body))
    }

    /// The ids of the songs whose audio was asked for from its start, once for each request.
    private func fetched(from server: StandIn) async throws -> [String] {
      let requests = try await order("log", of: server)["requests"]?.elements ?? []
      return requests.compactMap { request in
        guard request["path"]?.string == "/rest/stream", ["", "bytes=0-"].contains(request["range"]?.string) else {
          return nil
        }
        let words = request["query"]?.string?.split(separator: "&") ?? []
        return words.first { $0.hasPrefix("id=") }.map { String($0.dropFirst(3)) }
      }
    }

    @Test func eachTrackOfAnAlbumIsFetchedOnce() async throws {
      let server = try await StandIn("subsonic", ["--synthetic", "4", "--seconds", "40"])
      let (user, password) = (server.announced["user"]?.string ?? "", server.announced["password"]?.string ?? "")
      let songs = try await order("find", #"{"kind": "track"}"#, of: server).elements.compactMap { track in
        track["key"]?.string.flatMap { Int($0) }.map { "tr-" + String($0, radix: 16) }
      }
      try #require(songs.count == 4)
      // The player has read the first track, and could open the second, before the second is fetched.
      _ = try await order(
        "fault", #"{"path": "stream", "query": "id=\#(songs[1])&", "times": 9, "fault": "slow", "seconds": 2}"#,
        of: server)
      try await RoomFixture.with { household in
        let items = songs.indices.map { QueueItem.numbered($0 + 1, seconds: 40) }
        for (item, song) in zip(items, songs) {
          let words = "id=\(song)&format=raw&u=\(user)&p=\(password)&v=1.16.1&c=tests"
          household.replace(
            item.track.id, with: .url("http://127.0.0.1:\(server.port)/rest/stream?\(words)", headers: [:]))
        }
        let room = try await household.room(
          speed: "1", cache: (audio.folder.path + "/ahead", Prefetcher.Limits(items: 5, space: 100)))
        let prefetcher = try #require(room.service.prefetcher)
        try await room.load(items)
        #expect(await eventually { items.dropFirst().allSatisfy { prefetcher.has($0) } })
        let audio = try await household.client.request(
          Playback.ReadQueue(first: 0, limit: 3, wantsAudio: true), to: room.node.id
        ).audio
        #expect(audio == [.away, .fetched, .fetched])
        #expect(try await room.queue().audio == nil)
        for item in items.dropFirst() {
          try await room.command(.seek(to: Milliseconds(39_000)))
          #expect(await eventually(equals: item.entry) { await household.watcher.last?.item?.entry })
          #expect(await room.becomes("playing"))
        }
        try await room.command(.seek(to: Milliseconds(39_500)))
        #expect(await room.becomes("idle"))
        #expect(try await fetched(from: server).sorted() == songs.sorted())
        await room.stop()
      }
    }
  }
}

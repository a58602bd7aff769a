import Bus
import HTTP
import Messages
import Model
import Synchronization
import TestSupport
import Testing

@testable import lunara_playback

extension RealSound {
  /// Missing services, files and outputs.
  @Suite struct PlaybackFailureTests {
    @Test func aTrackThatFailsIsReportedAndSkipped() async throws {
      try await RoomFixture.with { household in
        var items = try await household.album(4, seconds: 2)
        household.forget(items[1].track.id)
        household.replace(items[2].track.id, with: try household.audio.file("noise.flac", household.audio.noise(9000)))
        items[2].entry = EntryID(rawValue: "noise")
        let room = try await household.room()
        try await room.load(items)
        #expect(await room.becomes("idle"))
        #expect(
          try await room.facts().map(\.word) == [
            "started 1", "ended 1 finished", "failed 2 library.fileMissing", "failed 3 playback.notAudio", "started 4",
            "ended 4 finished",
          ])
        await room.stop()
      }
    }

    @Test func threeTracksThatFailInARowStopTheRoomUntilAPersonResumes() async throws {
      try await RoomFixture.with { household in
        let items = try await household.album(5, seconds: 2)
        for item in items[0..<3] { household.replace(item.track.id, with: LocalPath("/nowhere/\(item.entry).flac")) }
        let room = try await household.room()
        try await room.load(items)
        #expect(await room.becomes("error"))
        guard case .error(let error)? = await room.watcher.last?.state else {
          return #expect(Bool(false), "The room shows no error.")
        }
        #expect(error.code == "playback.tooManyFailures")
        #expect(error.cause?.contains("/nowhere/entry-3.flac") == true)
        #expect(try await room.facts().map(\.word) == (1...3).map { "failed \($0) playback.fileMissing" })
        #expect(try await room.queue().current == 2)
        household.replace(items[2].track.id, with: try await household.audio.sine("found.flac", seconds: 2))
        try await room.command(.resume)
        #expect(await room.becomes("idle"))
        #expect(try await room.facts().compactMap(\.ended).map(\.subject.item) == Array(items[2...]))
        await room.stop()
      }
    }

    @Test func aCutFileIsNotHeardToItsEnd() async throws {
      try await RoomFixture.with { household in
        let items = try await household.album(2, seconds: 60)
        let whole = try await household.audio.sine("whole.flac", seconds: 60)
        household.replace(items[0].track.id, with: try household.audio.head(of: whole, part: 0.4, as: "cut.flac"))
        let room = try await household.room()
        try await room.load(items)
        #expect(await room.becomes("idle"))
        let words = try await room.facts().map(\.word)
        #expect(words.contains("failed 1 playback.cutShort"))
        #expect(words.contains("ended 1 failed") && words.contains("ended 2 finished"))
        let heard = try #require(try await room.facts().compactMap(\.ended).first?.heard)
        #expect(heard > Milliseconds(15_000) && heard < Milliseconds(30_000))
        await room.stop()
      }
    }

    @Test func aRoomWithoutAnOutputSaysSoAndKeepsItsPlace() async throws {
      try await RoomFixture.with { household in
        let items = try await household.album(2, seconds: 5)
        let room = try await household.room(audio: "alsa/no-such-card", speed: nil)
        try await room.load(items)
        #expect(await room.becomes("error"))
        guard case .error(let error)? = await room.watcher.last?.state else {
          return #expect(Bool(false), "The room shows no error.")
        }
        #expect(error.code == "playback.noOutput")
        #expect(await room.watcher.last?.item == items[0])
        #expect(try await room.facts().isEmpty)
        await room.stop()
      }
    }

    @Test func withoutARouterARoomPlaysWhatIsOnItsOwnHost() async throws {
      try await RoomFixture.with(router: false) { household in
        let here = try await household.audio.sine("here.flac", seconds: 2)
        let room = try await household.room(host: "here")
        try await room.load([.numbered(1, path: here, seconds: 2, host: "here")])
        #expect(try await eventually(equals: "ended 1 finished") { try await room.facts().last?.word })
        await room.stop()
      }
    }

    @Test func whatIsOnAnotherHostWaitsForTheRouter() async throws {
      try await RoomFixture.with(router: false) { household in
        let there = try await household.audio.sine("there.flac", seconds: 2)
        let item = QueueItem.numbered(1, path: there, seconds: 2, host: "there")
        let room = try await household.room(host: "here")
        try await room.load([item])
        #expect(await room.becomes("buffering"))
        household.replace(item.track.id, with: there)
        try await household.startRouter()
        #expect(try await eventually(equals: "ended 1 finished") { try await room.facts().last?.word })
        await room.stop()
      }
    }
  }
}

extension RealSound {
  /// A room that loses its network while it plays from a server.
  @Suite struct CutOffTests {
    @Test func whatWasFetchedPlaysOnWithoutRouterAndServerAndTheRestWhenTheyAreBack() async throws {
      try await RoomFixture.with(router: false) { household in
        let audio = household.audio
        let file = try await audio.sine("track.flac", seconds: 20)
        let opened = try #require(OpenFile(file))
        let server = try HTTPServer(address: "127.0.0.1", port: 0) { _ in
          HTTPServerResponse(headers: [("Content-Type", "audio/flac")], body: .opened(opened))
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
        #expect(await eventually { ahead.has(items[2]) })
        await router.close()
        await server.stop()
        #expect(
          try await eventually {
            try await room.facts()
          } satisfies: {
            $0.contains { $0.word == "ended 3 finished" }
          })
        let facts = try await room.facts().map(\.word).filter { !$0.hasPrefix("heard") }
        #expect(
          facts == ["started 1", "ended 1 finished", "started 2", "ended 2 finished", "started 3", "ended 3 finished"])
        // The fourth track was not fetched: the room shows an error, and continues by itself when the network is back.
        #expect(await eventually(equals: "error") { await room.watcher.last?.state.name })
        #expect(await room.watcher.last?.retriesAt != nil)
        household.replace(items[3].track.id, with: file)
        try await household.startRouter()
        #expect(
          try await eventually {
            try await room.facts()
          } satisfies: {
            $0.contains { $0.word == "ended 4 finished" }
          })
        await room.stop()
      }
    }
  }
}

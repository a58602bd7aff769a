import Bus
import Messages
import Model
import TestSupport
import Testing

@testable import lunara_playback

extension RealSound {
  /// What a room does when things are not as they should be.
  @Suite struct TroubleTests {
    @Test func aTrackThatFailsIsReportedAndSkipped() async throws {
      try await TestHousehold.with { household in
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
      try await TestHousehold.with { household in
        let items = try await household.album(5, seconds: 2)
        for item in items[0..<3] { household.replace(item.track.id, with: LocalPath("/nowhere/\(item.entry).flac")) }
        let room = try await household.room()
        try await room.load(items)
        #expect(await room.becomes("error"))
        guard case .error(let error)? = await room.watcher.last?.state else { return }
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
      try await TestHousehold.with { household in
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
      try await TestHousehold.with { household in
        let items = try await household.album(2, seconds: 5)
        let room = try await household.room(audio: "alsa/no-such-card", speed: nil)
        try await room.load(items)
        #expect(await room.becomes("error"))
        guard case .error(let error)? = await room.watcher.last?.state else { return }
        #expect(error.code == "playback.noOutput")
        #expect(await room.watcher.last?.item == items[0])
        #expect(try await room.facts().isEmpty)
        await room.stop()
      }
    }

    @Test func withoutARouterARoomPlaysWhatIsOnItsOwnHost() async throws {
      try await TestHousehold.with(router: false) { household in
        let here = try await household.audio.sine("here.flac", seconds: 2)
        let room = try await household.room(host: "here")
        try await room.load([.numbered(1, path: here, seconds: 2, host: "here")])
        #expect(try await eventually { try await room.facts().last?.word == "ended 1 finished" })
        await room.stop()
      }
    }

    @Test func whatIsOnAnotherHostWaitsForTheRouter() async throws {
      try await TestHousehold.with(router: false) { household in
        let there = try await household.audio.sine("there.flac", seconds: 2)
        let item = QueueItem.numbered(1, path: there, seconds: 2, host: "there")
        let room = try await household.room(host: "here")
        try await room.load([item])
        #expect(await room.becomes("buffering"))
        household.replace(item.track.id, with: there)
        try await household.startRouter()
        #expect(try await eventually { try await room.facts().last?.word == "ended 1 finished" })
        await room.stop()
      }
    }
  }
}

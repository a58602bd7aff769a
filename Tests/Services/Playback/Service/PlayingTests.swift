import Bus
import Messages
import Model
import Synchronization
import TestSupport
import Testing

@testable import lunara_playback

extension RealSound {
  /// A room on the bus that plays real files.
  @Suite struct PlayingTests {
    @Test func anAlbumPlaysToItsEndAndItsListensAreJournaledInOrder() async throws {
      try await RoomFixture.with { household in
        let items = try await household.album(3, seconds: 40)
        let room = try await household.room()
        let answer = try await room.load(items)
        #expect(answer.count == 3 && answer.current == 0)
        #expect(try await eventually(equals: "ended 3 finished") { try await room.facts().last?.word })
        #expect(
          try await room.facts().map(\.word)
            == (1...3).flatMap { ["started \($0)", "heard \($0)", "ended \($0) finished"] })
        for ended in try await room.facts().compactMap(\.ended) { #expect(ended.heard == Milliseconds(40_000)) }
        #expect(await room.becomes("idle"))
        let queue = try await room.queue()
        #expect(queue.current == nil)
        #expect(queue.items == items)
        await room.stop()
      }
    }

    @Test func othersHearTheFactsInOrder() async throws {
      try await RoomFixture.with { household in
        let items = try await household.album(2, seconds: 5)
        let room = try await household.room()
        let heard = Mutex<[String]>([])
        await household.client.follow("playback", from: .oldest) { fact in
          heard.withLock { $0.append(fact.kind) }
        }
        try await room.load(items)
        let kinds = [
          Playback.ListenStarted.kind, Playback.ListenEnded.kind, Playback.ListenStarted.kind,
          Playback.ListenEnded.kind,
        ]
        #expect(await eventually(equals: kinds) { heard.withLock { $0 } })
        await room.stop()
      }
    }

    @Test func aPersonSeesBufferingPlayingPausedAndIdle() async throws {
      try await RoomFixture.with { household in
        let items = try await household.album(1, seconds: 60)
        let room = try await household.room(speed: "10")
        try await room.load(items)
        #expect(await room.becomes("playing"))
        let playing = try #require(await room.watcher.last)
        #expect(playing.item == items[0])
        #expect(playing.position.rate == 10)
        #expect(playing.duration == Milliseconds(60_000))
        try await room.command(.pause)
        #expect(await room.becomes("paused"))
        #expect(try await eventually(equals: "heard 1") { try await room.facts().last?.word })
        #expect(await room.watcher.last?.position.rate == 0)
        try await room.command(.resume)
        #expect(await room.becomes("playing"))
        try await room.command(.stop)
        #expect(await room.becomes("idle"))
        #expect(await room.watcher.last?.item == nil)
        let names = await room.watcher.states.map(\.state.name)
        // A fast change may hide a state from a reader, but the order never changes.
        #expect(names.contains("playing") && names.last == "idle")
        #expect(try await room.queue().count == 1)
        #expect(try await room.facts().last?.ended?.reason == .skipped)
        await room.stop()
      }
    }

    @Test func commandsGivenTwiceChangeNothingTwice() async throws {
      try await RoomFixture.with { household in
        let items = try await household.album(2, seconds: 60)
        let room = try await household.room(speed: "1")
        try await room.load(items)
        #expect(await room.becomes("playing"))
        for _ in 0..<2 {
          #expect(try await room.command(.pause).state == .paused)
          #expect(try await room.command(.volume(30)).volume == 30)
        }
        let revision = try await room.queue().revision
        for _ in 0..<2 { #expect(["buffering", "playing"].contains(try await room.command(.resume).state.name)) }
        #expect(await room.becomes("playing"))
        for _ in 0..<2 { #expect(try await room.command(.stop).state == .idle) }
        #expect(try await room.command(.pause).state == .idle)
        for _ in 0..<2 { #expect(["buffering", "playing"].contains(try await room.command(.resume).state.name)) }
        #expect(try await room.queue().current == 0)
        #expect(try await room.queue().revision == revision)
        #expect(try await room.facts().compactMap(\.ended).count == 1)
        await room.stop()
      }
    }

    @Test func skippingMovesThroughTheQueue() async throws {
      try await RoomFixture.with { household in
        let items = try await household.album(3, seconds: 60)
        let room = try await household.room(speed: "1")
        try await room.load(items, startAt: 1)
        #expect(await room.becomes("playing"))
        #expect(await room.watcher.last?.item == items[1])
        try await room.command(.next)
        #expect(await eventually(equals: items[2]) { await room.watcher.last?.item })
        try await room.command(.previous)
        #expect(await eventually(equals: items[1]) { await room.watcher.last?.item })
        #expect(await room.becomes("playing"))
        // After 3 s, `previous` restarts the track.
        try await room.command(.seek(to: Milliseconds(20_000)))
        #expect(await room.becomes("playing"))
        let again = try await room.command(.previous)
        #expect(again.item == items[1] && again.position.offset == .zero)
        // A skip past the end of a track plays the next; past the last track the queue ends.
        try await room.command(.seek(to: Milliseconds(59_000)))
        try await room.command(.skip(by: Milliseconds(15_000)))
        #expect(await eventually(equals: items[2]) { await room.watcher.last?.item })
        try await room.command(.jump(to: 0))
        #expect(await eventually(equals: items[0]) { await room.watcher.last?.item })
        #expect(await room.becomes("playing"))
        for _ in 0..<3 { try await room.command(.next) }
        #expect(await room.becomes("idle"))
        await #expect(throws: LunaraError.self) { try await room.command(.jump(to: 3)) }
        await #expect(throws: LunaraError.self) { try await room.command(.skip(by: Milliseconds(1))) }
        await room.stop()
      }
    }

    @Test func skippedPartsAreNotInTheListen() async throws {
      try await RoomFixture.with { household in
        let items = try await household.album(1, seconds: 60)
        let room = try await household.room(speed: "20")
        try await room.load(items)
        #expect(await room.becomes("playing"))
        try await room.command(.seek(to: Milliseconds(50_000)))
        #expect(await room.becomes("idle"))
        #expect(try await eventually { try await room.facts().last?.ended != nil })
        let ended = try #require(try await room.facts().last?.ended)
        let sought = try await room.facts().compactMap(\.heard).first?.heard ?? .zero
        #expect(ended.reason == .finished)
        #expect(abs((ended.heard - sought).rawValue - 10_000) < 300)
        await room.stop()
      }
    }

    @Test func aQueueThatChangesPlaysWhatItHasNow() async throws {
      try await RoomFixture.with { household in
        let items = try await household.album(4, seconds: 4)
        let room = try await household.room(speed: "4")
        try await room.load(Array(items[0..<2]))
        #expect(await room.becomes("playing"))
        try await room.edit(.remove(at: 1))
        try await room.load([items[2]], .next)
        try await room.load([items[3]], .later)
        #expect(await room.becomes("idle"))
        let ended = try await room.facts().compactMap(\.ended)
        #expect(ended.map(\.subject.item) == [items[0], items[2], items[3]])
        #expect(ended.allSatisfy { $0.reason == .finished && abs($0.heard.rawValue - 4000) < 100 })
        await room.stop()
      }
    }

    @Test func removingTheCurrentTrackPlaysTheNext() async throws {
      try await RoomFixture.with { household in
        let items = try await household.album(2, seconds: 60)
        let room = try await household.room(speed: "1")
        try await room.load(items)
        #expect(await room.becomes("playing"))
        try await room.edit(.remove(at: 0))
        #expect(await eventually(equals: items[1]) { await room.watcher.last?.item })
        #expect(await room.becomes("playing"))
        try await room.edit(.clear)
        #expect(await room.becomes("idle"))
        #expect(try await room.queue().count == 0)
        await room.stop()
      }
    }
  }
}

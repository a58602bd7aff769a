import Bus
import Messages
import Model
import TestSupport
import Testing

@testable import lunara_playback

extension RealSound {
  /// Queues that were cleared or replaced, and are brought back.
  @Suite struct FormerQueueTests {
    @Test func aClearedQueueIsBroughtBackWhole() async throws {
      try await RoomFixture.with { household in
        let items = try await household.album(6, seconds: 60)
        let room = try await household.room(speed: "1")
        let continuation = Playback.Continuation(list: Library.AlbumList(sort: .name), after: items[0].track.albumID)
        _ = try await household.client.request(
          Playback.Load(load: "first", mode: .now, items: items, continuation: continuation), to: room.node.id)
        #expect(await room.becomes("playing"))
        try await room.edit(.order(.tracks, seed: 7))
        try await room.command(.repeats(.all))
        try await room.command(.pause)
        try await room.command(.seek(to: Milliseconds(21_000)))
        let before = try await room.queue()
        #expect(before.items != items)
        try await room.edit(.clear)
        try await room.command(.repeats(.off))
        #expect(try await room.queue().count == 0)
        try await room.edit(.restore)
        let after = try await room.queue()
        #expect(after.items == before.items && after.current == before.current)
        #expect(after.continuation == continuation)
        #expect(await eventually(equals: .all) { await room.watcher.last?.modes?.repeats })
        #expect(await room.watcher.last?.modes?.order == .tracks)
        let position = try await room.position()
        #expect((Milliseconds(20_000)...Milliseconds(22_000)).contains(position), "\(position)")
        // It can still be unshuffled.
        try await room.edit(.order(.queued, seed: 0))
        #expect(try await room.queue().items == items)
        await room.stop()
      }
    }

    @Test func severalItemsAreRemovedAtOnceAndBroughtBackAtOnce() async throws {
      try await RoomFixture.with { household in
        let items = try await household.album(6, seconds: 60)
        let room = try await household.room(speed: "1")
        try await room.load(items, startAt: 2)
        #expect(await room.becomes("playing"))
        let revision = try await room.queue().revision
        let others = [(0, 1), (3, 5)].map { Playback.EditQueue.IndexRange(from: $0.0, to: $0.1) }
        #expect(try await room.edit(.removeAll(at: others, revision: revision)).count == 1)
        #expect(try await room.queue().items == [items[2]])
        #expect(await room.watcher.last?.item == items[2])
        // The places were those of an earlier queue, or are not there.
        let moved = await #expect(throws: LunaraError.self) {
          try await room.edit(.removeAll(at: [.init(from: 0, to: 0)], revision: revision))
        }
        #expect(moved?.code == "playback.queueMoved")
        let absent = await #expect(throws: LunaraError.self) {
          try await room.edit(.removeAll(at: [.init(from: 0, to: 1)], revision: try await room.queue().revision))
        }
        #expect(absent?.code == "playback.noSuchItem")
        try await room.edit(.restore)
        #expect(try await room.queue().items == items)
        #expect(try await room.queue().current == 2)
        await room.stop()
      }
    }

    @Test func aReplacedQueueIsBroughtBackAndThenTheOtherOne() async throws {
      try await RoomFixture.with { household in
        let items = try await household.album(6, seconds: 60)
        let room = try await household.room(speed: "1")
        let none = await #expect(throws: LunaraError.self) { try await room.edit(.restore) }
        #expect(none?.code == "playback.noFormerQueue")
        try await room.load(Array(items[..<3]), startAt: 1)
        #expect(await room.becomes("playing"))
        try await room.load(Array(items[3...]))
        #expect(await eventually(equals: items[3]) { await room.watcher.last?.item })
        // Tracks that are only added replace nothing.
        try await room.load([items[0]], .later)
        try await room.edit(.restore)
        #expect(try await room.queue().items == Array(items[..<3]))
        #expect(await eventually(equals: items[1]) { await room.watcher.last?.item })
        #expect(await room.becomes("playing"))
        try await room.edit(.restore)
        #expect(try await room.queue().items == Array(items[3...]) + [items[0]])
        await room.stop()
      }
    }
  }
}

import Bus
import Messages
import Model
import TestSupport
import Testing

@testable import lunara_playback

extension RealSound {
  /// Loads in several parts, and pages of the loaded queue.
  @Suite struct LoadingTests {
    private func part(
      _ load: String, _ number: Int, of items: [QueueItem], isLast: Bool, mode: Playback.LoadMode = .later
    )
      -> Playback.Load
    {
      Playback.Load(load: load, part: number, isLast: isLast, mode: mode, items: items)
    }

    private func send(_ part: Playback.Load, to room: OpenRoom) async throws -> Playback.QueueSummary {
      try await room.client.request(part, to: room.node.id)
    }

    @Test func nothingHappensBeforeTheLastPart() async throws {
      try await RoomFixture.with { household in
        let room = try await household.room()
        let items = (0..<250).map { QueueItem.numbered($0) }
        let first = try await send(part("a", 0, of: Array(items[0..<100]), isLast: false), to: room)
        let second = try await send(part("a", 1, of: Array(items[100..<200]), isLast: false), to: room)
        #expect(first.count == 0 && second.count == 0 && second.revision == 0)
        let third = try await send(part("a", 2, of: Array(items[200...]), isLast: true), to: room)
        #expect(third.count == 250 && third.revision == 1 && third.current == nil)
        #expect(try await room.queue(first: 95, limit: 10).items == Array(items[95..<105]))
        #expect(try await room.queue(first: 240, limit: 100).items == Array(items[240...]))
        #expect(try await room.queue(first: 1000, limit: 100).items.isEmpty)
        #expect(try await room.queue(first: -5, limit: 1000).items.count == 100)
        await room.stop()
      }
    }

    @Test func whatIsReadWhileTheQueueIsEditedIsOneQueueOrTheOther() async throws {
      try await RoomFixture.with { household in
        let room = try await household.room()
        let lengths = [3, 7]
        let editing = Task {
          for turn in 0..<200 {
            try await room.load((0..<lengths[turn % 2]).map { .numbered(turn * 10 + $0) }, .now)
            try await room.edit(.clear)
          }
        }
        var reads = 0
        while reads < 200 {
          let read = try await room.queue()
          #expect(read.items.count == read.count && (lengths + [0]).contains(read.count))
          reads += 1
        }
        try await editing.value
        #expect(try await room.queue().items.isEmpty)
        await room.stop()
      }
    }

    @Test func partsSentAgainCountOnce() async throws {
      try await RoomFixture.with { household in
        var room = try await household.room()
        let items = (0..<20).map { QueueItem.numbered($0) }
        let parts = [
          part("a", 0, of: Array(items[..<10]), isLast: false), part("a", 1, of: Array(items[10...]), isLast: true),
        ]
        for _ in 0..<2 { _ = try await send(parts[0], to: room) }
        // A restart between the parts of a load does no harm.
        await room.kill()
        room = try await household.room()
        _ = try await send(parts[0], to: room)
        let answer = try await send(parts[1], to: room)
        _ = try await room.load([.numbered(99)], .later)
        await room.kill()
        room = try await household.room()
        for part in parts { #expect(try await send(part, to: room) == answer) }
        #expect(try await room.queue().items.map(\.entry) == (items + [.numbered(99)]).map(\.entry))
        await room.stop()
      }
    }

    @Test func aLoadWithAMissingPartIsRefused() async throws {
      try await RoomFixture.with { household in
        let room = try await household.room()
        _ = try await send(part("a", 0, of: [.numbered(1)], isLast: false), to: room)
        await #expect(throws: LunaraError.self) {
          try await send(part("a", 2, of: [.numbered(2)], isLast: true), to: room)
        }
        await #expect(throws: LunaraError.self) {
          try await send(part("b", 1, of: [.numbered(2)], isLast: true), to: room)
        }
        await #expect(throws: LunaraError.self) {
          try await send(part("c", 0, of: (0...100).map { .numbered($0) }, isLast: true), to: room)
        }
        await #expect(throws: LunaraError.self) { try await send(part("d", 0, of: [], isLast: true), to: room) }
        #expect(try await room.queue().count == 0)
        await room.stop()
      }
    }

    @Test func thePublishedQueueIsAWindowAroundTheCurrentItem() async throws {
      try await RoomFixture.with { household in
        let room = try await household.room(speed: "1")
        let items = try await household.album(100, seconds: 60)
        try await room.load(items, startAt: 60)
        let states = await household.client.states(Playback.QueueState.self)
        var seen: Playback.QueueState?
        for await snapshot in states {
          seen = snapshot.first?.value
          if let current = seen?.current, current >= 60 { break }
        }
        #expect(seen?.count == 100 && seen?.first == 35)
        #expect(seen?.items == Array(items[35..<85]))
        await room.stop()
      }
    }

    @Test func itemsThatWouldNotFitIntoAMessageAreRefusedAndLargeOnesComeInSmallerPages() async throws {
      try await RoomFixture.with { household in
        let room = try await household.room(speed: "1")
        var items = try await household.album(60, seconds: 60)
        for index in items.indices { items[index].track.title = String(repeating: "long ", count: 2000) }
        // The items are sent one by one, since together they exceed the size of a message.
        for item in items.prefix(40) { try await room.load([item], .later) }
        try await room.command(.jump(to: 30))
        #expect(await eventually(equals: items[30]) { await room.watcher.last?.item })
        let page = try await room.queue(first: 0, limit: 100)
        #expect(page.count == 40 && page.items == Array(items.prefix(page.items.count)) && page.items.count > 10)
        let states = await household.client.states(Playback.QueueState.self)
        var seen: Playback.QueueState?
        for await snapshot in states {
          seen = snapshot.first?.value
          if seen?.current == 30 { break }
        }
        #expect(seen?.items.first == items[30] && seen?.first == 30)
        items[0].track.title = String(repeating: "x", count: 20_000)
        await #expect(throws: LunaraError.self) { try await room.load([items[0]], .later) }
        await room.stop()
      }
    }
  }
}

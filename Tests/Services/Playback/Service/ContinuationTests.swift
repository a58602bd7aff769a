import Bus
import Messages
import Model
import TestSupport
import Testing

@testable import lunara_playback

extension RealSound {
  /// Queues that continue with the next albums of a list.
  @Suite struct ContinuationTests {
    /// Items of several albums of two tracks each, numbered from 1.
    private func albums(_ household: RoomFixture, _ count: Int, seconds: Double = 60) async throws -> [QueueItem] {
      try await household.album(count * 2, seconds: seconds).enumerated().map { index, item in
        var item = item
        item.track.albumID = AlbumID(source: "files", native: "album-\(index / 2 + 1)")
        return item
      }
    }

    private func album(_ number: Int) -> AlbumID { AlbumID(source: "files", native: "album-\(number)") }

    private func load(_ items: [QueueItem], into room: OpenRoom, of household: RoomFixture) async throws
      -> Playback.QueueSummary
    {
      let continuation = Playback.Continuation(list: Library.AlbumList(sort: .name), after: album(1))
      return try await household.client.request(
        Playback.Load(load: "first", mode: .now, items: items, continuation: continuation), to: room.node.id)
    }

    private func append(
      _ items: [QueueItem], _ queue: Playback.QueueState, after: AlbumID?, to room: OpenRoom, id: String
    ) async throws -> Playback.QueueSummary {
      try await room.client.request(
        Playback.Append(
          load: id, items: items, revision: queue.revision, position: queue.continuation?.position ?? -1, after: after),
        to: room.node.id)
    }

    @Test func moreIsWantedFromTheLastAlbumOnAndGoingBackWantsNothing() async throws {
      try await RoomFixture.with { household in
        let items = try await albums(household, 3)
        var room = try await household.room(speed: "1")
        _ = try await load(Array(items[0..<2]), into: room, of: household)
        #expect(try await eventually(equals: true) { try await room.queue().wantsMore })
        var queue = try await room.queue()
        #expect(queue.continuation?.after == album(1))
        let answer = try await append(Array(items[2..<6]), queue, after: album(3), to: room, id: "more")
        #expect(answer.count == 6)
        // The same request sent again gives the same answer; one that is based on an older queue is refused.
        #expect(try await append(Array(items[2..<6]), queue, after: album(3), to: room, id: "more") == answer)
        await #expect(throws: LunaraError.self) {
          try await append([items[2]], queue, after: album(3), to: room, id: "late")
        }
        queue = try await room.queue()
        #expect(queue.wantsMore == false && queue.continuation?.position == 1 && queue.continuation?.after == album(3))
        for (index, wants) in [(4, true), (3, false), (5, true), (0, false), (1, false)] {
          try await room.command(.jump(to: index))
          #expect(await eventually(equals: items[index]) { await room.watcher.last?.item })
          #expect(try await room.queue().wantsMore == wants, "\(index)")
        }
        await room.kill()
        room = try await household.room(speed: "1")
        queue = try await room.queue()
        #expect(queue.continuation?.after == album(3) && queue.wantsMore == false)
        // The list has no more albums, which ends the continuation.
        let last = try await append([], queue, after: nil, to: room, id: "end")
        #expect(last.count == 6)
        #expect(try await room.queue().continuation == nil)
        await room.stop()
      }
    }

    @Test func aQueueThatCameToItsEndBeforeGoesOnWithWhatComes() async throws {
      try await RoomFixture.with { household in
        let items = try await albums(household, 2, seconds: 2)
        let room = try await household.room()
        _ = try await load(Array(items[0..<2]), into: room, of: household)
        #expect(await room.becomes("idle"))
        #expect(try await eventually(equals: "ended 2 finished") { try await room.facts().last?.word })
        let queue = try await room.queue()
        #expect(queue.current == nil && queue.wantsMore == true)
        let answer = try await append(Array(items[2..<4]), queue, after: album(2), to: room, id: "more")
        #expect(answer.current == 2)
        #expect(try await eventually(equals: "ended 4 finished") { try await room.facts().last?.word })
        // A stop cancels the request for more.
        try await room.command(.stop)
        #expect(try await room.queue().wantsMore == false)
        await room.stop()
      }
    }

    @Test func whatWasQueuedForLaterMeanwhileComesFirst() async throws {
      try await RoomFixture.with { household in
        let items = try await albums(household, 3, seconds: 2)
        let room = try await household.room()
        _ = try await load(Array(items[0..<2]), into: room, of: household)
        #expect(try await eventually(equals: "ended 2 finished") { try await room.facts().last?.word })
        try await room.load([items[2]], .later)
        let queue = try await room.queue()
        #expect(queue.current == nil && queue.wantsMore == true)
        #expect(
          try await append(Array(items[4..<6]), queue, after: album(3), to: room, id: "more").current == 2)
        #expect(try await eventually(equals: "ended 6 finished") { try await room.facts().last?.word })
        #expect(try await room.facts().compactMap(\.started).map(\.subject.item.track.number) == [1, 2, 3, 5, 6])
        await room.stop()
      }
    }

    @Test func aQueueEndsWhereItIsSwitchedOffAndContinuesInItsListWhereItIsSwitchedOn() async throws {
      try await RoomFixture.with { household in
        var items = try await albums(household, 3)
        for index in 2..<6 {
          items[index].origin.isContinued = true
          items[index].origin.place = items[index].track.albumID.description
        }
        let room = try await household.room(speed: "1")
        _ = try await room.client.request(
          Playback.Load(
            load: "first", mode: .now, items: Array(items[0..<2]),
            continuation: Playback.Continuation(list: Library.AlbumList(sort: .added), after: album(1), isOff: true)),
          to: room.node.id)
        #expect(await room.becomes("playing"))
        var queue = try await room.queue()
        #expect(queue.wantsMore == false && queue.continuation?.isOff == true)
        try await room.edit(.continues(true))
        queue = try await room.queue()
        #expect(queue.wantsMore == true && queue.continuation?.isOff == nil && queue.continuation?.list.sort == .added)
        _ = try await append(Array(items[2..<6]), queue, after: album(3), to: room, id: "more")
        // Tracks that a person queued in the meantime stay, and the current album is not cut.
        try await room.load([items[0]], .later)
        try await room.command(.jump(to: 2))
        try await room.edit(.continues(false))
        queue = try await room.queue()
        #expect(queue.items.map(\.track.number) == [1, 2, 3, 4, 1] && queue.current == 2)
        #expect(queue.wantsMore == false && queue.continuation?.isOff == true && queue.continuation?.after == album(2))
        try await room.command(.jump(to: 0))
        try await room.edit(.continues(false))
        queue = try await room.queue()
        #expect(queue.items.map(\.track.number) == [1, 2, 1] && queue.continuation?.after == album(1))
        // An append that was on its way is refused.
        await #expect(throws: LunaraError.self) {
          try await append([items[2]], queue, after: album(2), to: room, id: "late")
        }
        await room.stop()
      }
    }

    @Test func aQueueWithoutAListContinuesWithAllAlbumsByNameAndAnEmptyOneNotAtAll() async throws {
      try await RoomFixture.with { household in
        let room = try await household.room(speed: "1")
        let error = await #expect(throws: LunaraError.self) { try await room.edit(.continues(true)) }
        #expect(error?.code == "playback.nothingToContinue")
        try await room.load(try await albums(household, 1))
        let summary = try await room.edit(.continues(true))
        #expect(
          try await room.queue().continuation
            == Playback.Continuation(list: Library.AlbumList(sort: .name), after: album(1)))
        // A second time changes nothing.
        #expect(try await room.edit(.continues(true)).revision == summary.revision)
        await room.stop()
      }
    }

    @Test func theRoomStopsWhereTheAlbumEnds() async throws {
      try await RoomFixture.with { household in
        let items = try await albums(household, 2, seconds: 2)
        let room = try await household.room()
        // The queue waits until the room knows where to stop, as it plays an album at once.
        try await room.load(items, .later)
        try await room.command(.stopAfterAlbum(true))
        try await room.command(.resume)
        #expect(try await eventually(equals: "ended 2 finished") { try await room.facts().last?.word })
        #expect(await room.becomes("paused"))
        #expect(try await room.queue().current == 2)
        await room.stop()
      }
    }

    @Test func aClearAndANewLoadEndTheContinuation() async throws {
      try await RoomFixture.with { household in
        let items = try await albums(household, 1)
        let room = try await household.room(speed: "1")
        for clears in [true, false] {
          _ = try await room.client.request(
            Playback.Load(
              load: "load-\(clears)", mode: .now, items: items,
              continuation: Playback.Continuation(list: Library.AlbumList(), after: album(1))), to: room.node.id)
          #expect(try await room.queue().continuation != nil)
          let queue = try await room.queue()
          if clears { try await room.edit(.clear) } else { try await room.load(items) }
          #expect(try await room.queue().continuation == nil)
          await #expect(throws: LunaraError.self) {
            try await append(items, queue, after: album(1), to: room, id: "late-\(clears)")
          }
        }
        await room.stop()
      }
    }
  }
}

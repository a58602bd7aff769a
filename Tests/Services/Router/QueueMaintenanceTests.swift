import Bus
import Messages
import Model
import ServiceKit
import Synchronization
import TestSupport
import Testing

@testable import lunara_router

/// Queues that continue with further albums, and that lose tracks which were deleted.
@Suite(.timeLimit(.minutes(2)))
struct QueueMaintenanceTests {
  private static let quick = QueueMaintenance.Pauses(
    retries: RetryPolicy(first: .milliseconds(1), longest: .milliseconds(2)), settling: .zero, rest: 0)

  private func maintenance(_ fake: FakeLibraryAndRoom) -> QueueMaintenance {
    QueueMaintenance(sender: fake, log: .quiet, pauses: Self.quick)
  }

  /// A queue with album 1 that goes on with albums 2 to 9.
  private func fake(_ tracks: Int = 3, _ prepare: (inout FakeLibraryAndRoom.Contents) -> Void = { _ in })
    -> FakeLibraryAndRoom
  {
    FakeLibraryAndRoom { contents in
      contents.albums = (1...9).map { ($0, tracks) }
      contents.queue = (0..<tracks).map { FakeLibraryAndRoom.item(1, $0) }
      contents.continuation = Playback.Continuation(list: Library.AlbumList(), after: FakeLibraryAndRoom.album(1))
      prepare(&contents)
    }
  }

  private func tracks(_ albums: ClosedRange<Int>, _ count: Int = 3) -> [String] {
    albums.flatMap { album in (0..<count).map { FakeLibraryAndRoom.track(album, $0).native } }
  }

  @Test func fourAlbumsFollowAndThenFourMore() async throws {
    let fake = fake()
    let maintenance = maintenance(fake)
    await maintenance.update([fake.observed])
    await maintenance.finished()
    #expect(fake.queued == tracks(1...5))
    var state = fake.observed.value
    #expect(state.continuation?.after == FakeLibraryAndRoom.album(5) && state.continuation?.position == 1)
    #expect(state.items.last?.origin == QueueItem.Origin(node: "web@main", place: "files:a5", isContinued: true))
    // The room publishes its state, and later that it wants more.
    await maintenance.update([fake.observed])
    await maintenance.finished()
    #expect(fake.queued == tracks(1...5))
    fake.contents.withLock { $0.wantsMore = true }
    await maintenance.update([fake.observed])
    await maintenance.finished()
    #expect(fake.queued == tracks(1...9))
    state = fake.observed.value
    #expect(state.continuation == nil)
    #expect(Set(state.items.map(\.entry)).count == 27)
    // Appended tracks are distinguishable from tracks that a person queued.
    #expect(
      state.items.map { $0.origin.isContinued == true } == [Bool](repeating: false, count: 3)
        + [Bool](repeating: true, count: 24))
  }

  @Test func ofAWallFiveAlbumsFollowInItsOrderAndOneThatIsGoneIsPassedOver() async throws {
    let wall = Discovery.WallName(seed: 7, dial: 3, first: 100)
    let fake = fake { contents in
      contents.queue = (0..<3).map { FakeLibraryAndRoom.item(9, $0) }
      contents.continuation = Playback.Continuation(
        list: Library.AlbumList(wall: wall), after: FakeLibraryAndRoom.album(9))
    }
    let maintenance = maintenance(fake)
    await maintenance.update([fake.observed])
    await maintenance.finished()
    #expect(fake.queued == [9, 8, 7, 6, 5, 4].flatMap { tracks($0...$0) })
    #expect(fake.observed.value.continuation?.after == FakeLibraryAndRoom.album(4))
    #expect(fake.observed.value.continuation?.list.wall == wall)
    #expect(fake.count(Library.ListNextAlbums.kind) == 0)
    fake.contents.withLock { contents in
      contents.wantsMore = true
      contents.albums[1].tracks = 0
    }
    await maintenance.update([fake.observed])
    await maintenance.finished()
    #expect(fake.queued.suffix(6) == tracks(3...3) + tracks(1...1))
    #expect(fake.observed.value.continuation == nil)
  }

  @Test func aListThatHasNoMoreEndsTheContinuation() async throws {
    for after in [9, 77] {
      let fake = fake { $0.continuation?.after = FakeLibraryAndRoom.album(after) }
      let maintenance = maintenance(fake)
      await maintenance.update([fake.observed])
      await maintenance.finished()
      #expect(fake.queued == tracks(1...1))
      #expect(fake.observed.value.continuation == nil)
    }
  }

  @Test func albumsWithoutTracksArePassedOver() async throws {
    let fake = fake { contents in for index in 1...5 { contents.albums[index].tracks = 0 } }
    let maintenance = maintenance(fake)
    await maintenance.update([fake.observed])
    await maintenance.finished()
    #expect(fake.queued == tracks(1...1) + tracks(7...9))
  }

  @Test func manyTracksAreAppendedInParts() async throws {
    let fake = fake(70)
    let maintenance = maintenance(fake)
    await maintenance.update([fake.observed])
    await maintenance.finished()
    #expect(fake.queued == tracks(1...5, 70))
    #expect(fake.count(Playback.Append.kind) == 3)
  }

  @Test func aFailedFetchIsTriedAgain() async throws {
    let away = LunaraError("bus.unreachable", "The library is away.")
    let fake = fake { $0.failures = Array(repeating: away, count: 7) }
    let maintenance = maintenance(fake)
    await maintenance.update([fake.observed])
    await maintenance.finished()
    #expect(fake.queued == tracks(1...5))
  }

  @Test func anAppendThatWasRefusedOnceIsNotRefusedForEver() async throws {
    let full = LunaraError("storage.full", "The disk is full.")
    let fake = fake { $0.appendFailures = [full, full] }
    let maintenance = maintenance(fake)
    await maintenance.update([fake.observed])
    #expect(await eventually(equals: tracks(1...5)) { fake.queued })
    await maintenance.stop()
  }

  @Test func aQueueThatChangedMeanwhileIsLeftAlone() async throws {
    let fake = fake()
    let old = fake.observed
    fake.contents.withLock { $0.revision += 1 }
    let maintenance = maintenance(fake)
    await maintenance.update([old])
    await maintenance.finished()
    #expect(fake.queued == tracks(1...1))
    await maintenance.update([fake.observed])
    await maintenance.finished()
    #expect(fake.queued == tracks(1...5))
  }

  @Test func twoRoutersAppendEachAlbumOnce() async throws {
    let fake = fake(70)
    let (one, other) = (maintenance(fake), maintenance(fake))
    let state = fake.observed
    await one.update([state])
    await other.update([state])
    await one.finished()
    await other.finished()
    #expect(fake.queued == tracks(1...5, 70))
  }

  @Test(arguments: 0..<20, [true, false])
  func aRouterThatIsKilledAtAnyStepLosesAndDoublesNothing(step: Int, diesAfterwards: Bool) async throws {
    let fake = fake(70) { contents in
      contents.gone = [FakeLibraryAndRoom.track(1, 5), FakeLibraryAndRoom.track(1, 69)]
      contents.life = step
      contents.diesAfterwards = diesAfterwards
    }
    let killed = maintenance(fake)
    await killed.update([fake.observed])
    await killed.update(fake.catalogue)
    if step > 0 { try await until { fake.contents.withLock { $0.life == 0 || $0.continuation?.position == 1 } } }
    await killed.stop()
    fake.contents.withLock { $0.life = nil }
    let next = maintenance(fake)
    await next.update([fake.observed])
    await next.update(fake.catalogue)
    await next.finished()
    // Requests to the room use the state that it published after the change.
    await next.update([fake.observed])
    await next.finished()
    let gone = [FakeLibraryAndRoom.track(1, 5).native, FakeLibraryAndRoom.track(1, 69).native]
    #expect(fake.queued == tracks(1...5, 70).filter { !gone.contains($0) })
  }

  @Test func whatIsGoneIsTakenOutAfterARefreshAndAtTheStart() async throws {
    let fake = fake { contents in
      contents.continuation = nil
      contents.gone = [FakeLibraryAndRoom.track(1, 1)]
    }
    let maintenance = maintenance(fake)
    await maintenance.update([fake.observed])
    await maintenance.finished()
    #expect(fake.queued.count == 3)
    await maintenance.update(fake.catalogue)
    await maintenance.finished()
    #expect(fake.queued == [FakeLibraryAndRoom.track(1, 0).native, FakeLibraryAndRoom.track(1, 2).native])
    fake.contents.withLock { $0.gone = [FakeLibraryAndRoom.track(1, 0)] }
    await maintenance.update(fake.catalogue)
    await maintenance.finished()
    #expect(fake.queued.count == 2)
    fake.contents.withLock { $0.generation += 1 }
    await maintenance.update(fake.catalogue)
    await maintenance.finished()
    #expect(fake.queued == [FakeLibraryAndRoom.track(1, 2).native])
  }

  @Test func aQueueHasTheNewNamesOfItsTracksAfterARefresh() async throws {
    for isOneAway in [false, true] {
      let fake = fake { $0.continuation = nil }
      let maintenance = maintenance(fake)
      await maintenance.update([fake.observed])
      await maintenance.update(fake.catalogue)
      await maintenance.finished()
      fake.contents.withLock { contents in
        contents.titles = [FakeLibraryAndRoom.track(1, 1): "Renamed"]
        // A track that the catalogue does not name now stays as it is, and so does a described one.
        if isOneAway { contents.queue.append(FakeLibraryAndRoom.item(77, 0)) }
        contents.generation += 1
      }
      let before = fake.observed.value.items.map(\.track.title)
      await maintenance.update([fake.observed])
      await maintenance.update(fake.catalogue)
      await maintenance.finished()
      let after = fake.observed.value.items.map(\.track.title)
      #expect(after == before.enumerated().map { $0.offset == 1 ? "Renamed" : $0.element })
    }
  }

  @Test func aLongQueueIsComparedWhollyWithEachTrackAskedAboutOnce() async throws {
    let fake = fake { contents in
      contents.continuation = nil
      contents.queue = (0..<1230).map { FakeLibraryAndRoom.item(3, $0 % 700, entry: "e\($0)") }
      contents.gone = Set((0..<600).map { FakeLibraryAndRoom.track(3, $0) })
    }
    let maintenance = maintenance(fake)
    await maintenance.update([fake.observed])
    await maintenance.update(fake.catalogue)
    await maintenance.finished()
    #expect(fake.queued.count == 100)
    #expect(fake.count(Library.ListRemovedTracks.kind) == 2 && fake.count(Playback.EditQueue.kind) == 2)
    #expect(fake.count(Playback.ReadQueue.kind) == 13)
  }

  @Test func aRoomThatIsBeingMovedIsLeftAlone() async throws {
    let fake = fake { contents in
      contents.gone = [FakeLibraryAndRoom.track(1, 1)]
      contents.moving = Playback.Moving(move: "m", to: RoomName(from: "bath"), wasPlaying: true)
    }
    let maintenance = maintenance(fake)
    await maintenance.update([fake.observed])
    await maintenance.update(fake.catalogue)
    await maintenance.finished()
    #expect(fake.contents.withLock { $0.asked }.isEmpty)
    fake.contents.withLock { $0.moving = nil }
    await maintenance.update([fake.observed])
    await maintenance.finished()
    await maintenance.update([fake.observed])
    await maintenance.finished()
    #expect(fake.queued.count == 14)
  }

  private func until(_ condition: () -> Bool) async throws {
    try #require(await eventually(condition))
  }
}

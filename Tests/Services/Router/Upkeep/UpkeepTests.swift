import Bus
import Messages
import Model
import ServiceKit
import Synchronization
import TestSupport
import Testing

@testable import lunara_router

/// Queues that go on, and that lose what is no more.
@Suite(.timeLimit(.minutes(2)))
struct UpkeepTests {
  private static let quick = Upkeep.Pauses(
    first: .milliseconds(1), longest: .milliseconds(2), settling: .zero, rest: 0)

  private func upkeep(_ house: FakeHouse) -> Upkeep { Upkeep(asking: house, log: .quiet, pauses: Self.quick) }

  /// A queue with album 1 that goes on with albums 2 to 9.
  private func house(_ tracks: Int = 3, _ prepare: (inout FakeHouse.Contents) -> Void = { _ in }) -> FakeHouse {
    FakeHouse { contents in
      contents.albums = (1...9).map { ($0, tracks) }
      contents.queue = (0..<tracks).map { FakeHouse.item(1, $0) }
      contents.continuation = Playback.Continuation(list: Library.AlbumList(), after: FakeHouse.album(1))
      prepare(&contents)
    }
  }

  private func tracks(_ albums: ClosedRange<Int>, _ count: Int = 3) -> [String] {
    albums.flatMap { album in (0..<count).map { FakeHouse.track(album, $0).native } }
  }

  @Test func fourAlbumsFollowAndThenFourMore() async throws {
    let house = house()
    let upkeep = upkeep(house)
    await upkeep.take([house.observed])
    await upkeep.settled()
    #expect(house.queued == tracks(1...5))
    var state = house.observed.value
    #expect(state.continuation?.after == FakeHouse.album(5) && state.continuation?.position == 1)
    #expect(state.items.last?.origin == QueueItem.Origin(node: "web@main", place: "files:a5"))
    // The room says so, and later that it wants more.
    await upkeep.take([house.observed])
    await upkeep.settled()
    #expect(house.queued == tracks(1...5))
    house.contents.withLock { $0.wantsMore = true }
    await upkeep.take([house.observed])
    await upkeep.settled()
    #expect(house.queued == tracks(1...9))
    state = house.observed.value
    #expect(state.continuation == nil)
    #expect(Set(state.items.map(\.entry)).count == 27)
  }

  @Test func aListThatHasNoMoreEndsTheContinuation() async throws {
    for after in [9, 77] {
      let house = house { $0.continuation?.after = FakeHouse.album(after) }
      let upkeep = upkeep(house)
      await upkeep.take([house.observed])
      await upkeep.settled()
      #expect(house.queued == tracks(1...1))
      #expect(house.observed.value.continuation == nil)
    }
  }

  @Test func albumsWithoutTracksArePassedOver() async throws {
    let house = house { contents in for index in 1...5 { contents.albums[index].tracks = 0 } }
    let upkeep = upkeep(house)
    await upkeep.take([house.observed])
    await upkeep.settled()
    #expect(house.queued == tracks(1...1) + tracks(7...9))
  }

  @Test func manyTracksAreAppendedInParts() async throws {
    let house = house(70)
    let upkeep = upkeep(house)
    await upkeep.take([house.observed])
    await upkeep.settled()
    #expect(house.queued == tracks(1...5, 70))
    #expect(house.count(Playback.Append.kind) == 3)
  }

  @Test func aFailedFetchIsTriedAgain() async throws {
    let away = LunaraError("bus.unreachable", "The library is away.")
    let house = house { $0.failures = Array(repeating: away, count: 7) }
    let upkeep = upkeep(house)
    await upkeep.take([house.observed])
    await upkeep.settled()
    #expect(house.queued == tracks(1...5))
  }

  @Test func anAppendThatWasRefusedOnceIsNotRefusedForEver() async throws {
    let full = LunaraError("storage.full", "The disk is full.")
    let house = house { $0.appendFailures = [full, full] }
    let upkeep = upkeep(house)
    await upkeep.take([house.observed])
    #expect(await eventually(within: .seconds(40)) { house.queued == tracks(1...5) })
    await upkeep.stop()
  }

  @Test func aQueueThatChangedMeanwhileIsLeftAlone() async throws {
    let house = house()
    let old = house.observed
    house.contents.withLock { $0.revision += 1 }
    let upkeep = upkeep(house)
    await upkeep.take([old])
    await upkeep.settled()
    #expect(house.queued == tracks(1...1))
    await upkeep.take([house.observed])
    await upkeep.settled()
    #expect(house.queued == tracks(1...5))
  }

  @Test func twoRoutersAreAsGoodAsOne() async throws {
    let house = house(70)
    let (one, other) = (upkeep(house), upkeep(house))
    let state = house.observed
    await one.take([state])
    await other.take([state])
    await one.settled()
    await other.settled()
    #expect(house.queued == tracks(1...5, 70))
  }

  @Test(arguments: 0..<20, [true, false])
  func aRouterThatIsKilledAtAnyStepLosesAndDoublesNothing(step: Int, diesAfterwards: Bool) async throws {
    let house = house(70) { contents in
      contents.gone = [FakeHouse.track(1, 5), FakeHouse.track(1, 69)]
      contents.life = step
      contents.diesAfterwards = diesAfterwards
    }
    let killed = upkeep(house)
    await killed.take([house.observed])
    await killed.take(house.catalogue)
    if step > 0 { try await until { house.contents.withLock { $0.life == 0 || $0.continuation?.position == 1 } } }
    await killed.stop()
    house.contents.withLock { $0.life = nil }
    let next = upkeep(house)
    await next.take([house.observed])
    await next.take(house.catalogue)
    await next.settled()
    // What the room says after a change is what it is asked by.
    await next.take([house.observed])
    await next.settled()
    let gone = [FakeHouse.track(1, 5).native, FakeHouse.track(1, 69).native]
    #expect(house.queued == tracks(1...5, 70).filter { !gone.contains($0) })
  }

  @Test func whatIsGoneIsTakenOutAfterARefreshAndAtTheStart() async throws {
    let house = house { contents in
      contents.continuation = nil
      contents.gone = [FakeHouse.track(1, 1)]
    }
    let upkeep = upkeep(house)
    await upkeep.take([house.observed])
    await upkeep.settled()
    #expect(house.queued.count == 3)
    await upkeep.take(house.catalogue)
    await upkeep.settled()
    #expect(house.queued == [FakeHouse.track(1, 0).native, FakeHouse.track(1, 2).native])
    house.contents.withLock { $0.gone = [FakeHouse.track(1, 0)] }
    await upkeep.take(house.catalogue)
    await upkeep.settled()
    #expect(house.queued.count == 2)
    house.contents.withLock { $0.generation += 1 }
    await upkeep.take(house.catalogue)
    await upkeep.settled()
    #expect(house.queued == [FakeHouse.track(1, 2).native])
  }

  @Test func aLongQueueIsComparedWhollyWithEachTrackAskedAboutOnce() async throws {
    let house = house { contents in
      contents.continuation = nil
      contents.queue = (0..<1230).map { FakeHouse.item(3, $0 % 700, entry: "e\($0)") }
      contents.gone = Set((0..<600).map { FakeHouse.track(3, $0) })
    }
    let upkeep = upkeep(house)
    await upkeep.take([house.observed])
    await upkeep.take(house.catalogue)
    await upkeep.settled()
    #expect(house.queued.count == 100)
    #expect(house.count(Library.ListRemovedTracks.kind) == 2 && house.count(Playback.EditQueue.kind) == 2)
    #expect(house.count(Playback.ReadQueue.kind) == 13)
  }

  @Test func aRoomThatIsBeingMovedIsLeftAlone() async throws {
    let house = house { contents in
      contents.gone = [FakeHouse.track(1, 1)]
      contents.moving = Playback.Moving(move: "m", to: RoomName(from: "bath"), wasPlaying: true)
    }
    let upkeep = upkeep(house)
    await upkeep.take([house.observed])
    await upkeep.take(house.catalogue)
    await upkeep.settled()
    #expect(house.contents.withLock { $0.asked }.isEmpty)
    house.contents.withLock { $0.moving = nil }
    await upkeep.take([house.observed])
    await upkeep.settled()
    await upkeep.take([house.observed])
    await upkeep.settled()
    #expect(house.queued.count == 14)
  }

  private func until(_ condition: () -> Bool) async throws {
    let end = ContinuousClock.now + .seconds(30)
    while !condition() {
      try #require(ContinuousClock.now < end)
      try await Task.sleep(for: .milliseconds(1))
    }
  }
}

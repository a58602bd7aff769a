import Bus
import Messages
import Model
import Storage
import TestSupport
import Testing

@testable import lunara_playback

/// The state with which a room that takes over a name starts.
@Suite struct RoomHandoverTests {
  private func item(_ number: Int) -> QueueItem { .numbered(number) }

  @Test func theNamesQueueTakesThePlaceOfOnesOwnAndWaits() async throws {
    let folder = TemporaryDirectory()
    let database = try Database(
      at: folder.path + "/room.sqlite", migrations: Journal.migrations + QueueStore.migrations)
    let own = RoomHandover(
      Playback.QueueState(revision: 1, count: 1, current: 0, first: 0, items: [item(9)]), nil)
    try await database.write { try own.store(in: $0, of: .kitchen) }
    let room = Playback.RoomState(
      room: RoomName(from: "den"), state: .paused, item: item(2),
      position: Position(offset: Milliseconds(12_345), rate: 0, takenAt: .now()), duration: nil, volume: 40,
      queueRevision: 7)
    let queue = Playback.QueueState(revision: 7, count: 90, current: 42, first: 41, items: [item(1), item(2), item(3)])
    let inherited = RoomHandover(queue, room)
    try await database.write { try inherited.store(in: $0, of: .kitchen) }
    let (restored, checkpoint) = try await database.read {
      (try QueueStore.queue(in: $0), try QueueStore.checkpoint(in: $0))
    }
    #expect(restored.slots.count == 3)
    #expect(restored.current == 1)
    #expect(checkpoint.progress.position == Milliseconds(12_345))
    #expect(checkpoint.volume == 40)
    let items = try await database.read { try QueueStore.items(restored.slots.map(\.row), in: $0) }
    #expect(items == queue.items)
    await database.close()
  }

  @Test(arguments: [(nil, 40, 40), (60, 40, 40), (30, 40, 30), (30, nil, 30), (nil, nil, 100)] as [(Int?, Int?, Int)])
  func theLowerMaximumOfTheVolumeHoldsAndWhatIsMutedStays(own: Int?, inherited: Int?, result: Int) async throws {
    let folder = TemporaryDirectory()
    let database = try Database(
      at: folder.path + "/room.sqlite", migrations: Journal.migrations + QueueStore.migrations)
    if let own {
      try await database.write { try QueueStore.store(OutputSettings(device: "dac", maximumVolume: own), in: $0) }
    }
    var room = Playback.RoomState(
      room: RoomName(from: "den"), state: .paused, item: nil,
      position: Position(offset: .zero, rate: 0, takenAt: .now()), duration: nil, volume: 20, queueRevision: 7)
    // Rooms of older versions do not report it.
    room.modes = inherited.map { Playback.Modes(isMuted: true, maximumVolume: $0) }
    let queue = Playback.QueueState(revision: 7, count: 1, current: 0, first: 0, items: [item(1)])
    let left = try MessageCoding.decode(
      RoomHandover.self, from: try MessageCoding.encode(RoomHandover(queue, room)))
    try await database.write { try left.store(in: $0, of: .kitchen) }
    let checkpoint = try await database.read { try QueueStore.checkpoint(in: $0) }
    #expect(checkpoint.output.maximumVolume == result && checkpoint.output.device == own.map { _ in "dac" })
    #expect(checkpoint.isMuted == (inherited != nil) && checkpoint.volume == 20)
    await database.close()
  }
}

/// The part of a queue that fits into one message.
@Suite struct HandoverWindowTests {
  private static let limit = HandoverWindow.limit

  /// Adds the items of a queue, each of a size in bytes, until one does not fit.
  private func window(first: Int, current: Int, sizes: [Int]) -> HandoverWindow {
    var window = HandoverWindow(first: first, current: current)
    for (offset, size) in sizes.enumerated() where !window.add(.numbered(first + offset), size: size) { break }
    return window
  }

  @Test func theCurrentItemIsKeptWhereThoseBeforeItAreTooLarge() {
    let window = window(first: 10, current: 60, sizes: Array(repeating: Self.limit / 20, count: 190))
    #expect(window.first == 41 && window.end == 61)
    #expect(window.items.first == .numbered(41) && window.items.last == .numbered(60))
  }

  @Test func allAreKeptThatFit() {
    let window = window(first: 0, current: 2, sizes: Array(repeating: Self.limit / 20, count: 21))
    #expect(window.first == 0 && window.end == 20)
  }

  @Test func anItemThatIsTooLargeAloneIsHandedOverWhereItIsTheCurrentOne() {
    let window = window(first: 0, current: 1, sizes: [10, Self.limit + 1, 1])
    #expect(window.first == 1 && window.items == [.numbered(1)])
  }
}

extension RealSound {
  @Suite struct HandOverTests {
    @Test func aSuccessorGoesOnWithTheListenAndMoreThanAPageOfTheQueue() async throws {
      try await RoomFixture.with { household in
        let items = try await household.album(250, seconds: 600)
        let room = try await household.room(speed: "10")
        try await room.load(Array(items.prefix(100)))
        for first in stride(from: 100, to: 250, by: 50) {
          try await room.load(Array(items[first..<first + 50]), .later)
        }
        try await room.command(.repeats(.all))
        #expect(try await eventually(above: Milliseconds(4000)) { try await room.position() })
        let text = try #require(try await room.service.room.handOver())
        let inherited = try MessageCoding.decode(RoomHandover.self, from: Array(text.utf8))
        #expect(inherited.items.count == 250 && inherited.current == 0 && inherited.repeats == .all)
        let listen = try #require(inherited.listen)
        #expect(abs((listen.heard - inherited.position).rawValue) < 1500)
        let facts = try await room.facts()
        #expect(facts.last?.heard?.heard == listen.heard)
        await room.stop()
        // The former room no longer has the listen.
        let again = try await household.room()
        #expect(await again.service.room.machine.meter.listen == nil)
        await again.stop()

        let folder = TemporaryDirectory()
        let database = try Database(
          at: folder.path + "/room.sqlite", migrations: Journal.migrations + QueueStore.migrations)
        try await database.write { try inherited.store(in: $0, of: .kitchen) }
        let checkpoint = try await database.read { try QueueStore.checkpoint(in: $0) }
        #expect(checkpoint.listen?.subject.listen == listen.listen && checkpoint.listen?.heard == listen.heard)
        #expect(checkpoint.listen?.subject.item == items[0] && checkpoint.progress.position == inherited.position)
        await database.close()
      }
    }
  }
}

import Bus
import Messages
import Model
import Storage
import TestSupport
import Testing

@testable import lunara_playback

/// What a room that takes a name over begins with.
@Suite struct InheritanceTests {
  private func item(_ number: Int) -> QueueItem { .numbered(number) }

  @Test func theNamesQueueTakesThePlaceOfOnesOwnAndWaits() async throws {
    let folder = TemporaryDirectory()
    let database = try Database(
      at: folder.path + "/room.sqlite", migrations: Journal.migrations + QueueStore.migrations)
    let own = Inheritance(
      Playback.QueueState(revision: 1, count: 1, current: 0, first: 0, items: [item(9)]), nil)
    try await database.write { try own.store(in: $0) }
    let room = Playback.RoomState(
      room: RoomName(from: "den"), state: .paused, item: item(2),
      position: Position(offset: Milliseconds(12_345), rate: 0, takenAt: .now()), duration: nil, volume: 40,
      queueRevision: 7)
    let queue = Playback.QueueState(revision: 7, count: 90, current: 42, first: 41, items: [item(1), item(2), item(3)])
    let inherited = Inheritance(queue, room)
    try await database.write { try inherited.store(in: $0) }
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
}

import Messages
import Model
import Storage

/// Reading parts of the queue.
enum RoomReading {
  /// How many items the published state has.
  static let windowSize = 50
  /// How many items one answer has.
  static let pageSize = 100
}

extension Room {
  /// Commands a room.
  nonisolated func transport(_ action: Playback.Transport.Action) async throws -> Playback.RoomState {
    try await ask { .transport(action, $0) }
  }

  /// Takes a part of a load.
  nonisolated func load(_ part: Playback.Load) async throws -> Playback.QueueSummary {
    try await ask { .load(part, $0) }
  }

  /// Changes the queue.
  nonisolated func edit(_ edit: Playback.EditQueue.Edit) async throws -> Playback.QueueSummary {
    try await ask { .edit(edit, $0) }
  }

  /// Reads a part of the queue.
  func read(_ request: Playback.ReadQueue) async throws -> Playback.QueueState {
    let queue = machine.queue
    let first = max(0, min(request.first, queue.slots.count))
    let count = max(0, min(request.limit, RoomReading.pageSize, queue.slots.count - first))
    let rows = queue.slots[first..<first + count].map(\.row)
    let items = try await database.read { try QueueStore.items(rows, in: $0) }
    return Playback.QueueState(
      revision: queue.revision, count: queue.slots.count, current: queue.current, first: first, items: items)
  }
}

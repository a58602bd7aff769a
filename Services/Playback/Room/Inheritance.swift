import Bus
import Messages
import Model
import Storage

/// What a room leaves to one that takes its name over: the queue around its current item, and where in that it was.
struct Inheritance: Codable, Equatable, Sendable {
  /// The items, of which there may have been more.
  var items: [QueueItem]
  /// The index of the current one; nil where none was.
  var current: Int?
  /// Where in the current one.
  var position: Milliseconds
  /// The volume in percent.
  var volume: Int

  /// The same from what the room published last.
  init(_ queue: Playback.QueueState, _ room: Playback.RoomState?) {
    items = queue.items
    current = queue.current.map { $0 - queue.first }.flatMap { queue.items.indices.contains($0) ? $0 : nil }
    position = current == nil ? .zero : room?.position.offset ?? .zero
    volume = room?.volume ?? 100
  }

  /// Puts it into the database of a room in the place of what that had, which is older; it waits there, as after a restart.
  func store(in transaction: Transaction) throws {
    try QueueStore.replace(try QueueStore.queue(in: transaction), by: items, current: current, in: transaction)
    try transaction.execute("UPDATE room SET volume = ?", volume)
    try transaction.execute("UPDATE progress SET position = ?", position)
  }
}

extension Inheritance {
  /// What this node inherits of the former holder of its name: from itself where it answered, else from what others
  /// keep of it; nil for one that took no name over.
  static func of(_ node: Node) async throws -> Inheritance? {
    if let text = await node.inheritance { return try MessageCoding.decode(Inheritance.self, from: Array(text.utf8)) }
    guard await node.hasTakenOver, let queue = await node.lastKnown(Playback.QueueState.self) else { return nil }
    return Inheritance(queue, await node.lastKnown(Playback.RoomState.self))
  }
}

extension Room {
  /// Holds the sound and gives what a successor needs.
  nonisolated func handOver() async throws -> String? {
    let state = try await transport(.pause)
    let first = max(0, (try await read(Playback.ReadQueue(first: 0, limit: 1)).current ?? 0) - 10)
    let queue = try await read(Playback.ReadQueue(first: first, limit: 100))
    let inheritance = Inheritance(queue, state)
    return String(decoding: try MessageCoding.encode(inheritance), as: UTF8.self)
  }
}

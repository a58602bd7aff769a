import Bus
import Messages
import Model
import Storage

/// What a room leaves to one that takes its name over: the queue around its current item, and where in that it was.
struct RoomHandover: Codable, Equatable, Sendable {
  /// The items, of which there may have been more.
  var items: [QueueItem]
  /// The index of the current one; nil where none was.
  var current: Int?
  /// Where in the current one.
  var position: Milliseconds
  /// The volume in percent.
  var volume: Int
  /// The listen of the current one that is not over; it goes on.
  var listen: Playback.ListenMark?
  /// What follows the end; nil from an older room.
  var repeats: Playback.Repeat?
  /// Whether no sound was let through; nil from an older room.
  var isMuted: Bool?
  /// The volume that was not to be exceeded, in percent; nil from an older room.
  var maximumVolume: Int?
  /// What people called it; nil for none, and from an older room.
  var title: String?
  /// What the queue goes on with, where its end was handed over.
  var continuation: Playback.Continuation?

  /// The same from what the room published last.
  init(_ queue: Playback.QueueState, _ room: Playback.RoomState?) {
    items = queue.items
    current = queue.current.map { $0 - queue.first }.flatMap { queue.items.indices.contains($0) ? $0 : nil }
    position = current == nil ? .zero : room?.position.offset ?? .zero
    volume = room?.volume ?? 100
    listen = current == nil ? nil : room?.listen
    repeats = room?.modes?.repeats
    isMuted = room?.modes?.isMuted
    maximumVolume = room?.modes?.maximumVolume
    title = room?.title
    continuation = queue.first + queue.items.count == queue.count ? queue.continuation : nil
  }

  /// Puts it into the database of a room in the place of what that had, which is older; it waits there, as after a restart.
  func store(in transaction: Transaction, of room: RoomName) throws {
    var queue = try QueueStore.replace(
      try QueueStore.queue(in: transaction), by: items, current: current, in: transaction)
    queue.continuation = continuation
    if let repeats, repeats != .unknown { queue.repeats = repeats }
    try QueueStore.note(queue, in: transaction)
    try transaction.execute(
      "UPDATE room SET volume = ?, muted = coalesce(?, muted), title = coalesce(?, title)", volume, isMuted, title)
    if let maximumVolume { try limitVolume(to: maximumVolume, in: transaction) }
    try transaction.execute("UPDATE progress SET position = ?", position)
    guard let listen, let current else { return }
    let subject = Playback.ListenSubject(
      listen: listen.listen, room: room, item: items[current], startedAt: listen.startedAt)
    try transaction.execute(
      "INSERT OR REPLACE INTO open_listen (one, listen, subject) VALUES (1, ?, ?)", subject.listen,
      try MessageCoding.encode(subject))
    try transaction.execute("UPDATE progress SET heard = ?", listen.heard)
  }
}

extension RoomHandover {
  /// Has the lower of two limits hold: hardware that is set to be quieter stays so.
  private func limitVolume(to maximum: Int, in transaction: Transaction) throws {
    var output = try QueueStore.checkpoint(in: transaction).output
    output.maximumVolume = max(1, min(output.maximumVolume, maximum))
    try QueueStore.store(output, in: transaction)
  }

  /// What this node inherits of the former holder of its name: from itself where it answered, else from what others
  /// keep of it; nil for one that took no name over.
  static func of(_ node: Node) async throws -> RoomHandover? {
    if let text = await node.inheritance { return try MessageCoding.decode(RoomHandover.self, from: Array(text.utf8)) }
    guard await node.hasTakenOver, let queue = await node.lastKnown(Playback.QueueState.self) else { return nil }
    return RoomHandover(queue, await node.lastKnown(Playback.RoomState.self))
  }
}

extension Room {
  /// How many bytes of items are handed over, as JSON: with what quoting adds they fit into one message.
  private static let handOverLimit = 140 * 1024
  /// How many items before the current one are handed over.
  private static let handOverPast = 50

  /// Holds the sound and gives what a successor needs. The present listen goes on there, so it has not ended here.
  nonisolated func handOver() async throws -> String? {
    let state = try await ask { .move(.handOver($0)) }
    let around = try await read(Playback.ReadQueue(first: 0, limit: 1))
    var first = max(0, (around.current ?? 0) - Self.handOverPast)
    var queue = around
    (queue.first, queue.items) = (first, [])
    var size = 0
    collecting: while first < around.count {
      let page = try await read(Playback.ReadQueue(first: first, limit: 100))
      guard !page.items.isEmpty else { break }
      for item in page.items {
        size += try MessageCoding.encode(item).count
        guard size <= Self.handOverLimit else { break collecting }
        queue.items.append(item)
      }
      first += page.items.count
    }
    return String(decoding: try MessageCoding.encode(RoomHandover(queue, state)), as: UTF8.self)
  }
}

import Bus
import Messages
import Model
import Storage

/// The state that a room gives to a room that takes over its name: the queue around the current item, and the position.
struct RoomHandover: Codable, Equatable, Sendable {
  /// The items around the current one; the queue may have had more.
  var items: [QueueItem]
  var current: Int?
  var position: Milliseconds
  /// The volume in percent.
  var volume: Int
  /// The listen of the current item, which continues.
  var listen: Playback.ListenMark?
  // Rooms of older versions do not send the following properties.
  var repeats: Playback.Repeat?
  var isMuted: Bool?
  /// The volume limit of the room, in percent.
  var maximumVolume: Int?
  var title: String?
  /// The continuation of the queue, if the items include the queue's last one.
  var continuation: Playback.Continuation?

  /// Creates the handover from the states that the room published last.
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

  /// Stores the handover in the database of a room, in place of its older state. The room will be paused, as after a
  /// restart.
  func store(in transaction: Transaction, of room: RoomName) throws {
    var queue = try QueueStore.replace(
      try QueueStore.queue(in: transaction), by: items, current: current, in: transaction)
    queue.continuation = continuation
    if let repeats, repeats != .unknown { queue.repeats = repeats }
    try QueueStore.storeHeader(of: queue, in: transaction)
    try transaction.execute(
      "UPDATE room SET volume = ?, muted = coalesce(?, muted), title = coalesce(?, title)", volume, isMuted, title)
    if let maximumVolume {
      // The lower one of two volume limits applies: hardware with a lower limit keeps it.
      var output = try QueueStore.checkpoint(in: transaction).output
      output.maximumVolume = max(1, min(output.maximumVolume, maximumVolume))
      try QueueStore.store(output, in: transaction)
    }
    try transaction.execute("UPDATE progress SET position = ?", position)
    guard let listen, let current else { return }
    let subject = Playback.ListenSubject(
      listen: listen.listen, room: room, item: items[current], startedAt: listen.startedAt)
    try transaction.execute(
      "INSERT OR REPLACE INTO open_listen (one, listen, subject) VALUES (1, ?, ?)", subject.listen,
      try MessageCoding.encode(subject))
    try transaction.execute("UPDATE progress SET heard = ?", listen.heard)
  }

  /// Returns the handover from the former holder of a node's name: from that node itself if it answered, else from its
  /// states that other nodes keep; nil if the node took over no name.
  static func received(by node: Node) async throws -> RoomHandover? {
    if let text = await node.handoverData { return try MessageCoding.decode(RoomHandover.self, from: Array(text.utf8)) }
    guard await node.hasTakenOver, let queue = await node.lastKnown(Playback.QueueState.self) else { return nil }
    return RoomHandover(queue, await node.lastKnown(Playback.RoomState.self))
  }
}

extension Room {
  /// The number of items before the current one that are handed over.
  private static let handOverPast = 50

  /// Pauses, and returns the handover as JSON. The present listen continues in the successor, so it does not end here.
  nonisolated func handOver() async throws -> String? {
    let state = try await ask { (room, reply: Reply<Playback.RoomState>, now) in
      room.machine.holdForSuccessor(at: now)
      room.moveReplies.handOver.append(reply)
    }
    let around = try await read(Playback.ReadQueue(first: 0, limit: 1))
    let current = around.current ?? 0
    var window = HandoverWindow(first: max(0, current - Self.handOverPast), current: current)
    collecting: while window.end < around.count {
      let page = try await read(Playback.ReadQueue(first: window.end, limit: 100))
      guard !page.items.isEmpty else { break }
      for item in page.items {
        guard window.add(item, size: try MessageCoding.encode(item).count) else { break collecting }
      }
    }
    var queue = around
    queue.first = window.first
    queue.items = window.items
    return String(decoding: try MessageCoding.encode(RoomHandover(queue, state)), as: UTF8.self)
  }
}

/// The part of a queue around the current item that fits into one message. The current item and those after it have
/// priority over those before it.
struct HandoverWindow {
  /// The largest size of all items, in bytes of JSON: even as a quoted text they fit into one message.
  static let limit = 140 * 1024

  /// The index in the queue of the first item.
  private(set) var first: Int
  private(set) var items: [QueueItem] = []
  private var sizes: [Int] = []
  private var size = 0
  private let current: Int

  /// The index in the queue after the last item.
  var end: Int { first + items.count }

  init(first: Int, current: Int) {
    self.first = first
    self.current = current
  }

  /// Appends the next item of the queue; `added` is its size in bytes of JSON. Returns false if it does not fit any
  /// more.
  mutating func add(_ item: QueueItem, size added: Int) -> Bool {
    guard end <= current || size + added <= Self.limit else { return false }
    items.append(item)
    sizes.append(added)
    size += added
    while size > Self.limit, first < current {
      size -= sizes.removeFirst()
      items.removeFirst()
      first += 1
    }
    return true
  }
}

import Bus
import Messages
import Model

/// Loads the tracks of an intent from the library into a room, page by page. The next page is read while the room
/// receives a part, and only these two are in memory, unless the router shuffles the tracks. The room changes its queue
/// only with the last part.
struct QueueLoader {
  let sender: any RequestSender
  let room: RoomName
  let plan: PlayPlan
  /// The time to wait for the library.
  var timeout = Duration.seconds(15)

  /// Loads the tracks. Throws the errors of `PlayPlan`, and the errors of the library and the room.
  func run() async throws -> Router.Played {
    var plan = plan
    var stream = PartStream(sender: sender, room: room)
    var parts = LoadParts()
    var unshuffled: [QueueItem] = []
    func add(_ track: Library.PlayableTrack, of id: PlayableID?) async throws {
      let item = try plan.item(track, of: id)
      if plan.isShuffledHere {
        unshuffled.append(item)
      } else if let part = try parts.add(item) {
        try await stream.send(part, isLast: false, plan)
      }
    }
    for id in plan.intent.ids {
      try await sender.readTracks(of: id, within: timeout) { try await add($0, of: id) }
    }
    for track in plan.intent.described ?? [] { try await add(Library.PlayableTrack(track, host: ""), of: nil) }
    try plan.check()
    for item in plan.shuffled(unshuffled) {
      if let part = try parts.add(item) { try await stream.send(part, isLast: false, plan) }
    }
    try await stream.send(parts.rest, isLast: true, plan)
    return Router.Played(room: room, tracks: plan.count, queue: try await stream.answer())
  }
}

extension RequestSender {
  /// Reads the tracks of an album, artist or other playable item from the library, page by page.
  func readTracks(
    of id: PlayableID, within timeout: Duration = .seconds(15), _ body: (Library.PlayableTrack) async throws -> Void
  ) async throws {
    var cursor: String?
    repeat {
      let page = try await ask(Library.ListPlayable(ids: [id], after: cursor), of: .library, within: timeout)
      for track in page.tracks { try await body(track) }
      cursor = page.next
    } while cursor != nil
  }
}

/// Sends the parts of a load one after the other, each while the next one is prepared.
private struct PartStream {
  let sender: any RequestSender
  let room: RoomName
  var index = 0
  var underWay: Task<Playback.QueueSummary, any Error>?

  mutating func send(_ items: [QueueItem], isLast: Bool, _ plan: PlayPlan) async throws {
    _ = try await answer()
    let (load, id) = (plan.part(index, items, isLast: isLast), plan.context.derived(index))
    let (sender, node) = (sender, NodeID.playback(room))
    index += 1
    // The last part takes longer, as the room replaces or extends its queue with all items.
    underWay = Task { try await sender.request(load, to: node, within: isLast ? .seconds(30) : .seconds(10), id: id) }
  }

  /// Returns the room's answer to the previous part.
  func answer() async throws -> Playback.QueueSummary {
    guard let underWay else { return Playback.QueueSummary(revision: 0, count: 0, current: nil) }
    return try await withTaskCancellationHandler {
      try await underWay.value
    } onCancel: {
      underWay.cancel()
    }
  }
}

/// Splits items into parts that fit in one request on the bus.
struct LoadParts {
  /// The largest number of items in a part.
  static let countLimit = 100
  /// The largest size of a part's items, in bytes of JSON; the other fields need the rest of the frame.
  static let sizeLimit = 150 * 1024

  /// The items since the last full part, in order.
  private(set) var rest: [QueueItem] = []
  private var size = 0

  /// Adds an item. Returns the previous part if the item no longer fits in it. An item over the size limit gets its own
  /// part. Throws `bus.badPayload` for an item that cannot be encoded as JSON.
  mutating func add(_ item: QueueItem) throws -> [QueueItem]? {
    let itemSize = try MessageCoding.encode(item).count + 1
    guard !rest.isEmpty, rest.count == Self.countLimit || size + itemSize > Self.sizeLimit else {
      rest.append(item)
      size += itemSize
      return nil
    }
    defer {
      rest = [item]
      size = itemSize
    }
    return rest
  }

  /// Returns items in parts, in their order; no parts if there are no items. Throws `bus.badPayload` for an item that
  /// cannot be encoded as JSON.
  static func split(_ items: [QueueItem]) throws -> [[QueueItem]] {
    var parts = LoadParts()
    let full = try items.compactMap { try parts.add($0) }
    return parts.rest.isEmpty ? full : full + [parts.rest]
  }
}

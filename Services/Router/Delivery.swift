import Bus
import Messages
import Model

/// Carries what an intent names from the library to a room, page by page: while a part is taken by the room the next
/// page is read, and no more than that is held, however much is played. Nothing changes in the room before the last part.
struct Delivery {
  private let asking: any Asking
  private let room: RoomName
  private let plan: PlayPlan
  private let patience: Duration

  /// - Parameter patience: how long the library is waited for.
  init(
    to asking: any Asking, room: RoomName, _ intent: Router.Play, asked context: RequestContext,
    patience: Duration = .seconds(15)
  ) {
    self.patience = patience
    self.asking = asking
    self.room = room
    plan = PlayPlan(intent, asked: context)
  }

  /// Does it.
  ///
  /// - Throws: the errors of `PlayPlan`, and what library and room throw.
  func run() async throws -> Router.Played {
    var plan = plan
    var stream = PartStream(asking: asking, room: room)
    var parts = LoadParts()
    var unmixed: [QueueItem] = []
    for id in plan.intent.ids {
      var cursor: String?
      repeat {
        let page = try await asking.ask(
          Library.ListPlayable(ids: [id], after: cursor), of: .library, within: patience)
        for track in page.tracks {
          let item = try plan.item(track, of: id)
          if plan.isMixedHere {
            unmixed.append(item)
          } else if let part = try parts.add(item) {
            try await stream.send(part, isLast: false, plan)
          }
        }
        cursor = page.next
      } while cursor != nil
    }
    try plan.check()
    for item in plan.mixed(unmixed) {
      if let part = try parts.add(item) { try await stream.send(part, isLast: false, plan) }
    }
    try await stream.send(parts.rest, isLast: true, plan)
    return Router.Played(room: room, tracks: plan.count, queue: try await stream.settled())
  }
}

/// Sends parts one after the other, each while the next is made ready.
private struct PartStream {
  let asking: any Asking
  let room: RoomName
  private var index = 0
  private var underWay: Task<Playback.QueueSummary, any Error>?

  init(asking: any Asking, room: RoomName) {
    self.asking = asking
    self.room = room
  }

  mutating func send(_ items: [QueueItem], isLast: Bool, _ plan: PlayPlan) async throws {
    _ = try await settled()
    let (load, id) = (plan.part(index, items, isLast: isLast), plan.context.derived(index))
    let (asking, node) = (asking, NodeID.playback(room))
    index += 1
    // The last part of many takes the room a while: it makes them its queue.
    underWay = Task { try await asking.ask(load, of: node, within: isLast ? .seconds(30) : .seconds(10), id: id) }
  }

  /// What the room said to the part before.
  func settled() async throws -> Playback.QueueSummary {
    guard let underWay else { return Playback.QueueSummary(revision: 0, count: 0, current: nil) }
    return try await withTaskCancellationHandler {
      try await underWay.value
    } onCancel: {
      underWay.cancel()
    }
  }
}

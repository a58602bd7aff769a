import Bus
import Messages
import Model
import ServiceKit

/// Where library and playback meet: carries out intents. It keeps nothing, so it can be ended at any moment, and an
/// intent that is sent again repeats nothing: what it asks of a room bears ids that follow from the intent's own.
struct Coordinator: Sendable {
  /// The most tracks one intent may load; it bounds the memory that one takes here and in the room.
  static let trackLimit = 50_000

  let node: Node
  let log: Log

  /// Answers requests from now on.
  func start() async {
    await node.serve(Router.Play.self) { try await play($0, asked: $1) }
    await node.serve(Router.Resolve.self) { request, _ in
      // A server may have to look at the audio before it says where it is.
      try await node.request(
        Library.LocateTrack(id: request.track, host: request.host), to: .library, within: .seconds(14))
    }
  }

  /// Plays what an intent names.
  ///
  /// - Throws: the errors of `RoomChoice` and `PlayPlan`, `router.tooMany`, and what library and room throw.
  func play(_ intent: Router.Play, asked context: RequestContext) async throws -> Router.Played {
    let room = try await rooms().room(for: intent.room)
    let plan = try PlayPlan(intent, of: try await tracks(of: intent.ids), asked: context)
    let parts = try LoadParts.split(plan.items)
    var queue = Playback.QueueSummary(revision: 0, count: 0, current: nil)
    for (index, items) in parts.enumerated() {
      let load = Playback.Load(
        load: context.id.text, part: index, isLast: index == parts.count - 1, mode: intent.mode, items: items,
        startAt: plan.startAt)
      queue = try await node.request(load, to: .playback(room), id: context.derived(index))
    }
    log.debug("played", ["room": room.rawValue, "tracks": "\(plan.items.count)", "asked by": context.from.description])
    return Router.Played(room: room, tracks: plan.items.count, queue: queue)
  }

  /// The tracks behind ids, each with the id it was asked for by.
  private func tracks(of ids: [PlayableID]) async throws -> [PlayPlan.Found] {
    var found: [PlayPlan.Found] = []
    for id in ids {
      var cursor: String?
      repeat {
        let page = try await node.request(Library.ListPlayable(ids: [id], after: cursor), to: .library)
        found += page.tracks.map { PlayPlan.Found(track: $0, place: id) }
        guard found.count <= Self.trackLimit else {
          throw LunaraError(
            "router.tooMany", "More than \(Self.trackLimit) tracks cannot be loaded at once. Choose fewer.")
        }
        cursor = page.next
      } while cursor != nil
    }
    return found
  }

  /// The rooms as they stand now. The locks of this machine tell of a room before it was heard of; what was heard tells
  /// of other machines, and of rooms that no longer answer.
  private func rooms() async -> RoomChoice {
    var known: [NodePresence] = []
    for await presences in await node.presences() {
      known = presences
      break
    }
    func names(_ nodes: [NodeID]) -> Set<RoomName> {
      Set(nodes.filter { $0.role == "playback" }.compactMap { RoomName(rawValue: $0.name) })
    }
    let away = names(known.filter(\.away).map(\.id))
    let live = names(known.filter { !$0.away }.map(\.id)).union(names(node.nodes()).subtracting(away))
    return RoomChoice(live: live, away: away)
  }
}

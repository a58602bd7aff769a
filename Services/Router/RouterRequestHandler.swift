import Bus
import Messages
import Model
import ServiceKit

/// Handles intents, which concern the library and rooms. It stores nothing, so it can be ended at any moment, and an
/// intent that is sent again repeats nothing: the ids of the requests to rooms follow from the intent's own.
struct RouterRequestHandler: Sendable {
  let node: Node
  let log: Log
  let moves: MoveCoordinator

  init(node: Node, log: Log) {
    self.node = node
    self.log = log
    moves = MoveCoordinator(sender: node, log: log)
  }

  /// Answers requests on the node from now on.
  func start() async {
    await node.serve(Router.Play.self) { try await play($0, asked: $1) }
    await node.serve(Router.Move.self) { try await moves.move($0, in: await rooms(), asked: $1) }
    await moves.follow(node)
    await node.serve(Router.Resolve.self) { request, _ in
      // A server may have to look at the audio before it says where it is.
      try await node.request(
        Library.LocateTrack(id: request.track, host: request.host), to: .library, within: .seconds(14))
    }
  }

  /// Loads the tracks of an intent into a room.
  /// Throws the errors of `RoomChoice` and `PlayPlan`, and what library and room throw.
  func play(_ intent: Router.Play, asked context: RequestContext) async throws -> Router.Played {
    let room = try await rooms().room(for: intent.room)
    let plan = PlayPlan(intent, asked: context)
    if intent.ids.contains(PlayPlan.everything) {
      // The number is known, so that too many tracks are refused before they are read for minutes.
      let catalogue = await node.snapshot(of: Library.CatalogueState.self).first { $0.node == .library }
      try plan.check(total: catalogue?.value.tracks ?? 0)
    }
    let played = try await QueueLoader(sender: node, room: room, plan: plan, timeout: try await libraryTimeout()).run()
    log.debug("played", ["room": room.rawValue, "tracks": "\(played.tracks)", "asked by": context.from.description])
    return played
  }

  /// Returns how long to wait for the library: 15 s while it runs, 5 s while it restarts.
  /// Throws `bus.unreachable` at once where it is known to have left, as a person waits for the answer.
  private func libraryTimeout() async throws -> Duration {
    let runs = !node.isMissing(.library) && node.nodes().contains(.library)
    let isAway = await presences().contains { $0.id == .library && $0.away }
    if runs { return isAway ? .seconds(5) : .seconds(15) }
    guard isAway || node.isMissing(.library) else { return .seconds(5) }
    throw LunaraError(
      "bus.unreachable", "\(NodeID.library) cannot be reached. Is it running? `lunara status` shows who is.")
  }

  /// Returns the nodes that are known now, with whether they answer.
  private func presences() async -> [NodePresence] {
    for await presences in await node.presences() { return presences }
    return []
  }

  /// Returns the rooms that are known now. The locks of this machine show a room before its first message; messages
  /// show those of other machines, and rooms that no longer answer.
  func rooms() async -> RoomChoice {
    let known = await presences()
    func names(_ nodes: [NodeID]) -> Set<RoomName> {
      Set(nodes.filter { $0.role == "playback" }.compactMap { RoomName(rawValue: $0.name) })
    }
    let away = names(known.filter(\.away).map(\.id))
    let live = names(known.filter { !$0.away }.map(\.id)).union(names(node.nodes()).subtracting(away))
    return RoomChoice(live: live, away: away)
  }
}

/// Sends requests to nodes on the bus, or to what a test puts in their place.
protocol RequestSender: Sendable {
  /// Sends a request to a node and waits for its answer; nil draws an id for the request.
  func request<R: Request>(
    _ request: R, to node: NodeID, within timeout: Duration, id: RequestID?
  ) async throws -> R.Answer
}

extension RequestSender {
  /// Sends a request with an id of its own.
  func ask<R: Request>(
    _ request: R, of node: NodeID, within timeout: Duration = .seconds(5)
  ) async throws -> R.Answer {
    try await self.request(request, to: node, within: timeout, id: nil)
  }
}

extension Node: RequestSender {}

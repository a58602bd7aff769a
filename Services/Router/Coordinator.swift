import Bus
import Messages
import Model
import ServiceKit

/// Where library and playback meet: carries out intents. It keeps nothing, so it can be ended at any moment, and an
/// intent that is sent again repeats nothing: what it asks of a room bears ids that follow from the intent's own.
struct Coordinator: Sendable {
  let node: Node
  let log: Log
  let moves: Moves

  init(node: Node, log: Log) {
    self.node = node
    self.log = log
    moves = Moves(asking: node, log: log)
  }

  /// Answers requests from now on.
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

  /// Plays what an intent names.
  ///
  /// - Throws: the errors of `RoomChoice` and `PlayPlan`, and what library and room throw.
  func play(_ intent: Router.Play, asked context: RequestContext) async throws -> Router.Played {
    let room = try await rooms().room(for: intent.room)
    if intent.ids.contains(PlayPlan.everything) {
      // Known beforehand, it is not read for minutes to be refused.
      let catalogue = await node.snapshot(of: Library.CatalogueState.self).first { $0.node == .library }
      try PlayPlan(intent, asked: context).check(total: catalogue?.value.tracks ?? 0)
    }
    let delivery = Delivery(
      to: node, room: room, intent, asked: context, patience: try await patienceWithLibrary())
    let played = try await delivery.run()
    log.debug("played", ["room": room.rawValue, "tracks": "\(played.tracks)", "asked by": context.from.description])
    return played
  }

  /// How long the library is waited for: a while where it is well, else for as long as a restart takes.
  ///
  /// - Throws: `bus.unreachable` at once where it is known to have left, as a person waits for the answer.
  private func patienceWithLibrary() async throws -> Duration {
    let runs = !node.isMissing(.library) && node.nodes().contains(.library)
    let isAway = await presences().contains { $0.id == .library && $0.away }
    if runs { return isAway ? .seconds(5) : .seconds(15) }
    guard isAway || node.isMissing(.library) else { return .seconds(5) }
    throw LunaraError(
      "bus.unreachable", "\(NodeID.library) cannot be reached. Is it running? `lunara status` shows who is.")
  }

  /// Who is known, and whether they are there, as it stands now.
  private func presences() async -> [NodePresence] {
    for await presences in await node.presences() { return presences }
    return []
  }

  /// The rooms as they stand now. The locks of this machine tell of a room before it was heard of; what was heard tells
  /// of other machines, and of rooms that no longer answer.
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

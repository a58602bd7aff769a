import Bus
import Messages
import Model
import ServiceKit

/// Handles intents, which concern the library and rooms. The handler stores nothing, so it can be ended at any time. An
/// intent that is sent again is not carried out twice: the ids of the requests to rooms follow from the intent's id.
struct RouterRequestHandler: Sendable {
  let node: Node
  let log: Log
  let moves: MoveCoordinator

  init(node: Node, log: Log) {
    self.node = node
    self.log = log
    moves = MoveCoordinator(sender: node, log: log)
  }

  /// Starts to answer requests on the node.
  func start() async {
    await node.serve(Router.Play.self) { try await play($0, asked: $1) }
    await node.serve(Router.Move.self) { try await moves.move($0, in: await rooms(), asked: $1) }
    await moves.follow(node)
    await node.serve(Router.Resolve.self) { request, _ in try await resolve(request) }
  }

  /// The time for a locator, in which a server may have to look at the audio. It ends before the room gives up.
  private static let resolveTime = Duration.seconds(14)

  /// Returns the locator of a track: that of the library, or for a description that of a plugin, where the household
  /// uses plugins. Throws the errors of the library, and for descriptions those of the resolver.
  func resolve(_ request: Router.Resolve) async throws -> Library.Locator {
    let start = ContinuousClock.now
    if let chosen = try await chosen(request) { return chosen }
    do {
      return try await node.request(
        Library.LocateTrack(id: request.track, host: request.host, described: request.described), to: .library,
        within: Self.resolveTime)
    } catch {
      guard let described = request.described, await usesPlugins() else {
        throw error
      }
      let left = Self.resolveTime - (ContinuousClock.now - start)
      do {
        return try await node.request(
          Resolver.Locate(described: described, failed: request.failed), to: .resolver, within: max(.seconds(1), left))
      } catch let failure as LunaraError where failure.code == "resolver.noPlugins" {
        // Nothing but the library was asked.
        throw LunaraError(failure.code, failure.message, cause: LunaraError(error).message)
      }
    }
  }

  /// Returns the locator of the source that a person chose for a described track, before the library is asked; nil if
  /// nobody has chosen one, or where it cannot be played.
  ///
  /// - Throws: the error of a preview, in whose place nothing else is played.
  private func chosen(_ request: Router.Resolve) async throws -> Library.Locator? {
    guard let described = request.described, let choice = described.choice, await usesPlugins() else { return nil }
    let failed = request.failed ?? []
    guard choice.wantsPreview || choice.plugin.map({ !failed.contains($0) }) == true else { return nil }
    do {
      return try await node.request(
        Resolver.Locate(described: described, failed: request.failed), to: .resolver, within: Self.resolveTime)
    } catch {
      guard !choice.wantsPreview else { throw error }
      log.debug("a chosen source cannot be played", ["reason": LunaraError(error).message])
      return nil
    }
  }

  /// Loads the tracks of an intent into a room. Throws the errors of `RoomChoice` and `PlayPlan`, and the errors of the
  /// library and the room.
  func play(_ intent: Router.Play, asked context: RequestContext) async throws -> Router.Played {
    var rooms = await rooms()
    if intent.room == nil, rooms.live.count > 1 { rooms.uses = await uses(of: rooms.live) }
    let room = try rooms.room(for: intent.room)
    let plan = PlayPlan(intent, asked: context)
    try plan.check(described: intent.described ?? [])
    try plan.check(continues: intent.continues)
    if intent.ids.contains(PlayPlan.everything) {
      // The number of all tracks is known, so too many are refused at once, and not after minutes of reading.
      let catalogue = await node.snapshot(of: Library.CatalogueState.self).first { $0.node == .library }
      try plan.check(total: catalogue?.value.tracks ?? 0)
    }
    let played = try await QueueLoader(sender: node, room: room, plan: plan, timeout: try await libraryTimeout()).run()
    log.debug("played", ["room": room.rawValue, "tracks": "\(played.tracks)", "asked by": context.from.description])
    return played
  }

  /// Returns the time to wait for the library: 15 s while it runs, 5 s while it restarts. Throws `bus.unreachable` at
  /// once if it is known to have left, as a person waits for the answer.
  private func libraryTimeout() async throws -> Duration {
    let runs = !node.isMissing(.library) && node.nodes().contains(.library)
    let isAway = await presences().contains { $0.id == .library && $0.away }
    if runs { return isAway ? .seconds(5) : .seconds(15) }
    guard isAway || node.isMissing(.library) else { return .seconds(5) }
    throw LunaraError(
      "bus.unreachable", "\(NodeID.library) cannot be reached. Is it running? `lunara status` shows who is.")
  }

  /// Returns the nodes that are known now, and whether they answer.
  private func presences() async -> [NodePresence] {
    for await presences in await node.presences() { return presences }
    return []
  }

  /// Returns true if the household has a resolver that answers.
  private func usesPlugins() async -> Bool {
    guard node.nodes().contains(.resolver), !node.isMissing(.resolver) else { return false }
    return await !presences().contains { $0.id == .resolver && $0.away }
  }

  /// Returns the rooms that are known now. The locks of this machine show its rooms before their first message;
  /// messages show the rooms of other machines, and those that no longer answer.
  func rooms() async -> RoomChoice {
    let known = await presences()
    func names(_ nodes: [NodeID]) -> Set<RoomName> {
      Set(nodes.filter { $0.role == "playback" }.compactMap { RoomName(rawValue: $0.name) })
    }
    let away = names(known.filter(\.away).map(\.id))
    let live = names(known.filter { !$0.away }.map(\.id)).union(names(node.nodes()).subtracting(away))
    return RoomChoice(live: live, away: away, here: names(node.directory.liveNodes()), isHouseholdUp: true)
  }

  /// Returns the use of rooms, which are asked at the same time; one that does not answer within 2 s is left out.
  private func uses(of rooms: Set<RoomName>) async -> [RoomName: RoomUse] {
    await withTaskGroup(of: (RoomName, RoomUse)?.self) { group in
      for room in rooms {
        group.addTask {
          do {
            let state = try await node.state(Playback.RoomState.self, of: .playback(room), within: .seconds(2))
            return state.map { (room, $0.value.use(saidAt: $0.saidAt, age: $0.age)) }
          } catch {
            // It is not known if the room plays, so another one may be chosen.
            return nil
          }
        }
      }
      return await group.reduce(into: [:]) { uses, use in if let use { uses[use.0] = use.1 } }
    }
  }
}

/// Sends requests to nodes on the bus; tests use a fake.
protocol RequestSender: Sendable {
  /// Sends a request to a node and waits for the answer; if `id` is nil, a new id is drawn.
  func request<R: Request>(
    _ request: R, to node: NodeID, within timeout: Duration, id: RequestID?
  ) async throws -> R.Answer
}

extension RequestSender {
  /// Sends a request with a new id.
  func ask<R: Request>(
    _ request: R, of node: NodeID, within timeout: Duration = .seconds(5)
  ) async throws -> R.Answer {
    try await self.request(request, to: node, within: timeout, id: nil)
  }
}

extension Node: RequestSender {}

import Bus
import Messages
import Model
import ServiceKit

/// Moves what plays from room to room, and brings to an end what another router has left unfinished.
///
/// It keeps nothing: a room that is being left says so in its state, and what the target has done it says when it is
/// asked.
actor Moves {
  private let asking: any Asking
  private let log: Log
  /// How long until rooms that do not answer are asked again.
  private let pause: Duration
  /// The moves that are being led here.
  private var led: Set<String> = []
  private var follower: Task<Void, Never>?

  /// How often a move begins anew because the queue changed while it was handed over.
  private static let attempts = 3

  init(asking: any Asking, log: Log, pause: Duration = .seconds(3)) {
    self.asking = asking
    self.log = log
    self.pause = pause
  }

  /// Looks after unfinished moves from now on.
  func follow(_ node: Node) {
    follower = Task { for await queues in await node.states(Playback.QueueState.self) { take(queues) } }
  }

  /// Ends all work.
  func stop() { follower?.cancel() }

  /// Moves what plays in a room to another one.
  ///
  /// - Throws: the errors of `RoomChoice`, `router.sameRoom`, `router.moveUnsettled`, and what the rooms throw.
  func move(
    _ intent: Router.Move, in rooms: RoomChoice, asked context: RequestContext
  ) async throws -> Playback.RoomState {
    let (from, to) = (try rooms.room(for: intent.from), try rooms.room(for: intent.to))
    guard from != to else {
      throw LunaraError("router.sameRoom", "\(from) cannot be moved to itself. Name two rooms.")
    }
    var last: LunaraError?
    for attempt in 0..<Self.attempts {
      let run = MoveRun(asking: asking, move: context.derived(attempt).text, from: from, to: to)
      led.insert(run.move)
      let result = await run.run(MoveConductor.moving())
      led.remove(run.move)
      switch result {
      case .moved:
        log.info("moved", ["from": from.rawValue, "to": to.rawValue, "asked by": context.from.description])
        return try await run.state()
      case .open(let error):
        throw LunaraError(
          "router.moveUnsettled",
          "Whether \(to) has taken over from \(from) is not known, as it does not answer. Nothing is lost: it is settled as soon as it does.",
          cause: error.description)
      case .stayed(let error):
        guard error.code == "playback.moveOutdated" else { throw error }
        last = error
      }
    }
    throw last ?? MoveConductor.interrupted
  }

  /// Takes in the queues as they stand: a move that nobody leads is ended.
  func take(_ queues: [Observed<Playback.QueueState>]) {
    for observed in queues where !observed.away {
      guard let moving = observed.value.moving, !led.contains(moving.move),
        let from = RoomName(rawValue: observed.node.name)
      else { continue }
      led.insert(moving.move)
      Task { await settle(MoveRun(asking: asking, move: moving.move, from: from, to: moving.to)) }
    }
  }

  private func settle(_ run: MoveRun) async {
    let result = await run.run(MoveConductor.recovering())
    switch result {
    case .moved: log.info("a move was finished", ["from": run.from.rawValue, "to": run.to.rawValue])
    case .stayed: log.info("a move was called off", ["from": run.from.rawValue, "to": run.to.rawValue])
    case .open: break
    }
    do { try await Task.sleep(for: pause) } catch { return }
    led.remove(run.move)
    await again(run)
  }

  /// Goes on where the move is marked still.
  private func again(_ run: MoveRun) async {
    do {
      let queue = try await asking.ask(Playback.ReadQueue(first: 0, limit: 1), of: .playback(run.from))
      guard queue.moving?.move == run.move, !led.contains(run.move) else { return }
    } catch {
      // A source that does not answer says what it is held for when it is back.
      return
    }
    led.insert(run.move)
    await settle(run)
  }
}

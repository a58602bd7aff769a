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
  /// The moves that somebody here asks the rooms about just now: two at once would undo each other's steps.
  private var led: Set<String> = []
  /// The moves that are looked after here until their source shows them no more.
  private var settling: Set<String> = []
  /// The rooms that are there, as far as is known.
  private var here: Set<RoomName> = []
  private var isStopped = false
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
  func stop() {
    isStopped = true
    follower?.cancel()
  }

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
      switch try await lead(run) {
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

  /// Leads a move from its beginning. Whatever comes of it, its source is looked at afterwards: a room that did not
  /// answer in time may be held for it, or not be cleared.
  private func lead(_ run: MoveRun) async throws -> MoveConductor.Result {
    // An intent that was sent again may meet who looks after the move. Each look has its end.
    while !led.insert(run.move).inserted { try await Task.sleep(for: .milliseconds(20)) }
    defer {
      led.remove(run.move)
      settle(run)
    }
    return await run.run(MoveConductor.moving())
  }

  /// Takes in the queues as they stand: a move that nobody leads is ended.
  func take(_ queues: [Observed<Playback.QueueState>]) {
    here = Set(queues.filter { !$0.away }.compactMap { RoomName(rawValue: $0.node.name) })
    for observed in queues where !observed.away {
      guard let moving = observed.value.moving, !led.contains(moving.move),
        let from = RoomName(rawValue: observed.node.name)
      else { continue }
      settle(MoveRun(asking: asking, move: moving.move, from: from, to: moving.to))
    }
  }

  /// Looks after a move until its source shows it no more.
  private func settle(_ run: MoveRun) {
    guard settling.insert(run.move).inserted else { return }
    Task {
      while !isStopped {
        if led.insert(run.move).inserted {
          let isOver = await end(run)
          led.remove(run.move)
          if isOver { break }
        }
        do { try await Task.sleep(for: pause) } catch { break }
      }
      settling.remove(run.move)
    }
  }

  /// Ends a move where its source shows it; true where that shows it no more, or is away. That the source is asked, and
  /// not believed by what it has published, makes sure that it is not held by now.
  private func end(_ run: MoveRun) async -> Bool {
    let moving: Playback.Moving?
    do {
      moving = try await asking.ask(Playback.ReadQueue(first: 0, limit: 1), of: .playback(run.from)).moving
    } catch {
      // One that is away says what it is held for when it is back.
      return !here.contains(run.from)
    }
    guard let moving, moving.move == run.move else { return true }
    switch await run.run(MoveConductor.recovering(isHeld: moving.heldAt != nil)) {
    case .moved: log.info("a move was finished", ["from": run.from.rawValue, "to": run.to.rawValue])
    case .stayed: log.info("a move was called off", ["from": run.from.rawValue, "to": run.to.rawValue])
    case .open: break
    }
    return false
  }
}

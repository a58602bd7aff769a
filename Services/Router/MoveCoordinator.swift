import Bus
import Messages
import Model
import ServiceKit

/// Moves queues from room to room, and ends moves that another router left unfinished.
///
/// The coordinator stores nothing: a room whose queue is being moved publishes that in its state, and the target room
/// answers whether it has committed the move.
actor MoveCoordinator {
  private let sender: any RequestSender
  private let log: Log
  /// The time after which rooms that did not answer are asked again.
  private let pause: Duration
  /// The moves that this coordinator is carrying out or ending now: two runs of one move at once would undo each
  /// other's steps.
  private var running: Set<String> = []
  /// The moves that are watched until their source no longer reports them.
  private var watched: Set<String> = []
  /// The rooms that answer, as last reported.
  private var present: Set<RoomName> = []
  private var isStopped = false
  private var follower: Task<Void, Never>?

  /// The number of attempts if the queue changes during a move.
  private static let attempts = 3

  init(sender: any RequestSender, log: Log, pause: Duration = .seconds(3)) {
    self.sender = sender
    self.log = log
    self.pause = pause
  }

  /// Starts to end unfinished moves.
  func follow(_ node: Node) {
    follower = Task { for await queues in await node.states(Playback.QueueState.self) { update(queues) } }
  }

  func stop() {
    isStopped = true
    follower?.cancel()
  }

  /// Moves the queue of a room to another one, and returns the target's state.
  ///
  /// Throws the errors of `RoomChoice`, `router.sameRoom`, `router.moveUnsettled`, and the errors of the rooms.
  func move(
    _ intent: Router.Move, in rooms: RoomChoice, asked context: RequestContext
  ) async throws -> Playback.RoomState {
    let (from, to) = (try rooms.room(for: intent.from), try rooms.room(for: intent.to))
    guard from != to else {
      throw LunaraError("router.sameRoom", "\(from) cannot be moved to itself. Name two rooms.")
    }
    var last: LunaraError?
    for attempt in 0..<Self.attempts {
      let run = MoveRunner(
        sender: sender, move: context.derived(attempt).text, from: from, to: to, keepsQueue: intent.keepsQueue)
      let (result, target) = try await carryOut(run)
      switch result {
      case .moved:
        log.info("moved", ["from": from.rawValue, "to": to.rawValue, "asked by": context.from.description])
        if let target { return target }
        return try await run.state()
      case .open(let error):
        throw LunaraError(
          "router.moveUnsettled",
          "\(to) does not answer, so it is not known whether it has the queue of \(from). Nothing is lost: the move ends as soon as it answers.",
          cause: error.description)
      case .stayed(let error):
        guard error.code == "playback.moveOutdated" else { throw error }
        last = error
      }
    }
    throw last ?? MoveStateMachine.interrupted
  }

  /// Carries out a move from its beginning. The source is watched afterwards whatever the result: a room that did not
  /// answer in time may be held for the move, or may still have to be cleared.
  private func carryOut(_ run: MoveRunner) async throws -> MoveRunner.Outcome {
    // A watcher may be asking the rooms about the same move; that ends soon.
    while !running.insert(run.move).inserted { try await Task.sleep(for: .milliseconds(20)) }
    defer {
      running.remove(run.move)
      watch(run)
    }
    return await run.run(MoveStateMachine.moving())
  }

  /// Handles the states of all queues: starts to watch the moves that are not being carried out here.
  func update(_ queues: [Observed<Playback.QueueState>]) {
    present = Set(queues.filter { !$0.away }.compactMap { RoomName(rawValue: $0.node.name) })
    for observed in queues where !observed.away {
      guard let moving = observed.value.moving, !running.contains(moving.move),
        let from = RoomName(rawValue: observed.node.name)
      else { continue }
      watch(MoveRunner(sender: sender, move: moving.move, from: from, to: moving.to))
    }
  }

  /// Asks about a move, and ends it, until its source no longer reports it.
  private func watch(_ run: MoveRunner) {
    guard watched.insert(run.move).inserted else { return }
    Task {
      while !isStopped {
        if running.insert(run.move).inserted {
          let isOver = await end(run)
          running.remove(run.move)
          if isOver { break }
        }
        do { try await Task.sleep(for: pause) } catch { break }
      }
      watched.remove(run.move)
    }
  }

  /// Ends a move that its source still reports. Returns true if the source no longer reports it, or is away. The source
  /// is asked, as its published state may be too old to show that the room is held.
  private func end(_ run: MoveRunner) async -> Bool {
    let moving: Playback.Moving?
    do {
      moving = try await sender.ask(Playback.ReadQueue(first: 0, limit: 1), of: .playback(run.from)).moving
    } catch {
      // A room that is away reports the move again when it is back.
      return !present.contains(run.from)
    }
    guard let moving, moving.move == run.move else { return true }
    switch await run.run(MoveStateMachine.recovering(isHeld: moving.heldAt != nil)).result {
    case .moved: log.info("a move was finished", ["from": run.from.rawValue, "to": run.to.rawValue])
    case .stayed: log.info("a move was cancelled", ["from": run.from.rawValue, "to": run.to.rawValue])
    case .open: break
    }
    return false
  }
}

/// Carries out the actions of a move's state machine: asks the two rooms, and transfers the items.
///
/// The move's name follows from the intent's id, so that a repeated intent continues the same move. Each question has
/// its own id: repeating a question is harmless, as the rooms know the move, but the bus would answer a known id with
/// the old answer, which may no longer be true.
struct MoveRunner: Sendable {
  let sender: any RequestSender
  let move: String
  let from: RoomName
  let to: RoomName
  /// True if the target keeps its queue after the moved items. A move that is only ended does not need it.
  var keepsQueue: Bool?

  private static let timeout = Duration.seconds(4)
  /// The timeout of the last part, after which the target prepares to play.
  private static let preparationTimeout = Duration.seconds(12)

  /// The result of a move, and the state with which the target answered that it committed it; nil if that answer was
  /// lost, or did not come.
  typealias Outcome = (result: MoveStateMachine.Result, target: Playback.RoomState?)

  /// Carries out the move until it is over, and returns its outcome.
  func run(_ start: (MoveStateMachine, MoveStateMachine.Action)) async -> Outcome {
    var (machine, action) = start
    var target: Playback.RoomState?
    while true {
      switch action {
      case .finish(let result): return (result, target)
      case .ask(let question, let side): action = machine.handle(await reply(to: question, of: side, &target))
      }
    }
  }

  /// Returns the state of the target, which has committed the move. Throws `router.moveUnsettled` if it does not
  /// answer.
  func state() async throws -> Playback.RoomState {
    let nothing = Playback.Moved(
      revision: 0, count: 0, current: 0, position: .zero, isPlaying: false, listen: nil, modes: Playback.Modes(),
      continuation: nil)
    var last: LunaraError?
    for _ in 0..<2 {
      do {
        return try await sender.ask(
          Playback.CommitMove(move: move, moved: nothing), of: .playback(to), within: Self.timeout)
      } catch {
        last = LunaraError(error)
      }
    }
    throw LunaraError(
      "router.moveUnsettled",
      "The queue of \(from) is in \(to) now, but \(to) does not answer. `lunara rooms` shows when it is back.",
      cause: last?.description)
  }

  private func reply(
    to question: MoveStateMachine.Question, of side: MoveStateMachine.Side, _ target: inout Playback.RoomState?
  ) async -> MoveStateMachine.Reply {
    let room = NodeID.playback(side == .source ? from : to)
    do {
      switch question {
      case .offer:
        return .offered(
          try await sender.ask(Playback.OfferMove(move: move, to: to), of: room, within: Self.timeout))
      case .prepare(let moved):
        try await handOver(moved)
        return .prepared
      case .hold:
        return .held(try await sender.ask(Playback.HoldForMove(move: move), of: room, within: Self.timeout))
      case .commit(let moved):
        target = try await sender.ask(
          Playback.CommitMove(move: move, moved: moved, keepsQueue: keepsQueue), of: room, within: Self.timeout)
        return .committed
      case .end(let done):
        let outcome = try await sender.ask(
          Playback.EndMove(move: move, done: done), of: room, within: Self.timeout)
        return .ended(wasCommitted: outcome.isCommitted)
      }
    } catch {
      return .failed(LunaraError(error))
    }
  }

  /// Reads the items from the source and sends them to the target, page by page.
  private func handOver(_ moved: Playback.Moved) async throws {
    var first = 0
    var part = 0
    repeat {
      let page = try await sender.ask(Playback.ReadQueue(first: first, limit: 100), of: .playback(from))
      guard page.revision == moved.revision, page.first == first, !page.items.isEmpty else { throw Self.outdated }
      first += page.items.count
      let isLast = first >= moved.count
      _ = try await sender.ask(
        Playback.PrepareMove(
          move: move, moved: moved, part: part, isLast: isLast, items: page.items, homes: page.homes),
        of: .playback(to), within: isLast ? Self.preparationTimeout : Self.timeout)
      part += 1
    } while first < moved.count
  }

  private static let outdated = LunaraError(
    "playback.moveOutdated", "The queue changed while it was being handed over. Move again.")
}

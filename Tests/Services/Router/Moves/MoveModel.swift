import Messages
import Model

@testable import lunara_playback
@testable import lunara_router

/// A model of two rooms, a router and the messages between them, small enough to try every possible run.
struct MoveModel: Hashable {
  /// A room with the part of a queue that the protocol knows: whether it has the moving queue, and whether it plays it.
  struct Room: Hashable {
    var hasQueue: Bool
    var isPlaying = false
    var book = MoveState()
    var queueRevision: Int64 = 1

    /// Restarts the room after a kill: it is paused, with its stored state.
    mutating func restart() {
      isPlaying = false
      let held = book.outgoing.flatMap { $0.isHeld ? $0 : nil }
      book = MoveState(outgoing: held, endings: book.endings)
    }
  }

  /// A message that was sent and not delivered yet, to a room or back.
  enum Message: Hashable {
    case question(MoveStateMachine.Question, MoveStateMachine.Side, attempt: Int)
    case reply(MoveStateMachine.Reply, attempt: Int)
  }

  /// The process that leads the move. The number of its attempt distinguishes late replies from its own.
  struct Leader: Hashable {
    var machine: MoveStateMachine
    var attempt: Int
  }

  /// The number of failures that may still happen.
  struct Trouble: Hashable {
    var timeouts = 0
    var doubles = 0
    var kills = 0
    var intents = 0
    var edits = 0
  }

  var source = Room(hasQueue: true)
  var target = Room(hasQueue: false)
  var leader: Leader?
  var attempts = 0
  var messages: Set<Message> = []
  var trouble: Trouble
  let wasPlaying: Bool

  init(playing: Bool, trouble: Trouble) {
    source.isPlaying = playing
    wasPlaying = playing
    self.trouble = trouble
    begin()
  }

  static let moved = Playback.Moved(
    revision: 1, count: 1, current: 0, position: .zero, isPlaying: true, listen: nil, modes: Playback.Modes(),
    continuation: nil)

  /// The intent to move arrives at the router, for the first time or again.
  mutating func begin() {
    let (machine, action) = MoveStateMachine.moving()
    lead(machine, action)
  }

  /// The router sees an unfinished move.
  mutating func recover() {
    let (machine, action) = MoveStateMachine.recovering(isHeld: source.book.outgoing?.isHeld == true)
    lead(machine, action)
  }

  private mutating func lead(_ machine: MoveStateMachine, _ action: MoveStateMachine.Action) {
    leader = Leader(machine: machine, attempt: attempts)
    perform(action)
  }

  private mutating func perform(_ action: MoveStateMachine.Action) {
    switch action {
    case .finish: leader = nil
    case .ask(let question, let side):
      attempts += 1
      leader?.attempt = attempts
      messages.insert(.question(question, side, attempt: attempts))
    }
  }

  /// The leader receives a reply.
  mutating func hear(_ reply: MoveStateMachine.Reply) {
    guard var present = leader else { return }
    let action = present.machine.handle(reply)
    leader = present
    perform(action)
  }

  /// Delivers a message; a duplicated one also stays under way.
  mutating func deliver(_ message: Message, keeping: Bool = false) {
    if !keeping { messages.remove(message) }
    switch message {
    case .question(let question, let side, let attempt):
      let reply = side == .source ? source.answer(question, move: "m") : target.answer(question, move: "m")
      messages.insert(.reply(reply, attempt: attempt))
    case .reply(let reply, let attempt):
      if leader?.attempt == attempt { hear(reply) }
    }
  }

  /// True while the source reports that a move is under way.
  var isMarked: Bool { source.book.outgoing != nil }
}

extension MoveModel.Room {
  /// Answers as a real room does, without sound.
  mutating func answer(_ question: MoveStateMachine.Question, move: String) -> MoveStateMachine.Reply {
    do {
      switch question {
      case .offer:
        guard book.ending(of: move) == nil else { throw MoveState.outdated }
        guard hasQueue else { throw LunaraError("playback.nothingToMove", "") }
        try book.offer(move, to: RoomName(from: "den"), revision: queueRevision, playing: isPlaying)
        return .offered(MoveModel.moved)
      case .prepare:
        _ = try book.prepare(move, part: 0, items: 1, isLast: true)
        return .prepared
      case .hold:
        try book.hold(move, revision: queueRevision, playing: isPlaying, on: Timestamp(seconds: 1))
        isPlaying = false
        var moved = MoveModel.moved
        moved.isPlaying = book.outgoing?.moving.wasPlaying == true
        return .held(moved)
      case .commit(let moved):
        if try book.commit(move) {
          hasQueue = true
          isPlaying = moved.isPlaying
        }
        return .committed
      case .end(let done):
        let (outcome, consequence) = book.end(move, done: done)
        switch consequence {
        case .clear:
          hasQueue = false
          isPlaying = false
        case .goOn(let playing): isPlaying = playing
        case .nothing, .unmark, .forget: break
        }
        return .ended(wasCommitted: outcome.isCommitted)
      }
    } catch {
      return .failed(LunaraError(error))
    }
  }
}

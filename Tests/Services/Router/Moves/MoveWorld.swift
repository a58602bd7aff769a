import Messages
import Model

@testable import lunara_playback
@testable import lunara_router

/// Two rooms, a router and what is under way between them, small enough that all that can happen can be tried.
struct MoveWorld: Hashable {
  /// A room with as much of a queue as the protocol knows of: whether it has the one that moves, and plays it.
  struct Room: Hashable {
    var hasQueue: Bool
    var isPlaying = false
    var book = MoveState()
    var queueRevision: Int64 = 1

    /// What a killed room finds again: it waits, and knows what it had stored.
    mutating func restart() {
      isPlaying = false
      let held = book.outgoing.flatMap { $0.isHeld ? $0 : nil }
      book = MoveState(outgoing: held, endings: book.endings)
    }
  }

  /// A message that was sent and not delivered yet, to a room or back.
  enum Message: Hashable {
    case question(MoveConductor.Question, MoveConductor.Side, attempt: Int)
    case reply(MoveConductor.Reply, attempt: Int)
  }

  /// Somebody who leads the move: the attempt's number tells late replies from its own.
  struct Leader: Hashable {
    var conductor: MoveConductor
    var attempt: Int
  }

  /// How much may go wrong from here on.
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

  /// The intent arrives at the router, or does so once more.
  mutating func begin() {
    let (conductor, action) = MoveConductor.moving()
    lead(conductor, action)
  }

  /// The router sees that a move was left unfinished.
  mutating func recover() {
    let (conductor, action) = MoveConductor.recovering(isHeld: source.book.outgoing?.isHeld == true)
    lead(conductor, action)
  }

  private mutating func lead(_ conductor: MoveConductor, _ action: MoveConductor.Action) {
    leader = Leader(conductor: conductor, attempt: attempts)
    perform(action)
  }

  private mutating func perform(_ action: MoveConductor.Action) {
    switch action {
    case .finish: leader = nil
    case .ask(let question, let side):
      attempts += 1
      leader?.attempt = attempts
      messages.insert(.question(question, side, attempt: attempts))
    }
  }

  /// The leader hears something.
  mutating func hear(_ reply: MoveConductor.Reply) {
    guard var present = leader else { return }
    let action = present.conductor.take(reply)
    leader = present
    perform(action)
  }

  /// A message arrives; where it is doubled it stays under way as well.
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

  /// What the source shows: a move that is under way.
  var isMarked: Bool { source.book.outgoing != nil }
}

extension MoveWorld.Room {
  /// What the shell around the book does, without the sound.
  mutating func answer(_ question: MoveConductor.Question, move: String) -> MoveConductor.Reply {
    do {
      switch question {
      case .offer:
        guard book.ending(of: move) == nil else { throw MoveState.outdated }
        guard hasQueue else { throw LunaraError("playback.nothingToMove", "") }
        try book.offer(move, to: RoomName(from: "den"), revision: queueRevision, playing: isPlaying)
        return .offered(MoveWorld.moved)
      case .prepare:
        _ = try book.prepare(move, part: 0, items: 1, isLast: true)
        return .prepared
      case .hold:
        try book.hold(move, revision: queueRevision, playing: isPlaying, on: Timestamp(seconds: 1))
        isPlaying = false
        var moved = MoveWorld.moved
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

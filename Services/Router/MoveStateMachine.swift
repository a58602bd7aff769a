import Messages
import Model

/// Decides the steps of a move: the next question and the room to ask, from the reply to the last question. The state
/// machine does no I/O and is kept in memory only; if it is lost, a new one that starts with `recovering` ends the
/// move.
///
/// After the source has accepted the offer, and until the target is asked to commit, a failure releases the source at
/// once. At any other time only the target knows whether the move was committed: it may just have been asked to commit,
/// or an earlier run of the same intent may have asked it.
struct MoveStateMachine: Hashable, Sendable {
  enum Side: Hashable, Sendable {
    case source, target
  }

  enum Question: Hashable, Sendable {
    case offer
    /// Transfers all items, and lets the target prepare.
    case prepare(Playback.Moved)
    case hold
    case commit(Playback.Moved)
    case end(done: Bool)
  }

  enum Reply: Hashable, Sendable {
    case offered(Playback.Moved)
    case prepared
    case held(Playback.Moved)
    case committed
    case ended(wasCommitted: Bool)
    case failed(LunaraError)
  }

  enum Action: Hashable, Sendable {
    case ask(Question, of: Side)
    case finish(Result)
  }

  enum Result: Hashable, Sendable {
    /// The target has the queue.
    case moved
    /// The source has the queue, for this reason.
    case stayed(LunaraError)
    /// One of the two rooms did not answer, and must be asked again later.
    case open(LunaraError)
  }

  private enum Step: Hashable {
    case offering
    case preparing
    case holding
    case committing
    /// The target is asked whether it committed, after this error.
    case inquiring(LunaraError)
    /// The source is being told that the move is done, and clears its queue.
    case clearing
    /// The source is being released after this error; if `tellsTarget`, the target is told next.
    case releasing(LunaraError, tellsTarget: Bool)
    case forgetting(LunaraError)
    case over
  }

  private var step: Step

  /// Returns the state machine of a new move, and its first action.
  static func moving() -> (MoveStateMachine, Action) { (MoveStateMachine(step: .offering), .ask(.offer, of: .source)) }

  /// Returns the state machine of a move that a router left unfinished, and its first action.
  ///
  /// - Parameter isHeld: true if the source reports that it is held. If it is not, nobody can have asked the target to
  ///   commit, so the source is released without asking the target, which may be away for long.
  static func recovering(isHeld: Bool) -> (MoveStateMachine, Action) {
    if isHeld { return (MoveStateMachine(step: .inquiring(interrupted)), .ask(.end(done: false), of: .target)) }
    return (
      MoveStateMachine(step: .releasing(interrupted, tellsTarget: true)), .ask(.end(done: false), of: .source)
    )
  }

  /// Handles the reply to the last question, and returns the next action.
  mutating func handle(_ reply: Reply) -> Action {
    switch (step, reply) {
    case (.offering, .offered(let moved)): return ask(.prepare(moved), of: .target, .preparing)
    case (.preparing, .prepared): return ask(.hold, of: .source, .holding)
    case (.holding, .held(let moved)): return ask(.commit(moved), of: .target, .committing)
    case (.committing, .committed): return ask(.end(done: true), of: .source, .clearing)
    // A source that has completed this move answers differently, even if it plays something else by now.
    case (.offering, .failed(let error)) where error.code == "playback.nothingToMove": return finish(.stayed(error))
    // The intent may be a repetition of one that was carried out, so the target is asked.
    case (.offering, .failed(let error)): return ask(.end(done: false), of: .target, .inquiring(error))
    case (.preparing, .failed(let error)), (.holding, .failed(let error)): return release(error, tellsTarget: true)
    case (.committing, .failed(let error)):
      // Only if nothing was sent is it certain that the target has not committed: a refusal may answer a repetition of
      // the question.
      if error.code == "bus.unreachable" { return release(error, tellsTarget: true) }
      return ask(.end(done: false), of: .target, .inquiring(error))
    case (.inquiring(let error), .ended(let wasCommitted)):
      return wasCommitted ? ask(.end(done: true), of: .source, .clearing) : release(error, tellsTarget: false)
    case (.inquiring(let error), .failed): return finish(.open(error))
    // The target has the queue, even if the source can only be cleared later.
    case (.clearing, .ended), (.clearing, .failed): return finish(.moved)
    case (.releasing(let error, let tellsTarget), .ended), (.releasing(let error, let tellsTarget), .failed):
      return tellsTarget ? ask(.end(done: false), of: .target, .forgetting(error)) : finish(.stayed(error))
    case (.forgetting(let error), .ended), (.forgetting(let error), .failed): return finish(.stayed(error))
    case (_, _): return finish(.open(Self.interrupted))
    }
  }

  private mutating func ask(_ question: Question, of side: Side, _ step: Step) -> Action {
    self.step = step
    return .ask(question, of: side)
  }

  private mutating func release(_ error: LunaraError, tellsTarget: Bool) -> Action {
    ask(.end(done: false), of: .source, .releasing(error, tellsTarget: tellsTarget))
  }

  private mutating func finish(_ result: Result) -> Action {
    step = .over
    return .finish(result)
  }

  static let interrupted = LunaraError("router.moveBroken", "A move was interrupted. Move again if you still want it.")
}

import Messages
import Model

/// How a move is led, step by step: says what to ask next, and takes what came of it. A pure state machine; it is in
/// memory only, and one that is lost is made good by another that begins with `recovering`.
///
/// Between an offer that was accepted and the question to commit, the source can be let go on at once. Before, as an
/// intent may be sent again, and after, only the target knows.
struct MoveConductor: Hashable, Sendable {
  /// Which of the two rooms.
  enum Side: Hashable, Sendable {
    case source, target
  }

  /// What is asked of a room.
  enum Question: Hashable, Sendable {
    case offer
    /// Hand all items over, and have the target make ready.
    case prepare(Playback.Moved)
    case hold
    case commit(Playback.Moved)
    case end(done: Bool)
  }

  /// What came of a question.
  enum Reply: Hashable, Sendable {
    case offered(Playback.Moved)
    case prepared
    case held(Playback.Moved)
    case committed
    case ended(wasCommitted: Bool)
    case failed(LunaraError)
  }

  /// What to do next.
  enum Action: Hashable, Sendable {
    case ask(Question, of: Side)
    case finish(Result)
  }

  /// What came of the move.
  enum Result: Hashable, Sendable {
    /// The target has it.
    case moved
    /// The source has it, for this reason.
    case stayed(LunaraError)
    /// One of the two rooms does not answer; it is to be asked again later.
    case open(LunaraError)
  }

  private enum Step: Hashable {
    case offering
    case preparing
    case holding
    case committing
    /// Whether it was committed is being asked, after this.
    case inquiring(LunaraError)
    /// The source is being cleared.
    case clearing
    /// The source is let go on; then the target is told, unless it knows.
    case releasing(LunaraError, tellsTarget: Bool)
    case forgetting(LunaraError)
    case over
  }

  private var step: Step

  /// A move from its beginning; the first action is to be done.
  static func moving() -> (MoveConductor, Action) { (MoveConductor(step: .offering), .ask(.offer, of: .source)) }

  /// A move that was left unfinished by somebody.
  ///
  /// - Parameter isHeld: whether the source is held for it, as it says now. Where it is not, nobody can have asked the
  ///   target to commit, so the source is let go without the target's word, which may be away for long.
  static func recovering(isHeld: Bool) -> (MoveConductor, Action) {
    if isHeld { return (MoveConductor(step: .inquiring(interrupted)), .ask(.end(done: false), of: .target)) }
    return (
      MoveConductor(step: .releasing(interrupted, tellsTarget: true)), .ask(.end(done: false), of: .source)
    )
  }

  /// Takes what came of the question that was asked last.
  mutating func take(_ reply: Reply) -> Action {
    switch (step, reply) {
    case (.offering, .offered(let moved)): return ask(.prepare(moved), of: .target, .preparing)
    case (.preparing, .prepared): return ask(.hold, of: .source, .holding)
    case (.holding, .held(let moved)): return ask(.commit(moved), of: .target, .committing)
    case (.committing, .committed): return ask(.end(done: true), of: .source, .clearing)
    // A source that has handed this move on says so, whatever it has by now.
    case (.offering, .failed(let error)) where error.code == "playback.nothingToMove": return finish(.stayed(error))
    // An intent that is sent again may meet what an earlier one has done.
    case (.offering, .failed(let error)): return ask(.end(done: false), of: .target, .inquiring(error))
    case (.preparing, .failed(let error)), (.holding, .failed(let error)): return release(error, tellsTarget: true)
    case (.committing, .failed(let error)):
      // Only where nothing was ever sent is it sure; a refusal may have crossed with the same question, doubled.
      if error.code == "bus.unreachable" { return release(error, tellsTarget: true) }
      return ask(.end(done: false), of: .target, .inquiring(error))
    case (.inquiring(let error), .ended(let wasCommitted)):
      return wasCommitted ? ask(.end(done: true), of: .source, .clearing) : release(error, tellsTarget: false)
    case (.inquiring(let error), .failed): return finish(.open(error))
    // The target has it, whether the source can be cleared now or later.
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

  static let interrupted = LunaraError("router.moveBroken", "A move was broken off. Move again if it is still wanted.")
}

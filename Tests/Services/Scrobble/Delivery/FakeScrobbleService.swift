import Synchronization

@testable import lunara_scrobble

/// A service that keeps one listen for each time, artist and title, as Last.fm and ListenBrainz do, and that can be
/// told how to answer.
final class FakeScrobbleService: ScrobbleClient {
  /// The reaction to the next request.
  enum Reaction: Sendable {
    case well
    /// It gives this result and keeps nothing.
    case gives(SendResult)
    /// It keeps everything, and its answer is lost.
    case losesAnswer
  }

  struct State {
    /// The listens that it keeps, with the number of times that each arrived.
    var kept: [Submission: Int] = [:]
    var order: [Submission] = []
    var requests: [[Submission]] = []
    var announced: [Submission] = []
    /// The next results for now-playing reports; after them all are accepted.
    var announceResults: [SendResult] = []
    var reactions: [Reaction] = []
    var loved: [String: Bool] = [:]
    /// The number of requests under way, and their maximum so far.
    var open = 0
    var mostOpen = 0
    /// Returns the result for a batch; nil where it is accepted.
    var judge: @Sendable ([Submission]) -> SendResult? = { _ in nil }
    var hangs = false
    /// True to skip the rest of a batch from the first listen on that is known, as Maloja does.
    var stopsAtKnown = false
    /// The result for every love; nil where it is accepted.
    var loveResult: SendResult?
    /// The number of requests about loves.
    var loveCount = 0
    /// A function that is called in the middle of a request.
    var meanwhile: @Sendable () async -> Void = {}
  }

  let batchLimit: Int
  let state = Mutex(State())

  init(batch: Int = 4) { batchLimit = batch }

  func submit(_ batch: [Submission]) async throws -> SendResult {
    let (reaction, hangs) = state.withLock { state -> (Reaction, Bool) in
      state.requests.append(batch)
      state.open += 1
      state.mostOpen = max(state.mostOpen, state.open)
      return (state.reactions.isEmpty ? .well : state.reactions.removeFirst(), state.hangs)
    }
    defer { state.withLock { $0.open -= 1 } }
    await state.withLock { $0.meanwhile }()
    if case .gives(let result) = reaction { return result }
    if let result = state.withLock({ $0.judge })(batch) { return result }
    state.withLock { state in
      for item in batch {
        if state.stopsAtKnown, state.kept[item] != nil { break }
        if state.kept[item] == nil { state.order.append(item) }
        state.kept[item, default: 0] += 1
      }
    }
    if hangs { try await Task.sleep(for: .seconds(3600)) }
    if case .losesAnswer = reaction {
      return SendResult(.failed("the answer was lost", isAnswer: false), mayHaveArrived: true)
    }
    return SendResult(.answered(batch.map { _ in .accepted(nil) }))
  }

  func announce(_ now: Submission) async throws -> SendResult {
    state.withLock { state in
      state.announced.append(now)
      return state.announceResults.isEmpty
        ? SendResult(.answered([.accepted(nil)])) : state.announceResults.removeFirst()
    }
  }

  func love(_ track: Submission, _ isLoved: Bool) async throws -> SendResult {
    state.withLock { $0.loveCount += 1 }
    if let result = state.withLock({ $0.loveResult }) { return result }
    state.withLock { $0.loved[track.title] = isLoved }
    return SendResult(.answered([.accepted(nil)]))
  }

  var titles: [String] { state.withLock { $0.order.map(\.title) } }
}

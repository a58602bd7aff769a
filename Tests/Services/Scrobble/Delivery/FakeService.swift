import Synchronization

@testable import lunara_scrobble

/// A service that keeps one listen of each time, artist and title, as Last.fm and ListenBrainz do, and does as it is told.
final class FakeService: Backend {
  /// How it takes the next request.
  enum Mood: Sendable {
    case well
    /// Gives this result, and takes nothing.
    case gives(SendResult)
    /// Takes it all, and the answer is lost.
    case losesAnswer
  }

  struct State {
    /// What it keeps, and how often each came.
    var kept: [Submission: Int] = [:]
    var order: [Submission] = []
    var requests: [[Submission]] = []
    var announced: [Submission] = []
    /// What it says of what is heard now, one after the other; then it takes it.
    var announceResults: [SendResult] = []
    var moods: [Mood] = []
    var loved: [String: Bool] = [:]
    /// How many requests are under way, and the most that ever were.
    var open = 0
    var mostOpen = 0
    /// Looks at every batch; nil where it is taken.
    var judge: @Sendable ([Submission]) -> SendResult? = { _ in nil }
    var hangs = false
    /// What it says of love, and takes none; nil where it takes it.
    var loveResult: SendResult?
    /// How often it was told of love, whatever came of it.
    var loveCount = 0
    /// Is called in the middle of a request.
    var meanwhile: @Sendable () async -> Void = {}
  }

  let batchLimit: Int
  let state = Mutex(State())

  init(batch: Int = 4) { batchLimit = batch }

  func submit(_ batch: [Submission]) async throws -> SendResult {
    let (mood, hangs) = state.withLock { state -> (Mood, Bool) in
      state.requests.append(batch)
      state.open += 1
      state.mostOpen = max(state.mostOpen, state.open)
      return (state.moods.isEmpty ? .well : state.moods.removeFirst(), state.hangs)
    }
    defer { state.withLock { $0.open -= 1 } }
    await state.withLock { $0.meanwhile }()
    if case .gives(let result) = mood { return result }
    if let result = state.withLock({ $0.judge })(batch) { return result }
    state.withLock { state in
      for item in batch {
        if state.kept[item] == nil { state.order.append(item) }
        state.kept[item, default: 0] += 1
      }
    }
    if hangs { try await Task.sleep(for: .seconds(3600)) }
    if case .losesAnswer = mood { return SendResult(.failed("the answer was lost", isAnswer: false)) }
    return SendResult(.answered(batch.map { _ in .taken(nil) }))
  }

  func announce(_ now: Submission) async throws -> SendResult {
    state.withLock { state in
      state.announced.append(now)
      return state.announceResults.isEmpty ? SendResult(.answered([.taken(nil)])) : state.announceResults.removeFirst()
    }
  }

  func love(_ track: Submission, _ isLoved: Bool) async throws -> SendResult {
    state.withLock { $0.loveCount += 1 }
    if let result = state.withLock({ $0.loveResult }) { return result }
    state.withLock { $0.loved[track.title] = isLoved }
    return SendResult(.answered([.taken(nil)]))
  }

  var titles: [String] { state.withLock { $0.order.map(\.title) } }
}

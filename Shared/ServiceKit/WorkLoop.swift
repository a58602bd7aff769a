public import Model

/// Runs rounds of work in a task. Between the rounds it sleeps until it is woken or a time has passed; an idle loop
/// costs nothing, as it does not poll. A round that fails is repeated after a pause of the retry policy.
public actor WorkLoop {
  /// The rest after a round.
  public enum Rest: Hashable, Sendable {
    /// No rest: the next round follows at once.
    case none
    /// A rest of at most this time; waking ends it earlier.
    case atMost(Duration)
    /// A rest that only waking ends.
    case untilWoken
    /// The pause of the retry policy, as some of the work is left to be tried again. It counts as a failure.
    case retry
  }

  /// A round that threw an error.
  public struct Failure: Sendable {
    /// The error.
    public let error: LunaraError
    /// The number of failures in a row, this one included.
    public let count: Int
    /// The pause that follows.
    public let pause: Duration
  }

  private let policy: RetryPolicy
  private let sleep: @Sendable (Duration) async throws -> Void
  private var work: Task<Void, Never>?
  private var sleepTask: Task<Void, Never>?
  /// True if it was woken since the round began, or since the last rest in it.
  private var isWoken = false
  /// The number of failures since the last round that did all its work.
  public private(set) var failures = 0

  /// The duration that `untilWoken` passes to `sleep`: longer than any process runs.
  public static let forever = Duration.seconds(1 << 30)

  /// Creates a loop that is not running.
  ///
  /// - Parameters:
  ///   - policy: the pauses after failures.
  ///   - sleep: sleeps for a duration, and ends early if its task is cancelled.
  public init(
    _ policy: RetryPolicy = .standard,
    sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
  ) {
    self.policy = policy
    self.sleep = sleep
  }

  /// Starts with a round now. If the loop is running, this has no effect.
  ///
  /// - Parameters:
  ///   - failed: called after a round that threw an error, except for a cancellation.
  ///   - round: does the work, and returns the rest that follows. `stop` cancels its task.
  public func start(
    failed: @escaping @Sendable (Failure) async -> Void = { _ in }, _ round: @escaping @Sendable () async throws -> Rest
  ) {
    guard work == nil else { return }
    work = Task { await self.run(round, failed) }
  }

  /// Ends the rest, or makes another round follow the current one at once, as there may be new work.
  ///
  /// - Parameter isFresh: true to begin with the shortest pause after the next failure.
  public func wake(isFresh: Bool = false) {
    if isFresh { failures = 0 }
    isWoken = true
    sleepTask?.cancel()
  }

  /// Rests in the middle of a round; not at all if the loop was woken since the round began or since the last rest in
  /// it.
  public func rest(_ rest: Rest) async {
    let time: Duration
    switch rest {
    case .none: return
    case .atMost(let limit): time = limit
    case .untilWoken: time = Self.forever
    case .retry: time = policy.pause(after: failures)
    }
    if !isWoken {
      let sleep = sleep
      let sleepTask = Task {
        // A cancelled sleep has ended, which is all that is needed.
        do { try await sleep(time) } catch {}
      }
      self.sleepTask = sleepTask
      if Task.isCancelled { sleepTask.cancel() }
      await sleepTask.value
      self.sleepTask = nil
    }
    isWoken = false
  }

  /// Cancels the current round or rest, and returns after it has ended. The loop may be started again.
  public func stop() async {
    guard let ended = work else { return }
    ended.cancel()
    sleepTask?.cancel()
    await ended.value
    // Another caller of `stop` may have been first, and the loop may run again.
    if work == ended { work = nil }
  }

  /// Repeats a step of a round until it succeeds, such as storing an answer that must not be lost while a disk is full.
  /// Waking ends a pause between two attempts.
  ///
  /// - Parameters:
  ///   - failed: called after each attempt that failed. If it throws, there is no further attempt.
  ///   - step: the step.
  /// - Throws: the error of `failed`, and `CancellationError` if the loop was stopped.
  public func insist(
    failed: @Sendable (Failure) async throws -> Void, _ step: @Sendable () async throws -> Void
  ) async throws {
    for count in 1... {
      do { return try await step() } catch {
        try Task.checkCancellation()
        let pause = policy.pause(after: count)
        try await failed(Failure(error: LunaraError(error), count: count, pause: pause))
        await rest(.atMost(pause))
        try Task.checkCancellation()
      }
    }
  }

  private func run(
    _ round: @Sendable () async throws -> Rest, _ failed: @Sendable (Failure) async -> Void
  ) async {
    while !Task.isCancelled {
      isWoken = false
      let rest: Rest
      do {
        rest = try await round()
        failures = rest == .retry ? failures + 1 : 0
      } catch {
        guard !Task.isCancelled else { return }
        failures += 1
        rest = .retry
        if !(error is CancellationError) {
          await failed(Failure(error: LunaraError(error), count: failures, pause: policy.pause(after: failures)))
        }
      }
      guard !Task.isCancelled else { return }
      await self.rest(rest)
    }
  }
}

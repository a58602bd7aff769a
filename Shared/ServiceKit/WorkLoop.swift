/// Runs rounds of work in a task. Between the rounds it sleeps until it is woken or a time has passed; an idle loop
/// costs nothing, as it does not poll.
public actor WorkLoop {
  /// The rest after a round.
  public enum Rest: Hashable, Sendable {
    /// No rest: the next round follows at once.
    case none
    /// A rest of at most this time; waking ends it earlier.
    case atMost(Duration)
    /// A rest that only waking ends.
    case untilWoken
  }

  private let sleep: @Sendable (Duration) async throws -> Void
  private var work: Task<Void, Never>?
  private var sleepTask: Task<Void, Never>?
  /// True if it was woken since the round began, or since the last rest in it.
  private var isWoken = false

  /// The duration that `untilWoken` passes to `sleep`: longer than any process runs.
  public static let forever = Duration.seconds(1 << 30)

  /// Creates a loop that is not running.
  ///
  /// - Parameter sleep: sleeps for a duration, and ends early if its task is cancelled.
  public init(sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }) {
    self.sleep = sleep
  }

  /// Starts with a round now. If the loop is running, this has no effect.
  ///
  /// - Parameter round: does the work, and returns the rest that follows. `stop` cancels its task.
  public func start(_ round: @escaping @Sendable () async -> Rest) {
    guard work == nil else { return }
    work = Task { await self.run(round) }
  }

  /// Ends the rest, or makes another round follow the current one at once, as there may be new work.
  public func wake() {
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
    work?.cancel()
    sleepTask?.cancel()
    await work?.value
    work = nil
  }

  private func run(_ round: @Sendable () async -> Rest) async {
    while !Task.isCancelled {
      isWoken = false
      let rest = await round()
      guard !Task.isCancelled else { return }
      await self.rest(rest)
    }
  }
}

extension Duration {
  /// Returns the pause after this number of consecutive failures: 5 s, doubled for each, up to 15 min.
  public static func backoff(after failures: Int) -> Duration {
    .seconds(min(900, 5 << min(max(0, failures - 1), 8)))
  }
}

/// Work that is done whenever there is some: between its rounds it sleeps, until it is woken or a time has passed. It
/// looks for nothing by itself, so an idle one costs nothing.
public actor WorkLoop {
  /// The rest that follows a round.
  public enum Rest: Hashable, Sendable {
    /// The next round, at once.
    case none
    /// A sleep of at most so long.
    case atMost(Duration)
    /// A sleep that only a wake-up ends.
    case untilWoken
  }

  private let sleep: @Sendable (Duration) async throws -> Void
  private var work: Task<Void, Never>?
  private var sleepTask: Task<Void, Never>?
  /// True if it was woken since the round began, or since the last rest in it.
  private var isWoken = false

  /// The time that `untilWoken` asks `sleep` for: longer than anything runs.
  public static let forever = Duration.seconds(1 << 30)

  /// Makes one that does nothing yet.
  ///
  /// - Parameter sleep: sleeps for so long, and ends early where its task is cancelled.
  public init(sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }) {
    self.sleep = sleep
  }

  /// Begins with a round now. One that runs already goes on as it is.
  ///
  /// - Parameter round: does what there is to do, and says what follows. Its task is cancelled by `stop`.
  public func start(_ round: @escaping @Sendable () async -> Rest) {
    guard work == nil else { return }
    work = Task { await self.run(round) }
  }

  /// Notes that there may be something to do: ends a sleep, and has a round that is under way followed by another.
  public func wake() {
    isWoken = true
    sleepTask?.cancel()
  }

  /// Sleeps in the middle of a round; not at all where it was woken since the round
  /// began, or since the last rest in it.
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
        // A sleep that is cancelled has ended.
        do { try await sleep(time) } catch {}
      }
      self.sleepTask = sleepTask
      if Task.isCancelled { sleepTask.cancel() }
      await sleepTask.value
      self.sleepTask = nil
    }
    isWoken = false
  }

  /// Cancels what is under way, and returns once it has ended. It may be started again.
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
  /// The time to leave something alone after so many failures in a row: 5 s, doubling to 15 min.
  public static func backoff(after failures: Int) -> Duration {
    .seconds(min(900, 5 << min(max(0, failures - 1), 8)))
  }
}

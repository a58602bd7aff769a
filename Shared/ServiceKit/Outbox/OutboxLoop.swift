/// Sends what waits in an outbox, again and again: when it is woken, and after a pause that grows where something could
/// not be sent.
public actor OutboxLoop {
  private let loop: WorkLoop
  private let now: @Sendable () -> ContinuousClock.Instant
  private var schedule: RetrySchedule

  /// Creates a loop that is not running.
  ///
  /// - Parameters:
  ///   - now: returns the time of pauses.
  ///   - sleep: sleeps for a duration, and ends early if its task is cancelled.
  public init(
    now: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
    sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
  ) {
    self.now = now
    schedule = RetrySchedule(at: now())
    loop = WorkLoop(sleep: sleep)
  }

  /// Starts with what waits now. If the loop is running, this has no effect.
  ///
  /// - Parameter sendAll: sends all that can be sent now, and returns true if nothing is left. `stop` cancels its task.
  public func start(_ sendAll: @escaping @Sendable () async -> Bool) async {
    await loop.start { await self.rest(afterSendingAll: await sendAll()) }
  }

  /// Wakes the loop to look for waiting items.
  ///
  /// - Parameter isFresh: true to begin with the shortest pause after the next failure.
  public func wake(isFresh: Bool = false) async {
    if isFresh { schedule.reset(at: now()) }
    await loop.wake()
  }

  /// Cancels the current round or rest, and returns after it has ended.
  public func stop() async { await loop.stop() }

  private func rest(afterSendingAll isEmpty: Bool) -> WorkLoop.Rest {
    guard isEmpty else {
      schedule.fail(at: now())
      return .atMost(schedule.pause(at: now()))
    }
    schedule.reset(at: now())
    // Nothing waits, so only a wake-up brings more; an hour bounds the harm if a wake-up is ever missed.
    return .atMost(.seconds(3600))
  }
}

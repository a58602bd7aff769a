import Messages
import Model
import ServiceKit

/// Sends the pending deliveries of one account: one request at a time, the oldest first. Sleeps while there are none.
actor DeliverySender {
  private let outbox: Outbox
  private let client: any ScrobbleClient
  private let log: Log
  private let now: @Sendable () -> ContinuousClock.Instant
  private let loop: WorkLoop
  /// Called after each change of deliveries or of the account's status.
  private let changed: @Sendable () -> Void

  private var plan: DeliveryPlan
  private var isRecovered = false
  /// The current track, until it has been sent.
  private var nowPlaying: Submission?

  init(
    outbox: Outbox, client: any ScrobbleClient, status: AccountStatus, log: Log,
    changed: @escaping @Sendable () -> Void,
    now: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
    sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
  ) {
    self.outbox = outbox
    self.client = client
    self.log = log
    self.changed = changed
    self.now = now
    loop = WorkLoop(sleep: sleep)
    plan = DeliveryPlan(
      batch: client.batchLimit, at: now(), wait: status.wait(at: .now()), pause: status.pause, problem: status.problem,
      batchSize: status.batchSize)
  }

  func start() async {
    // If the disk is full, the step is tried again, and no listen is lost.
    await loop.start(failed: { await self.note($0) }) { try await self.sleeping(self.step()) }
  }

  func wake() async { await loop.wake() }

  /// Tries again at once, in spite of earlier failures.
  func retry() async {
    plan.resume(at: now())
    do { try await outbox.store(status) } catch { log.error(error) }
    await wake()
  }

  /// Sends the current track as soon as no listen is due; nil if none plays.
  func announce(_ submission: Submission?) async {
    nowPlaying = submission
    if submission != nil { await wake() }
  }

  /// Ends the sender. A request that is being sent is cancelled; its listens stay marked as being sent, and are sent
  /// again after the next start.
  func stop() async { await loop.stop() }

  /// Logs an error of the database.
  private func note(_ failure: WorkLoop.Failure) {
    log.error(failure.error)
    _ = sleeping(.atMost(failure.pause))
  }

  /// Does the next step, and returns how long to sleep after it.
  private func step() async throws -> WorkLoop.Rest {
    if !isRecovered { try await outbox.recover() }
    isRecovered = true
    switch plan.next(at: now()) {
    case .pause: return .untilWoken
    case .wait(let until): return .atMost(until - now())
    case .send(let limit, let newest):
      let items = try await outbox.begin(atMost: limit, newest: newest)
      guard items.isEmpty else {
        try await send(items)
        return .none
      }
      if try await sendNowPlaying() { return .none }
      if try await sendLove() { return .none }
      if plan.clearProblem() { try await storeStatus() }
      return .untilWoken
    }
  }

  /// Forgets the current track before a long sleep, as it would be over when it is sent.
  private func sleeping(_ rest: WorkLoop.Rest) -> WorkLoop.Rest {
    if case .atMost(let time) = rest, time > .seconds(30) { nowPlaying = nil }
    return rest
  }

  private func send(_ items: [Outbox.Item]) async throws {
    // Listens that the service is known to refuse are settled without a request.
    var hopeless: [(item: Outbox.Item, verdict: DeliveryPlan.ItemVerdict)] = []
    var batch: [(item: Outbox.Item, submission: Submission)] = []
    for item in items {
      switch item.submission {
      case .success(let submission):
        if let reason = client.problem(with: submission, at: .now()) {
          hopeless.append((item, .failed(reason)))
        } else {
          batch.append((item, submission))
        }
      case .failure(let problem): hopeless.append((item, .failed(problem.reason)))
      }
    }
    guard !batch.isEmpty else { return await store(hopeless) }
    plan.begin(at: now())
    let result = try await client.submit(batch.map(\.submission))
    let verdict = plan.apply(
      result, of: batch.count, isSuspect: batch.count == 1 && batch[0].item.isSuspect, at: now())
    await store(
      hopeless + zip(batch.map(\.item), verdict.items).map { ($0, $1) }, hasAccepted: verdict.hasAccepted,
      mayHaveArrived: result.mayHaveArrived)
    logResult(result, of: batch.count)
  }

  /// Stores the verdicts on a batch, and tries again until they are stored: if the disk is full, a listen that was
  /// answered must not be forgotten, nor stay marked as being sent until the next start. An error that repeating cannot
  /// help is not retried: if the journal refuses the facts, the verdicts are stored without them.
  private func store(
    _ verdicts: [(item: Outbox.Item, verdict: DeliveryPlan.ItemVerdict)], hasAccepted: Bool = false,
    mayHaveArrived: Bool = false
  ) async {
    for reports in [true, false] {
      do {
        return try await loop.insist(
          failed: { failure in
            await self.note(failure)
            if Self.isPermanent(failure.error) { throw failure.error }
          }
        ) {
          try await self.outbox.store(
            verdicts, hasAccepted: hasAccepted, mayHaveArrived: mayHaveArrived, status: await self.status,
            reports: reports)
          self.changed()
        }
      } catch {
        if Task.isCancelled { return }
      }
    }
  }

  private static func isPermanent(_ error: LunaraError) -> Bool {
    !error.code.hasPrefix("storage.")
      || ["storage.misuse", "storage.unexpectedValue", "storage.unexpectedNull"].contains(error.code)
  }

  /// Sends the current track once, whatever the result. Returns false if there is none.
  private func sendNowPlaying() async throws -> Bool {
    guard let submission = nowPlaying else { return false }
    nowPlaying = nil
    plan.begin(at: now())
    let result = try await client.announce(submission)
    // A service that limits these requests also limits scrobbles.
    if plan.applyToAccount(result, at: now()) { try await storeStatus() }
    if case .answered = result.outcome {} else { log.debug("now-playing was not accepted", ["result": "\(result)"]) }
    return true
  }

  /// Sends the next love. Returns false if there is none.
  private func sendLove() async throws -> Bool {
    guard let love = try await outbox.nextLove() else { return false }
    plan.begin(at: now())
    let result = try await client.love(love.submission, love.isLoved)
    switch result.outcome {
    case .answered, .rejected:
      let isChanged = plan.applyToAccount(result, at: now())
      try await outbox.store(love.track, isLoved: love.isLoved, Self.verdict(on: result.outcome))
      if isChanged { try await outbox.store(status) }
    case .failed(let reason, let isAnswer):
      // A love that failed is no sign that listens are at fault, so it does not count as an answer to them.
      _ = plan.apply(SendResult(.failed(reason, isAnswer: false), quiet: result.quiet), of: 0, at: now())
      // While the service cannot be reached, the track is not at fault: the love is tried again without limit.
      if isAnswer { try await outbox.store(love.track, isLoved: love.isLoved, .failed(reason)) }
      try await outbox.store(status)
    case .limited, .refused:
      _ = plan.apply(result, of: 0, at: now())
      try await outbox.store(status)
    }
    changed()
    return true
  }

  private static func verdict(on outcome: SendOutcome) -> Outbox.LoveVerdict {
    if case .rejected(let reason) = outcome { return .refused(reason) }
    if case .answered(let items) = outcome, case .ignored(let reason)? = items.first { return .refused(reason) }
    return .sent
  }

  private func storeStatus() async throws {
    try await outbox.store(status)
    changed()
  }

  private var status: AccountStatus {
    let wait = plan.heldBack(at: now())
    return AccountStatus(
      pause: plan.pause?.reason, problem: plan.problem,
      notBefore: wait > .zero
        ? Timestamp(microseconds: Timestamp.now().microseconds + Int64(wait / .microseconds(1)))
        : Timestamp(microseconds: 0), batchSize: plan.batchSize(at: now()))
  }

  private func logResult(_ result: SendResult, of count: Int) {
    let count = "\(count)"
    switch result.outcome {
    case .answered: log.debug("scrobbles were sent", ["count": count])
    case .rejected(let reason): log.debug("scrobbles were refused", ["count": count, "reason": reason])
    case .failed(let reason, _): log.info("scrobbles wait: the service cannot take them now", ["reason": reason])
    case .limited(let reason, _): log.info("scrobbles wait: the service limits requests", ["reason": reason])
    case .refused(_, let reason): log.warning("scrobbles wait until a person acts", ["reason": reason])
    }
  }
}

import Messages
import Model
import ServiceKit

/// Sends what an account is to get: one request at a time, oldest first. It sleeps until there is something to do.
actor Courier {
  private let outbox: Outbox
  private let backend: any Backend
  private let log: Log
  private let now: @Sendable () -> ContinuousClock.Instant
  private let loop: WorkLoop
  /// Told after each change of how deliveries stand.
  private let changed: @Sendable () -> Void

  private var plan: DeliveryPlan
  private var isRecovered = false
  /// What is heard now and was not told yet.
  private var announcement: Submission?
  private var storageFailures = 0

  /// Makes the courier of an account that stands as `standing` says.
  init(
    outbox: Outbox, backend: any Backend, standing: Standing, log: Log, changed: @escaping @Sendable () -> Void,
    now: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
    sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
  ) {
    self.outbox = outbox
    self.backend = backend
    self.log = log
    self.changed = changed
    self.now = now
    loop = WorkLoop(sleep: sleep)
    plan = DeliveryPlan(
      batch: backend.batchLimit, at: now(), wait: standing.wait(at: .now()),
      pause: standing.pause, trouble: standing.problem)
  }

  /// Begins to send what waits, and what comes.
  func start() async { await loop.start { await self.round() } }

  /// Says that there may be something to send.
  func wake() async { await loop.wake() }

  /// Has everything tried at once, whatever was wrong before.
  func retry() async {
    plan.resume(at: now())
    do { try await outbox.note(standing) } catch { log.error(error) }
    await wake()
  }

  /// Has what is heard now told as soon as nothing else is due; nil where nothing is.
  func announce(_ submission: Submission?) async {
    announcement = submission
    if submission != nil { await wake() }
  }

  /// Ends it. A request that is under way is broken off; what it carried stays as being sent, and is sent again.
  func stop() async { await loop.stop() }

  /// Does the next thing there is to do; what follows it.
  private func round() async -> WorkLoop.Rest {
    do {
      let rest = try await step()
      storageFailures = 0
      return sleeping(rest)
    } catch {
      guard !Task.isCancelled else { return .none }
      // The disk may be full: it is tried again, and nothing is lost meanwhile.
      log.error(error)
      storageFailures += 1
      return sleeping(.atMost(.backoff(after: storageFailures)))
    }
  }

  private func step() async throws -> WorkLoop.Rest {
    if !isRecovered { try await outbox.recover() }
    isRecovered = true
    switch plan.next(at: now()) {
    case .stand: return .untilWoken
    case .wait(let until): return .atMost(until - now())
    case .send(let limit, let newest):
      let items = try await outbox.take(atMost: limit, newest: newest)
      guard items.isEmpty else {
        try await send(items)
        return .none
      }
      if try await sendTheRest() { return .none }
      if plan.isWell() {
        try await outbox.note(standing)
        changed()
      }
      return .untilWoken
    }
  }

  /// What is not in time is told by nobody: it would be over when it came.
  private func sleeping(_ rest: WorkLoop.Rest) -> WorkLoop.Rest {
    if case .atMost(let time) = rest, time > .seconds(30) { announcement = nil }
    return rest
  }

  private func send(_ items: [Outbox.Item]) async throws {
    // What no service could take is known without asking.
    var hopeless: [(item: Outbox.Item, verdict: DeliveryPlan.ItemVerdict)] = []
    var batch: [(item: Outbox.Item, submission: Submission)] = []
    for item in items {
      switch item.submission {
      case .success(let submission):
        if let reason = backend.problem(with: submission, at: .now()) {
          hopeless.append((item, .parked(reason)))
        } else {
          batch.append((item, submission))
        }
      case .failure(let problem): hopeless.append((item, .parked(problem.reason)))
      }
    }
    guard !batch.isEmpty else { return await settle(hopeless, hasAccepted: false) }
    plan.begin(at: now())
    let result = try await backend.submit(batch.map(\.submission))
    let verdict = plan.take(
      result, of: batch.count, isSuspect: batch.count == 1 && batch[0].item.isSuspect, at: now())
    await settle(
      hopeless + zip(batch.map(\.item), verdict.items).map { ($0, $1) }, hasAccepted: verdict.hasAccepted)
    tell(verdict, result)
  }

  /// Notes what became of a batch, for as long as it takes: where the disk is full, what was answered for must neither
  /// be forgotten nor stay as under way until the next start. What no time mends is not tried for ever: where the journal
  /// refuses to tell of it, it is noted and not told.
  private func settle(_ verdicts: [(item: Outbox.Item, verdict: DeliveryPlan.ItemVerdict)], hasAccepted: Bool) async {
    var failures = 0
    var tells = true
    repeat {
      do {
        try await outbox.settle(verdicts, hasAccepted: hasAccepted, standing: standing, tells: tells)
        return changed()
      } catch {
        log.error(error)
        if Self.isLasting(LunaraError(error)) {
          guard tells else { return }
          tells = false
          continue
        }
        failures += 1
        await loop.rest(sleeping(.atMost(.backoff(after: failures))))
      }
    } while !Task.isCancelled
  }

  private static func isLasting(_ error: LunaraError) -> Bool {
    !error.code.hasPrefix("storage.")
      || ["storage.misuse", "storage.unexpectedValue", "storage.unexpectedNull"].contains(error.code)
  }

  /// Sends what is no scrobble, once no scrobble is due; whether it sent anything.
  private func sendTheRest() async throws -> Bool {
    if let announced = announcement {
      announcement = nil
      plan.begin(at: now())
      // Best effort: whatever comes of it, scrobbles are not touched. But a service that limits us means all we send.
      let result = try await backend.announce(announced)
      if plan.heed(result, at: now()) {
        try await outbox.note(standing)
        changed()
      }
      if case .answered = result.outcome {} else { log.debug("now-playing was not taken", ["result": "\(result)"]) }
      return true
    }
    guard let love = try await outbox.nextLove() else { return false }
    plan.begin(at: now())
    let result = try await backend.love(love.submission, love.isLoved)
    switch result.outcome {
    case .answered(let items):
      let isOther = plan.heed(result, at: now())
      let refusal: String? = if case .ignored(let words)? = items.first { words } else { nil }
      try await outbox.settle(love, refusal.map { .refused($0) } ?? .told)
      if isOther { try await outbox.note(standing) }
    case .rejected(let words):
      let isOther = plan.heed(result, at: now())
      try await outbox.settle(love, .refused(words))
      if isOther { try await outbox.note(standing) }
    case .failed(let words, let isAnswer):
      // It is no sign of what is wrong with a scrobble.
      _ = plan.take(SendResult(.failed(words, isAnswer: false), quiet: result.quiet), of: 0, at: now())
      // A network that is away is no fault of it: it is tried for as long as that takes.
      if isAnswer { try await outbox.settle(love, .failed(words)) }
      try await outbox.note(standing)
    case .limited, .refused:
      _ = plan.take(result, of: 0, at: now())
      try await outbox.note(standing)
    }
    changed()
    return true
  }

  /// How the account stands, for the disk.
  private var standing: Standing {
    let wait = plan.isHeldBack ? plan.notBefore - now() : .zero
    return Standing(
      pause: plan.pause?.reason, problem: plan.trouble,
      notBefore: wait > .zero
        ? Timestamp(microseconds: Timestamp.now().microseconds + Int64(wait / .microseconds(1)))
        : Timestamp(microseconds: 0))
  }

  private func tell(_ verdict: DeliveryPlan.Verdict, _ result: SendResult) {
    let count = "\(verdict.items.count)"
    switch result.outcome {
    case .answered: log.debug("scrobbles were sent", ["count": count])
    case .rejected(let words): log.debug("scrobbles were refused", ["count": count, "reason": words])
    case .failed(let words, _): log.info("scrobbles wait: the service cannot take them now", ["reason": words])
    case .limited(let words, _): log.info("scrobbles wait: the service limits them", ["reason": words])
    case .refused(_, let words): log.warning("scrobbles wait for a person", ["reason": words])
    }
  }
}

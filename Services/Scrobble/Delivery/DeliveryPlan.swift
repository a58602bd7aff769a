import Model
import ServiceKit

/// Decides when and how many listens are sent to an account, and the consequences of an answer. It does no I/O.
/// `docs/adr/0028-scrobble-outbox.md` explains why.
struct DeliveryPlan: Sendable {
  typealias Instant = ContinuousClock.Instant

  enum Step: Hashable, Sendable {
    /// Send the oldest listens, at most `atMost`; or the newest one, to see if the service refuses that as well.
    case send(atMost: Int, newest: Bool = false)
    case wait(until: Instant)
    /// Do nothing until a person has acted.
    case pause(Pause, String)
  }

  /// The consequence of an answer for one item of a batch.
  enum ItemVerdict: Hashable, Sendable {
    case sent(String?)
    case failed(String)
    /// The item is sent again; if `standsBack`, after all items that have not failed on their own.
    case due(String?, standsBack: Bool)
  }

  struct Verdict: Hashable, Sendable {
    /// The consequences for the items, in the batch's order.
    var items: [ItemVerdict]
    /// True if the service accepted or ignored an item: then an item that stands back has failed by its own fault.
    var hasAccepted: Bool
  }

  /// The shortest time between the starts of two requests.
  static let pace = Duration.milliseconds(250)
  /// The pause after a service limits requests without stating a time.
  static let limitWait = Duration.seconds(300)
  /// The pause after a service accepts no more listens on this day.
  static let dailyWait = Duration.seconds(4 * 3600)
  /// The number of unusable answers in a row after which a batch is halved.
  static let patience = 3
  /// The number of single items refused in a row after which the newest item is tried: if that is refused as well, the
  /// items are not at fault.
  static let mostRefused = 10

  /// The time for which batches keep the size that worked; then a full batch is tried again.
  static let sizeLifetime = Duration.seconds(24 * 3600)

  private let batch: Int
  private var schedule: RetrySchedule
  /// The number of oldest items among which one is refused; nil if no such item is known.
  private var suspect: Int?
  /// The largest number of items accepted in one request since `suspect` was set; nil if one of them has failed.
  private var acceptedPart: Int?
  /// A number of items that the service accepted in one request after it had refused them in a larger one.
  private var workingSize: Int?
  /// The time until which batches have at most `workingSize` items; nil while the size is not known to matter.
  private var keepsSizeUntil: Instant?
  private var answeredFailures = 0
  /// The number of batches without a clear answer since one of several items was accepted. The items of such a batch
  /// are sent one by one, and their success would hide that the service fails at batches of that size.
  private var unclearBatches = 0
  private var refusedInARow = 0
  /// True if the newest item is tried next, to see whether the items or the account are at fault.
  private var isProbing = false
  private(set) var pause: (reason: Pause, text: String)?
  private(set) var problem: String?

  /// The number of failures in a row.
  var failures: Int { schedule.failures }

  /// Creates the plan of an account from its stored status; `wait` is the time left to wait, `batchSize` the size of
  /// batches if the service refuses larger ones.
  init(
    batch: Int, at now: Instant, wait: Duration = .zero, pause: Pause? = nil, problem: String? = nil,
    batchSize: Int? = nil
  ) {
    self.batch = max(1, batch)
    workingSize = batchSize.map { max(1, $0) }
    keepsSizeUntil = batchSize == nil ? nil : now + Self.sizeLifetime
    schedule = RetrySchedule(at: now, pause: wait)
    self.pause = pause.map { ($0, problem ?? "") }
    self.problem = problem
  }

  func next(at now: Instant) -> Step {
    if let pause { return .pause(pause.reason, pause.text) }
    if schedule.notBefore > now { return .wait(until: schedule.notBefore) }
    if isProbing { return .send(atMost: 1, newest: true) }
    let limit = min(batch, batchSize(at: now) ?? batch)
    guard let suspect else { return .send(atMost: limit) }
    return .send(atMost: min(limit, max(1, suspect / 2)))
  }

  /// Returns the size of batches if the service refuses larger ones; nil if it is not known to.
  func batchSize(at now: Instant) -> Int? { keepsSizeUntil.map { now < $0 } == true ? workingSize : nil }

  /// Returns the time for which the account is held back by a failure or a limit; zero if it only keeps the pace.
  func heldBack(at now: Instant) -> Duration { schedule.isHeldBack ? schedule.pause(at: now) : .zero }

  mutating func begin(at now: Instant) { schedule.begin(at: now, pace: Self.pace) }

  /// Ends pauses and waits, as a person asked to try again. The search for an item or a size at fault continues: a
  /// service that fails at full batches would otherwise get nothing but full batches from a person who asks often.
  mutating func resume(at now: Instant) {
    pause = nil
    problem = nil
    refusedInARow = 0
    isProbing = false
    schedule.reset(at: now)
  }

  /// Applies the answer to a request without listens to the state of the account: a limit, a time without requests, or
  /// the end of a problem. Returns true if the account's status changed.
  mutating func applyToAccount(_ result: SendResult, at now: Instant) -> Bool {
    switch result.outcome {
    case .limited:
      _ = apply(result, of: 0, at: now)
      return true
    case .answered, .rejected, .failed, .refused:
      let isChanged = if case .answered = result.outcome { clearProblem() } else { false }
      guard let quiet = result.quiet else { return isChanged }
      schedule.hold(for: quiet, at: now)
      return true
    }
  }

  /// Clears the last problem, as the service answers, or nothing is left that it refused. Returns true if there was a
  /// problem.
  mutating func clearProblem() -> Bool {
    guard pause == nil else { return false }
    defer { problem = nil }
    resetFailures()
    return problem != nil
  }

  /// Applies the answer to a batch of `count` items; `isSuspect` is true for a single item that failed on its own
  /// before.
  mutating func apply(_ result: SendResult, of count: Int, isSuspect: Bool = false, at now: Instant) -> Verdict {
    var verdict = Verdict(items: Array(repeating: .due(nil, standsBack: false), count: count), hasAccepted: false)
    func all(_ item: ItemVerdict) { verdict.items = Array(repeating: item, count: count) }
    schedule.release()
    switch result.outcome {
    case .answered(let answers) where answers.count == count:
      accept(count)
      verdict.hasAccepted = answers.contains { if case .later = $0 { false } else { true } }
      verdict.items = answers.map { answer in
        switch answer {
        case .accepted(let remark): return .sent(remark)
        case .ignored(let reason): return .failed(reason)
        case .later(let reason):
          problem = reason
          schedule.hold(for: Self.dailyWait, at: now)
          return .due(reason, standsBack: false)
        }
      }
    case .answered:
      // The answers cannot be assigned to items, so the batch is halved as if it was refused.
      all(reject("the service answered for another number of listens than it was sent", count, at: now))
    case .rejected(let reason):
      all(reject(reason, count, at: now))
    case .failed(let reason, let isAnswer):
      if count > 1, result.mayHaveArrived { lowerSize(below: count, at: now) }
      all(fail(reason, isAnswer: isAnswer, count, isSuspect, at: now))
    case .limited(let reason, let wait):
      problem = reason
      schedule.hold(for: wait ?? Self.limitWait, at: now)
      all(.due(reason, standsBack: false))
    case .refused(let pause, let reason):
      stop(pause, reason)
      all(.due(reason, standsBack: false))
    }
    if let quiet = result.quiet { schedule.hold(for: quiet, at: now) }
    return verdict
  }

  private mutating func accept(_ count: Int) {
    resetFailures()
    refusedInARow = 0
    isProbing = false
    problem = nil
    if count > 1 { unclearBatches = 0 }
    if let size = workingSize, count > size {
      workingSize = nil
      keepsSizeUntil = nil
    }
    guard let before = suspect else { return }
    acceptedPart = acceptedPart.map { max($0, count) }
    suspect = before > count ? before - count : nil
    guard suspect == nil, let size = acceptedPart else { return }
    // No item was at fault. The next full batch shows if its size was, or if the service has recovered meanwhile.
    workingSize = size
    acceptedPart = nil
  }

  /// Searches for the item at fault in a batch that was refused. If a smaller batch is known to work, all batches get
  /// that size instead.
  private mutating func divide(_ count: Int, at now: Instant) {
    if let workingSize, count > workingSize {
      suspect = nil
      keepsSizeUntil = now + Self.sizeLifetime
    } else {
      if suspect == nil { acceptedPart = 0 }
      suspect = count
    }
  }

  /// Halves the size of batches from the second batch without a clear answer on. A size that is known to work is kept
  /// for another day if a larger batch fails.
  private mutating func lowerSize(below count: Int, at now: Instant) {
    unclearBatches += 1
    if workingSize.map({ count > $0 }) != true {
      guard unclearBatches > 1 else { return }
      workingSize = count / 2
    }
    keepsSizeUntil = now + Self.sizeLifetime
  }

  private mutating func reject(_ reason: String, _ count: Int, at now: Instant) -> ItemVerdict {
    resetFailures()
    guard count <= 1 else {
      divide(count, at: now)
      return .due(reason, standsBack: false)
    }
    suspect = nil
    acceptedPart = nil
    if isProbing {
      isProbing = false
      stop(.refused, reason)
      return .due(reason, standsBack: false)
    }
    refusedInARow += 1
    isProbing = refusedInARow >= Self.mostRefused
    return isProbing ? .due(reason, standsBack: false) : .failed(reason)
  }

  private mutating func fail(
    _ reason: String, isAnswer: Bool, _ count: Int, _ isSuspect: Bool, at now: Instant
  ) -> ItemVerdict {
    problem = reason
    if isAnswer { answeredFailures += 1 }
    let isTooLarge = workingSize.map { count > $0 } ?? false
    guard isAnswer, answeredFailures >= Self.patience || isSuspect || isTooLarge else {
      schedule.fail(at: now)
      return .due(reason, standsBack: false)
    }
    guard count <= 1 else {
      divide(count, at: now)
      // Halving a batch would take hours if the pauses between its steps grew without this limit.
      schedule.fail(at: now, growingUntil: Self.patience)
      return .due(reason, standsBack: false)
    }
    // Another item is sent on its own next: that shows whether this item or the service is at fault.
    suspect = 1
    acceptedPart = nil
    schedule.fail(at: now)
    return .due(reason, standsBack: true)
  }

  private mutating func resetFailures() {
    schedule.succeed()
    answeredFailures = 0
  }

  private mutating func stop(_ reason: Pause, _ text: String) {
    pause = (reason, text)
    problem = text
  }
}

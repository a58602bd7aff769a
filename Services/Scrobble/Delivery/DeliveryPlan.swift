import Model
import ServiceKit

/// Decides when an account sends how much, and what follows from an answer. Pure; `docs/adr/0028` says why it is so.
struct DeliveryPlan: Sendable {
  typealias Instant = ContinuousClock.Instant

  /// What to do now.
  enum Step: Hashable, Sendable {
    /// Send so many at most: the oldest, or the newest where that shows what the oldest do not.
    case send(atMost: Int, newest: Bool = false)
    /// Nothing before then.
    case wait(until: Instant)
    /// Nothing before a person has done something.
    case stand(Pause, String)
  }

  /// What becomes of one item of a batch.
  enum ItemVerdict: Hashable, Sendable {
    case sent(String?)
    case parked(String)
    /// It is to be sent again; `standsBack` behind all that were not refused since anything was accepted.
    case due(String?, standsBack: Bool)
  }

  /// What becomes of a batch.
  struct Verdict: Hashable, Sendable {
    /// In the batch's order.
    var items: [ItemVerdict]
    /// Whether anything of it was answered for: what stood back meanwhile has its own fault then.
    var hasAccepted: Bool
  }

  /// Between the starts of two requests, at least.
  static let pace = Duration.milliseconds(250)
  /// Where a service limits us and does not say for how long.
  static let limitWait = Duration.seconds(300)
  /// Where it takes no more today.
  static let dailyWait = Duration.seconds(4 * 3600)
  /// The longest that is ever waited.
  static let longest = Duration.seconds(24 * 3600)
  /// After so many answers in a row that were none, a batch is halved.
  static let patience = 3
  /// After so many single items refused in a row the newest is tried: one that is refused as well shows that it is no
  /// fault of theirs.
  static let mostRefused = 10

  private let batch: Int
  /// How many of the oldest hold one that is refused; nil where none is known.
  private var suspect: Int?
  /// Failures in a row.
  private(set) var failures = 0
  private var answeredFailures = 0
  private var refusedInARow = 0
  /// Whether the newest is tried next, to see whose fault it is.
  private var isProbing = false
  /// Nothing is sent before.
  private(set) var notBefore: Instant
  /// Whether that is for more than the pace.
  private(set) var isHeldBack = false
  private(set) var pause: (reason: Pause, words: String)?
  /// What the service said last, where it was no good.
  private(set) var trouble: String?

  /// Begins with what was kept on disk: how long is still to be waited, why it stands still, and what the service said
  /// last where it was no good.
  init(batch: Int, at now: Instant, wait: Duration = .zero, pause: Pause? = nil, trouble: String? = nil) {
    self.batch = max(1, batch)
    let wait = min(max(.zero, wait), Self.longest)
    notBefore = now + wait
    isHeldBack = wait > .zero
    self.pause = pause.map { ($0, trouble ?? "") }
    self.trouble = trouble
  }

  /// What to do now.
  func next(at now: Instant) -> Step {
    if let pause { return .stand(pause.reason, pause.words) }
    if notBefore > now { return .wait(until: notBefore) }
    if isProbing { return .send(atMost: 1, newest: true) }
    guard let suspect else { return .send(atMost: batch) }
    return .send(atMost: max(1, suspect / 2))
  }

  /// Notes that a request begins.
  mutating func begin(at now: Instant) { notBefore = max(notBefore, now + Self.pace) }

  /// A person did something about it: everything is tried at once.
  mutating func resume(at now: Instant) {
    pause = nil
    trouble = nil
    (failures, answeredFailures, refusedInARow) = (0, 0, 0)
    isProbing = false
    notBefore = now
    isHeldBack = false
  }

  /// Takes in what an answer that says nothing of scrobbles says of the service: how long it asks to be left alone, and
  /// that it is there again. Whether the account stands otherwise than before.
  mutating func heed(_ result: SendResult, at now: Instant) -> Bool {
    switch result.outcome {
    case .limited:
      _ = take(result, of: 0, at: now)
      return true
    case .answered, .rejected, .failed, .refused:
      let isOther = if case .answered = result.outcome { isWell() } else { false }
      guard let quiet = result.quiet else { return isOther }
      hold(quiet, at: now)
      return true
    }
  }

  /// Notes that the service is there, or that nothing is left which it did not take: nobody is to be told any longer of
  /// what was wrong before. Whether the account stands otherwise than before.
  mutating func isWell() -> Bool {
    guard pause == nil else { return false }
    defer { trouble = nil }
    (failures, answeredFailures) = (0, 0)
    return trouble != nil
  }

  /// Takes in what came of a batch of `count` items; `isSuspect` where it is one that may be at fault.
  mutating func take(_ result: SendResult, of count: Int, isSuspect: Bool = false, at now: Instant) -> Verdict {
    var verdict = Verdict(items: Array(repeating: .due(nil, standsBack: false), count: count), hasAccepted: false)
    func all(_ item: ItemVerdict) { verdict.items = Array(repeating: item, count: count) }
    isHeldBack = false
    switch result.outcome {
    case .answered(let answers) where answers.count == count:
      accept(count)
      verdict.hasAccepted = answers.contains { if case .later = $0 { false } else { true } }
      verdict.items = answers.map { answer in
        switch answer {
        case .taken(let words): return .sent(words)
        case .ignored(let words): return .parked(words)
        case .later(let words):
          trouble = words
          hold(Self.dailyWait, at: now)
          return .due(words, standsBack: false)
        }
      }
    case .answered:
      // Which of them it means cannot be known: each is asked about by itself.
      let words = "the service answered for another number of listens than it was sent"
      all(reject(words, count))
    case .rejected(let words):
      all(reject(words, count))
    case .failed(let words, let isAnswer):
      all(fail(words, isAnswer: isAnswer, count, isSuspect, at: now))
    case .limited(let words, let wait):
      trouble = words
      hold(wait ?? Self.limitWait, at: now)
      all(.due(words, standsBack: false))
    case .refused(let reason, let words):
      stand(reason, words)
      all(.due(words, standsBack: false))
    }
    if let quiet = result.quiet { hold(quiet, at: now) }
    return verdict
  }

  private mutating func accept(_ count: Int) {
    (failures, answeredFailures, refusedInARow) = (0, 0, 0)
    isProbing = false
    trouble = nil
    if let before = suspect { suspect = before > count ? before - count : nil }
  }

  private mutating func reject(_ words: String, _ count: Int) -> ItemVerdict {
    (failures, answeredFailures) = (0, 0)
    guard count <= 1 else {
      suspect = count
      return .due(words, standsBack: false)
    }
    suspect = nil
    if isProbing {
      isProbing = false
      stand(.refused, words)
      return .due(words, standsBack: false)
    }
    refusedInARow += 1
    isProbing = refusedInARow >= Self.mostRefused
    return isProbing ? .due(words, standsBack: false) : .parked(words)
  }

  private mutating func fail(
    _ words: String, isAnswer: Bool, _ count: Int, _ isSuspect: Bool, at now: Instant
  ) -> ItemVerdict {
    failures += 1
    trouble = words
    if isAnswer { answeredFailures += 1 }
    guard isAnswer, answeredFailures >= Self.patience || isSuspect else {
      hold(.backoff(after: failures), at: now)
      return .due(words, standsBack: false)
    }
    guard count <= 1 else {
      suspect = count
      // A search for the cause is no use if each step takes a quarter of an hour.
      hold(.backoff(after: min(failures, Self.patience)), at: now)
      return .due(words, standsBack: false)
    }
    // Another one is tried by itself: it shows whether it is the item or the service.
    suspect = 1
    hold(.backoff(after: failures), at: now)
    return .due(words, standsBack: true)
  }

  private mutating func stand(_ reason: Pause, _ words: String) {
    pause = (reason, words)
    trouble = words
  }

  private mutating func hold(_ wait: Duration, at now: Instant) {
    let until = now + min(max(.zero, wait), Self.longest)
    if until > notBefore {
      notBefore = until
      isHeldBack = true
    }
  }
}

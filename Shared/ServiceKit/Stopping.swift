/// When a process that was asked to stop ends regardless. Pure.
struct Stopping {
  /// What to do when a signal asks for the end.
  enum Verdict {
    /// Begin to stop.
    case stop
    /// It is stopping already, for another reason.
    case wait
    /// Asked by signal a second time: a person means it.
    case end
  }

  /// A little less than the 2 s after which others lose patience.
  static let patience = Duration.milliseconds(1900)

  private var deadline: ContinuousClock.Instant?
  private var wasSignalled = false

  /// The supervisor is gone; tells whether to begin to stop.
  mutating func parentLeft(at now: ContinuousClock.Instant) -> Bool {
    guard deadline == nil else { return false }
    deadline = now + Self.patience
    return true
  }

  /// A signal asks for the end.
  ///
  /// A supervisor that stops says so twice, by its pipe and by a signal: only a second signal is impatience.
  mutating func signalled(at now: ContinuousClock.Instant) -> Verdict {
    defer { wasSignalled = true }
    if wasSignalled { return .end }
    return parentLeft(at: now) ? .stop : .wait
  }

  /// How long to wait for more, in milliseconds as for `poll`; -1 for ever.
  func remaining(at now: ContinuousClock.Instant) -> Int32 {
    guard let deadline else { return -1 }
    let (seconds, attoseconds) = (deadline - now).components
    return Int32(clamping: max(0, seconds * 1000 + attoseconds / 1_000_000_000_000_000 + 1))
  }

  /// Whether it has taken too long.
  func isOverdue(at now: ContinuousClock.Instant) -> Bool { deadline.map { $0 <= now } ?? false }
}

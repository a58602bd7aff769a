/// How many knocks a node answers: anybody can repeat one, and each answer costs more than the knock.
///
/// A bucket of tokens, kept as the moment at which it is full again.
struct KnockLimit {
  /// How long a token takes to come: 100 a second.
  static let interval = Duration.milliseconds(10)
  /// How many the bucket holds.
  static let burst = 200

  private var fullAt: ContinuousClock.Instant

  /// Begins with a full bucket.
  init(at now: ContinuousClock.Instant) { fullAt = now }

  /// Takes a token; false where there is none.
  mutating func allows(at now: ContinuousClock.Instant) -> Bool {
    let fullAfterwards = max(fullAt, now) + Self.interval
    guard fullAfterwards - now <= Self.interval * Self.burst else { return false }
    fullAt = fullAfterwards
    return true
  }
}

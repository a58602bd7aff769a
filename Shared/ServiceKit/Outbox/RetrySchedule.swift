/// Decides when one destination of an outbox is tried next. A pure value: the caller passes the time.
///
/// Each failure in a row doubles the pause (`Duration.backoff`); a destination that asks for quiet is left alone for as
/// long as it asks. Deciding what is sent, and what becomes of each item, stays with the outbox itself: a play is
/// confirmed by the count of its server, a scrobble by the answer to it.
public struct RetrySchedule: Hashable, Sendable {
  /// A moment on the clock that schedules use.
  public typealias Instant = ContinuousClock.Instant

  /// The longest pause that any schedule makes.
  public static let longestPause = Duration.seconds(24 * 3600)

  /// The number of failures since the last success.
  public private(set) var failures = 0
  /// The moment before which nothing is sent.
  public private(set) var notBefore: Instant
  /// True while `notBefore` stands for a failure or a wish for quiet, and not for the usual pace alone.
  public private(set) var isHeldBack: Bool

  /// Makes a schedule that waits for `pause` first, such as one that was kept over a restart.
  public init(at now: Instant, pause: Duration = .zero) {
    let pause = Self.limited(pause)
    notBefore = now + pause
    isHeldBack = pause > .zero
  }

  /// Returns the time that is left to wait; zero if the destination may be tried now.
  public func pause(at now: Instant) -> Duration { max(.zero, notBefore - now) }

  /// Notes that a request begins: the next one follows after `pace` at the earliest.
  public mutating func begin(at now: Instant, pace: Duration) { notBefore = max(notBefore, now + pace) }

  /// Notes that the destination answered, so that what held it back before is over. The failures stay counted.
  public mutating func release() { isHeldBack = false }

  /// Notes that the destination takes what it is sent: the next failure is the first.
  public mutating func succeed() { failures = 0 }

  /// Notes one more failure, and holds the destination back for longer after each, in steps that end with `limit`
  /// failures.
  public mutating func fail(at now: Instant, growingUntil limit: Int = .max) {
    failures += 1
    hold(for: .backoff(after: min(failures, limit)), at: now)
  }

  /// Leaves the destination alone for at least `pause`; a longer pause that is under way stays.
  public mutating func hold(for pause: Duration, at now: Instant) {
    let until = now + Self.limited(pause)
    guard until > notBefore else { return }
    (notBefore, isHeldBack) = (until, true)
  }

  /// Forgets every failure and pause: a person wants it tried at once.
  public mutating func reset(at now: Instant) { self = RetrySchedule(at: now) }

  private static func limited(_ pause: Duration) -> Duration { min(max(.zero, pause), longestPause) }
}

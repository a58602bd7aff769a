/// The pauses after failures: a first one, doubled for each further failure in a row, up to a longest one.
public struct RetryPolicy: Hashable, Sendable {
  /// The pause after the first failure.
  public var first: Duration
  /// The pause that is not exceeded.
  public var longest: Duration

  /// The policy for services: 5 s, up to 15 min.
  public static let standard = RetryPolicy(first: .seconds(5), longest: .seconds(900))

  /// The policy for asking if a person has signed in: 1 s, up to 30 s.
  public static let signIn = RetryPolicy(first: .seconds(1), longest: .seconds(30))

  public init(first: Duration, longest: Duration) {
    self.first = first
    self.longest = longest
  }

  /// Returns the pause after this number of failures in a row.
  public func pause(after failures: Int) -> Duration { min(longest, first * (1 << min(max(1, failures) - 1, 16))) }
}

/// Decides when the next request is sent to one destination of an outbox. A pure value: the caller passes the time.
///
/// Each failure in a row doubles the pause (`RetryPolicy.standard`); if a destination asks for a pause, nothing is sent
/// for that time. The outbox decides what is sent and when an item is done: a play is confirmed by the count of its
/// server, a scrobble by the answer to it.
public struct RetrySchedule: Hashable, Sendable {
  /// A time on the clock of the schedules.
  public typealias Instant = ContinuousClock.Instant

  /// The longest pause of a schedule.
  public static let longestPause = Duration.seconds(24 * 3600)

  /// The number of failures since the last success.
  public private(set) var failures = 0
  /// The time before which nothing is sent.
  public private(set) var notBefore: Instant
  /// True if `notBefore` was set because of a failure or a request for a pause, and not only by the usual pace.
  public private(set) var isHeldBack: Bool

  /// Creates a schedule that waits for `pause` first, such as one that was stored before a restart.
  public init(at now: Instant, pause: Duration = .zero) {
    let pause = Self.limited(pause)
    notBefore = now + pause
    isHeldBack = pause > .zero
  }

  /// Returns the time that is left to wait; zero if a request may be sent now.
  public func pause(at now: Instant) -> Duration { max(.zero, notBefore - now) }

  /// Records the start of a request: the next one follows after `pace` at the earliest.
  public mutating func begin(at now: Instant, pace: Duration) { notBefore = max(notBefore, now + pace) }

  /// Records that the destination answered, so that it is no longer held back. The number of failures is kept.
  public mutating func release() { isHeldBack = false }

  /// Records that the destination accepted an item, and resets the number of failures.
  public mutating func succeed() { failures = 0 }

  /// Records a failure and sets a pause that grows with the number of failures, up to `limit` of them.
  public mutating func fail(at now: Instant, growingUntil limit: Int = .max) {
    failures += 1
    hold(for: RetryPolicy.standard.pause(after: min(failures, limit)), at: now)
  }

  /// Sends nothing for at least `pause`; a longer pause that has begun is kept.
  public mutating func hold(for pause: Duration, at now: Instant) {
    let until = now + Self.limited(pause)
    guard until > notBefore else { return }
    notBefore = until
    isHeldBack = true
  }

  /// Resets the failures and pauses, as a person wants the destination to be tried at once.
  public mutating func reset(at now: Instant) { self = RetrySchedule(at: now) }

  private static func limited(_ pause: Duration) -> Duration { min(max(.zero, pause), longestPause) }
}

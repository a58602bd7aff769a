/// Decides when a provider is asked, and what follows from its answers. A pure value that is stored between runs.
public struct ProviderPacing: Codable, Hashable, Sendable {
  /// The time between two runs.
  public static let cadence = Milliseconds(6 * 3_600_000)
  /// The time from a change here to the run that brings it to the provider.
  public static let changeDelay = Milliseconds(30_000)
  /// The time to the second reading, where entries are missing in the first one.
  public static let secondReadingDelay = Milliseconds(10 * 60_000)
  /// The longest pause that is taken within a run; for a longer one the run ends.
  static let longestPauseInRun = Milliseconds(60_000)
  /// The longest time for which a provider is left alone.
  static let longestHold = Milliseconds(24 * 3_600_000)

  /// The outcome of one call.
  public enum Outcome: Hashable, Sendable {
    case success
    /// An answer with another status than those of success, and the time of its `Retry-After`; nil if it has none.
    case status(Int, retryAfter: Milliseconds?)
    /// No answer at all.
    case noAnswer
  }

  /// The next thing to do after a call.
  public enum Decision: Hashable, Sendable {
    /// The run continues.
    case proceed
    /// The same call is made again at this time.
    case retry(at: Timestamp)
    /// The token is refreshed, and the same call is made again.
    case refreshToken
    /// The call is left out and reported: the provider does not allow it, and would not do so again.
    case skip
    /// The run ends; the next one is not before this time.
    case stop(until: Timestamp)
    /// The run ends, and there is none until a person signs in.
    case signIn
  }

  /// The time of the next run.
  public private(set) var nextRun: Timestamp
  /// The time before which nothing is asked; nil if nothing holds.
  public private(set) var heldUntil: Timestamp?
  /// True if a person has to sign in again.
  public private(set) var needsSignIn = false
  /// The answers in a row that asked for a pause.
  private var throttles = 0
  /// The times in a row that the provider was left alone since it asked for pauses too often.
  private var throttleHolds = 0
  /// The failures in a row of the present call.
  private var failures = 0
  /// The times in a row that the provider was left alone since it failed. While it is not zero, one failure suffices.
  private var trips = 0
  /// True if the token was refreshed since the last success.
  private var isRefreshed = false

  /// Creates the pacing of a provider that has just been linked, which is asked at once.
  public init(linkedAt now: Timestamp) { nextRun = now }

  /// Returns true if a run is due.
  public func isDue(at now: Timestamp) -> Bool {
    !needsSignIn && (wait(at: now) <= .zero)
  }

  /// Returns the time to the next run; zero or less if it is due.
  public func wait(at now: Timestamp) -> Milliseconds {
    // A time that is further ahead than any that is ever set comes from a clock that was put back.
    let run = nextRun - now > Self.cadence ? .zero : nextRun - now
    let hold = heldUntil.map { $0 - now > Self.longestHold ? .zero : $0 - now } ?? .zero
    return max(run, hold)
  }

  /// Records a change here: the next run is 30 seconds later at the latest.
  public mutating func changedHere(at now: Timestamp) { advance(to: now.adding(Self.changeDelay)) }

  /// Records that a person asks for a run at once. What the provider asked for still holds.
  public mutating func request(at now: Timestamp) { advance(to: now) }

  /// Records the start of a run.
  public mutating func begin(at now: Timestamp) {
    nextRun = now.adding(Self.cadence)
    heldUntil = nil
    throttles = 0
    failures = 0
  }

  /// Records that a run ended.
  ///
  /// - Parameters:
  ///   - isWaiting: true if entries are missing at the provider and a second reading decides about them.
  ///   - now: the time of the end.
  public mutating func finish(isWaiting: Bool, at now: Timestamp) {
    if isWaiting { advance(to: now.adding(Self.secondReadingDelay)) }
  }

  /// Records that a person signed in.
  public mutating func signedIn(at now: Timestamp) { self = ProviderPacing(linkedAt: now) }

  /// Records that the token cannot be refreshed.
  public mutating func refused() { needsSignIn = true }

  private mutating func advance(to time: Timestamp) { nextRun = min(nextRun, time) }
}

/// Answers.
extension ProviderPacing {
  /// Records the outcome of a call and returns what follows.
  public mutating func record(_ outcome: Outcome, at now: Timestamp) -> Decision {
    switch outcome {
    case .success:
      throttles = 0
      throttleHolds = 0
      failures = 0
      trips = 0
      isRefreshed = false
      return .proceed
    case .status(429, let pause): return throttled(pause, at: now)
    case .status(401, _):
      guard !isRefreshed else {
        needsSignIn = true
        return .signIn
      }
      isRefreshed = true
      return .refreshToken
    case .status(let status, let pause) where status >= 500 || status == 408: return failed(pause, at: now)
    case .status: return .skip
    case .noAnswer: return failed(nil, at: now)
    }
  }

  private mutating func throttled(_ pause: Milliseconds?, at now: Timestamp) -> Decision {
    throttles += 1
    let pause = max(.zero, pause ?? Milliseconds(5000))
    if throttles <= 5, pause <= Self.longestPauseInRun { return .retry(at: now.adding(pause)) }
    let hold = Milliseconds(throttleHolds == 0 ? 3_600_000 : 6 * 3_600_000)
    throttleHolds += 1
    return stop(for: throttles <= 5 ? pause : max(pause, hold), at: now)
  }

  private mutating func failed(_ pause: Milliseconds?, at now: Timestamp) -> Decision {
    failures += 1
    if trips == 0, failures <= 6 {
      let backoff = Milliseconds(min(30_000, 1000 << Int64(failures - 1)))
      let pause = max(backoff, pause ?? .zero)
      if pause <= Self.longestPauseInRun { return .retry(at: now.adding(pause)) }
    }
    trips += 1
    return stop(for: Milliseconds(min(6 * 3_600_000, 900_000 << Int64(min(trips - 1, 8)))), at: now, atLeast: pause)
  }

  private mutating func stop(for pause: Milliseconds, at now: Timestamp, atLeast: Milliseconds? = nil) -> Decision {
    let until = now.adding(min(Self.longestHold, max(pause, atLeast ?? .zero)))
    heldUntil = until
    // Unfinished work is tried as soon as the provider may be asked again.
    advance(to: until)
    return .stop(until: until)
  }
}

extension Timestamp {
  /// Returns the time that is later by a duration.
  public func adding(_ duration: Milliseconds) -> Timestamp {
    Timestamp(microseconds: microseconds &+ duration.rawValue &* 1000)
  }
}

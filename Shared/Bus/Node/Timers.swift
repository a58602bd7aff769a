import Model
import System

/// The times when a node has periodic work to do.
struct Timers {
  /// The time from a publication to the heartbeat that follows it, by which readers notice messages that were lost.
  private static let heartbeatDelay = Duration.milliseconds(30)
  private static let betweenHeartbeats = Duration.milliseconds(100)
  /// The time between two messages of metrics, while somebody wants signals.
  private static let betweenMetrics = Duration.seconds(10)

  private let disablesPeriodicWork: Bool
  private var lastHeartbeat: ContinuousClock.Instant
  private var nextHeartbeat: ContinuousClock.Instant
  /// The times of heartbeats beside those of each second.
  private var extraHeartbeats: [ContinuousClock.Instant] = []
  private var nextRound: ContinuousClock.Instant
  private var nextScan: ContinuousClock.Instant
  private var nextMetrics: ContinuousClock.Instant
  var onRound: (@Sendable () -> Void)?

  /// - Parameters:
  ///   - disablesPeriodicWork: true for tests in which no second passes.
  ///   - now: the current time.
  init(disablesPeriodicWork: Bool, at now: ContinuousClock.Instant) {
    self.disablesPeriodicWork = disablesPeriodicWork
    lastHeartbeat = now
    nextHeartbeat = now
    nextRound = now
    nextScan = now
    nextMetrics = now
  }

  mutating func start(at now: ContinuousClock.Instant) {
    nextHeartbeat = second(after: now)
    nextRound = second(after: now)
    nextScan = now + Roster.renewal
  }

  var nextDue: ContinuousClock.Instant {
    extraHeartbeats.reduce(min(nextRound, nextHeartbeat, nextScan)) { min($0, $1) }
  }

  /// Returns true if the round of each second is due, and schedules the next.
  mutating func isRoundDue(at now: ContinuousClock.Instant) -> Bool {
    Self.isDue(&nextRound, at: now, then: second(after: now))
  }

  /// Returns true if a heartbeat is due, and schedules the next.
  mutating func isHeartbeatDue(at now: ContinuousClock.Instant) -> Bool {
    guard nextHeartbeat <= now || extraHeartbeats.contains(where: { $0 <= now }) else { return false }
    if nextHeartbeat <= now { nextHeartbeat = second(after: now) }
    extraHeartbeats.removeAll { $0 <= now }
    return true
  }

  /// Returns true if the runtime directory should be read, and schedules the next time after `pause`.
  mutating func isScanDue(at now: ContinuousClock.Instant, pause: Duration) -> Bool {
    Self.isDue(&nextScan, at: now, then: now + pause)
  }

  /// Returns true if the node's metrics are to be published, and schedules the next time.
  mutating func areMetricsDue(at now: ContinuousClock.Instant) -> Bool {
    Self.isDue(&nextMetrics, at: now, then: now + Self.betweenMetrics)
  }

  private static func isDue(
    _ moment: inout ContinuousClock.Instant, at now: ContinuousClock.Instant, then next: ContinuousClock.Instant
  ) -> Bool {
    guard moment <= now else { return false }
    moment = next
    return true
  }

  mutating func recordHeartbeat() { lastHeartbeat = .now }

  /// Schedules a heartbeat shortly after a message, which may be lost on a busy pipe; returns false if one is due
  /// sooner.
  mutating func scheduleHeartbeatSoon() -> Bool {
    let moment = max(.now + Self.heartbeatDelay, lastHeartbeat + Self.betweenHeartbeats)
    guard moment < nextHeartbeat else { return false }
    nextHeartbeat = moment
    return true
  }

  /// Schedules heartbeats after a new connection, which needs a few milliseconds to come up. By the versions and
  /// journal ends in them the peer fetches messages that it missed.
  mutating func followConnection(at now: ContinuousClock.Instant) {
    extraHeartbeats += [now + .milliseconds(20), now + .milliseconds(150)]
  }

  /// Returns the next whole second of the host's monotonic clock. It is the same for all nodes of the host, so their
  /// heartbeats come together and each node wakes once for all of them.
  private func second(after now: ContinuousClock.Instant) -> ContinuousClock.Instant {
    if disablesPeriodicWork { return now + .seconds(86_400) }
    let rest = 1_000_000_000 - MonotonicClock.nanoseconds() % 1_000_000_000
    return now + .nanoseconds(rest < 1_000_000 ? rest + 1_000_000_000 : rest)
  }
}

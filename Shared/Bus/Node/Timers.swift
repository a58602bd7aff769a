import Model
import System

/// The moments at which a node has to do something because time has passed.
struct Timers {
  /// The time from a change to the heartbeat that follows it, which tells of the change once more.
  private static let heartbeatDelay = Duration.milliseconds(30)
  private static let betweenHeartbeats = Duration.milliseconds(100)
  /// The time between two messages of metrics, while somebody wants signals.
  private static let betweenMetrics = Duration.seconds(10)

  private let disablesPeriodicWork: Bool
  private var lastHeartbeat: ContinuousClock.Instant
  private var nextHeartbeat: ContinuousClock.Instant
  /// Heartbeats beside those of each second.
  private var extraHeartbeats: [ContinuousClock.Instant] = []
  private var nextRound: ContinuousClock.Instant
  private var nextScan: ContinuousClock.Instant
  private var nextMetrics: ContinuousClock.Instant
  var onRound: (@Sendable () -> Void)?

  /// - Parameter disablesPeriodicWork: true for tests in which no second passes.
  init(disablesPeriodicWork: Bool, at now: ContinuousClock.Instant) {
    self.disablesPeriodicWork = disablesPeriodicWork
    (lastHeartbeat, nextHeartbeat, nextRound, nextScan, nextMetrics) = (now, now, now, now, now)
  }

  mutating func start(at now: ContinuousClock.Instant) {
    (nextHeartbeat, nextRound, nextScan) = (second(after: now), second(after: now), now + Roster.renewal)
  }

  var nextDue: ContinuousClock.Instant {
    extraHeartbeats.reduce(min(nextRound, nextHeartbeat, nextScan)) { min($0, $1) }
  }

  /// True where the round of each second is due, which is then begun.
  mutating func isRoundDue(at now: ContinuousClock.Instant) -> Bool {
    Self.isDue(&nextRound, at: now, then: second(after: now))
  }

  /// True where a heartbeat is due, which is then to be sent.
  mutating func isHeartbeatDue(at now: ContinuousClock.Instant) -> Bool {
    guard nextHeartbeat <= now || extraHeartbeats.contains(where: { $0 <= now }) else { return false }
    if nextHeartbeat <= now { nextHeartbeat = second(after: now) }
    extraHeartbeats.removeAll { $0 <= now }
    return true
  }

  /// True where the runtime directory is to be read, the next time after a pause.
  mutating func isScanDue(at now: ContinuousClock.Instant, pause: Duration) -> Bool {
    Self.isDue(&nextScan, at: now, then: now + pause)
  }

  /// True where the node's metrics are to be told.
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

  mutating func noteHeartbeat() { lastHeartbeat = .now }

  /// Schedules a heartbeat shortly after a message, which may be lost on a busy pipe; returns false if one is due soon
  /// anyway.
  mutating func scheduleHeartbeatSoon() -> Bool {
    let moment = max(.now + Self.heartbeatDelay, lastHeartbeat + Self.betweenHeartbeats)
    guard moment < nextHeartbeat else { return false }
    nextHeartbeat = moment
    return true
  }

  /// Schedules heartbeats after a new connection, which takes a millisecond or two to come up. By the versions and
  /// journal ends in them the peer catches up on messages that it missed.
  mutating func followConnection(at now: ContinuousClock.Instant) {
    extraHeartbeats += [now + .milliseconds(20), now + .milliseconds(150)]
  }

  /// The next whole second of the host's own clock, the same for all of its nodes: their heartbeats come together, and
  /// each wakes once for all of them.
  private func second(after now: ContinuousClock.Instant) -> ContinuousClock.Instant {
    if disablesPeriodicWork { return now + .seconds(86_400) }
    let rest = 1_000_000_000 - MonotonicClock.nanoseconds() % 1_000_000_000
    return now + .nanoseconds(rest < 1_000_000 ? rest + 1_000_000_000 : rest)
  }
}

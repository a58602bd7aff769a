import CSystemd
import Model
import Synchronization

/// Tells systemd's watchdog that a service makes progress. Nothing where systemd does not ask for it.
///
/// It has no timer of its own: the rounds of the node's I/O loop drive it.
final class Watchdog: Sendable {
  private let pace: Mutex<WatchdogPace>
  private let healthCheck: @Sendable () async throws -> Void
  private let feed: @Sendable () -> Void
  private let log: Log

  /// - Parameters:
  ///   - patience: the time the watchdog waits.
  ///   - log: receives the error of a health check that fails.
  ///   - feed: gives the sign of life.
  ///   - healthCheck: a round trip through what the service does its work with.
  init(
    patience: Duration, log: Log, feed: @escaping @Sendable () -> Void = { sd_notify(0, "WATCHDOG=1") },
    healthCheck: @escaping @Sendable () async throws -> Void
  ) {
    pace = Mutex(WatchdogPace(patience: patience))
    self.healthCheck = healthCheck
    self.feed = feed
    self.log = log
  }

  /// The time systemd's watchdog waits for this process; nil where there is none.
  static func patience() -> Duration? {
    var microseconds: UInt64 = 0
    guard sd_watchdog_enabled(0, &microseconds) > 0 else { return nil }
    return .microseconds(Int64(clamping: microseconds))
  }

  func round() {
    guard pace.withLock({ $0.round(at: .now) }) else { return }
    Task { await prove() }
  }

  private func prove() async {
    do {
      try await healthCheck()
    } catch {
      // An error proves progress as well: a full disk is no reason for a restart.
      log.debug("\(LunaraError(error))")
    }
    pace.withLock { $0.proved(at: .now) }
    feed()
  }
}

/// Decides when systemd's watchdog is fed. Pure.
///
/// Each round of the node's I/O loop may begin a health check, a round trip through what the service does its work
/// with; the watchdog is fed at the end of a health check. So it is not fed where the loop stands still, or where the
/// health check does not come back.
struct WatchdogPace {
  let patience: Duration
  private var isProving = false
  private var fedAt: ContinuousClock.Instant?

  init(patience: Duration) { self.patience = patience }

  /// Notes that a round of the loop is done. Returns true if a health check is to begin.
  mutating func round(at now: ContinuousClock.Instant) -> Bool {
    // Four signs in the time that systemd waits for one: a late one does no harm.
    guard !isProving, fedAt.map({ now - $0 >= patience / 4 }) ?? true else { return false }
    isProving = true
    return true
  }

  /// Notes that a health check has ended and that the watchdog was fed.
  mutating func proved(at now: ContinuousClock.Instant) {
    isProving = false
    fedAt = now
  }
}

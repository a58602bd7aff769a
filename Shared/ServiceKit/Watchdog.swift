import CSystemd
import Model
import Synchronization

/// Feeds systemd's watchdog while a service makes progress.
///
/// It has no timer of its own: `round` has to be called by the node's I/O loop.
final class Watchdog: Sendable {
  private let pace: Mutex<WatchdogPace>
  private let healthCheck: @Sendable () async throws -> Void
  private let feed: @Sendable () -> Void
  private let log: Log

  /// - Parameters:
  ///   - patience: the time after which the watchdog acts.
  ///   - log: the log for errors of the health check.
  ///   - feed: feeds the watchdog.
  ///   - healthCheck: a call through the parts that the service depends on.
  init(
    patience: Duration, log: Log, feed: @escaping @Sendable () -> Void = { sd_notify(0, "WATCHDOG=1") },
    healthCheck: @escaping @Sendable () async throws -> Void
  ) {
    pace = Mutex(WatchdogPace(patience: patience))
    self.healthCheck = healthCheck
    self.feed = feed
    self.log = log
  }

  /// Returns the time after which systemd's watchdog acts on this process; nil if it is not enabled.
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
      // An error proves progress as well: restarting would not help against a full disk.
      log.debug("\(LunaraError(error))")
    }
    pace.withLock { $0.proved(at: .now) }
    feed()
  }
}

/// Decides when systemd's watchdog is fed. Pure.
///
/// Each round of the node's I/O loop may start a health check, and the watchdog is fed when the check has ended. So it
/// is not fed if the loop stops or the health check does not return.
struct WatchdogPace {
  let patience: Duration
  private var isProving = false
  private var fedAt: ContinuousClock.Instant?

  init(patience: Duration) { self.patience = patience }

  /// Records a round of the loop. Returns true if a health check has to start.
  mutating func round(at now: ContinuousClock.Instant) -> Bool {
    // The watchdog is fed four times in its period, so that a delay does no harm.
    guard !isProving, fedAt.map({ now - $0 >= patience / 4 }) ?? true else { return false }
    isProving = true
    return true
  }

  /// Records that a health check has ended and that the watchdog was fed.
  mutating func proved(at now: ContinuousClock.Instant) {
    isProving = false
    fedAt = now
  }
}

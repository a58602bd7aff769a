/// When systemd's watchdog is fed. Pure.
///
/// Each round of the node's I/O loop may begin a proof, a round trip through what the service does its work with; what
/// feeds the watchdog is the end of a proof. So it goes hungry where the loop stands still, and where the proof does not
/// come back.
struct WatchdogPace {
  /// How long systemd waits for a sign of life.
  let patience: Duration
  private var isProving = false
  private var fedAt: ContinuousClock.Instant?

  init(patience: Duration) { self.patience = patience }

  /// A round of the loop is done; tells whether to begin a proof.
  mutating func round(at now: ContinuousClock.Instant) -> Bool {
    // Four signs in the time that systemd waits for one: a late one does no harm.
    guard !isProving, fedAt.map({ now - $0 >= patience / 4 }) ?? true else { return false }
    isProving = true
    return true
  }

  /// A proof has come back, and the watchdog is fed.
  mutating func proved(at now: ContinuousClock.Instant) {
    isProving = false
    fedAt = now
  }
}

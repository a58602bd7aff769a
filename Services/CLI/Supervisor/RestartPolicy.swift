import Model

/// When a service that ended is started again: at once the first time, then after 1 s, doubling to 30 s; one that was
/// well for 60 s begins anew.
struct RestartPolicy: Sendable, Equatable {
  private var failures = 0

  /// How long to wait before the next start, given how long it ran.
  mutating func delay(afterRunning ran: Milliseconds) -> Milliseconds {
    if ran >= Self.well { failures = 0 }
    defer { failures += 1 }
    guard failures > 0 else { return .zero }
    return min(Self.longest, Milliseconds(1000 << Int64(min(failures - 1, 10))))
  }

  private static let well = Milliseconds(60_000)
  private static let longest = Milliseconds(30_000)
}

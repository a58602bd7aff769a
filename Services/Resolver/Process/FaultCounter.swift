import Model

/// Counts how often a plugin had to be ended.
struct FaultCounter: Hashable, Sendable {
  /// The number of faults within `period` after which a plugin is switched off.
  static let limit = 3
  static let period = Milliseconds(3_600_000)

  private var times: [Milliseconds] = []

  /// Notes a fault. Returns true if the plugin should be switched off.
  mutating func recordFault(at now: Milliseconds) -> Bool {
    times.removeAll { $0 + Self.period <= now }
    times.append(now)
    guard times.count >= Self.limit else { return false }
    times = []
    return true
  }
}

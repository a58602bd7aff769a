import Synchronization

/// Sources that were away a moment ago, so that nobody waits for them again where there is another way.
final class UnreachableSources: Sendable {
  /// How long one counts as away.
  static let lifetime = Duration.seconds(60)

  private let seen = Mutex<[String: ContinuousClock.Instant]>([:])

  /// Notes that a source is away, or that it is not.
  func note(_ source: String, isAway: Bool) {
    seen.withLock { $0[source] = isAway ? .now : nil }
  }

  /// Whether a source counts as away.
  func has(_ source: String) -> Bool {
    seen.withLock { $0[source].map { $0.duration(to: .now) < Self.lifetime } ?? false }
  }
}

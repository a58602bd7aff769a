/// When changes below the music folders lead to a refresh. A state machine without a clock: times are since any fixed
/// moment.
///
/// Changes come in heaps, as when an album is copied. The refresh waits until nothing happened for a moment; where
/// there is no such moment it comes after a while all the same, and the longer a refresh takes, the later.
struct ChangeDebouncer {
  /// How long nothing must have happened.
  let quiet: Duration
  /// How long a change waits at most while others follow it.
  let longest: Duration
  /// A refresh takes at most one part in so many of the time.
  static let share = 20

  private var first: Duration?
  private var last = Duration.zero
  /// How long the last refresh took.
  var refreshTime = Duration.zero

  init(quiet: Duration = .seconds(2), longest: Duration = .seconds(15)) {
    (self.quiet, self.longest) = (quiet, longest)
  }

  /// Notes a change.
  mutating func changed(at now: Duration) {
    first = first ?? now
    last = now
  }

  /// When to refresh; nil where nothing changed.
  var due: Duration? {
    first.map { min(last + quiet, $0 + max(longest, refreshTime * Self.share)) }
  }

  /// Whether to refresh now, which it then takes for done.
  mutating func take(at now: Duration) -> Bool {
    guard let due, due <= now else { return false }
    first = nil
    return true
  }
}

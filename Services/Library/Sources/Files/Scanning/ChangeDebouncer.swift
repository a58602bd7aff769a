/// Decides when changes in the music folders lead to a refresh. A state machine without a clock: times are relative to
/// any fixed moment.
///
/// Changes come in groups, as when an album is copied. The refresh waits until nothing has changed for the time
/// `quiet`, but at most `longest`, or twenty times as long as a refresh takes if that is more.
package struct ChangeDebouncer {
  /// The time without changes after which a refresh is due.
  var quiet = Duration.seconds(2)
  /// The longest time that a change waits while others follow it.
  var longest = Duration.seconds(15)
  /// The number of refresh durations that a change waits at most, so that refreshes take at most a twentieth of the
  /// time.
  static let refreshMultiple = 20

  private(set) var first: Duration?
  private(set) var last = Duration.zero
  var refreshTime = Duration.zero

  mutating func changed(at now: Duration) {
    first = first ?? now
    last = now
  }

  /// The time of the next refresh; nil if nothing changed.
  var due: Duration? {
    first.map { min(last + quiet, $0 + max(longest, refreshTime * Self.refreshMultiple)) }
  }

  /// Returns true if a refresh is due, and then counts it as done.
  mutating func isDue(at now: Duration) -> Bool {
    guard let due, due <= now else { return false }
    first = nil
    return true
  }
}

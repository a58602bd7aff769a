import Model
import Records

/// The number of items a second over the last seconds. Times are relative to any fixed moment.
struct RateMeter {
  private static let span = Duration.seconds(5)
  /// The shortest time from which a rate is computed.
  private static let least = Duration.milliseconds(400)

  private var samples: [(time: Duration, done: Int)] = []

  mutating func add(_ done: Int, at time: Duration) {
    samples.append((time, done))
    while samples.count > 2, time - samples[1].time >= Self.span { samples.removeFirst() }
  }

  /// Items a second; nil if it is not known yet.
  var rate: Double? {
    guard let first = samples.first, let last = samples.last, last.time - first.time >= Self.least else { return nil }
    return (Double(last.done - first.done) / ((last.time - first.time) / .milliseconds(1)) * 1000 * 10).rounded() / 10
  }
}

/// Decides when a source is refreshed. Does no I/O.
///
/// One refresh runs at a time. A request during a refresh leads to another one after it, since the running one may miss
/// the changes that are meant.
struct RefreshPlan {
  struct Refresh: Equatable {
    /// Tells the refresh from others of its source.
    var number: Int64
    var accepts: AcceptedChanges
  }

  private(set) var isRunning = false
  private var next: Refresh?

  /// Records a request; `number` is that of a new refresh, if one is needed. Returns the number of the refresh that
  /// answers the request, and true if it is to begin now.
  mutating func request(_ accepts: AcceptedChanges, number: Int64) -> (number: Int64, begins: Bool) {
    guard isRunning else {
      isRunning = true
      return (number, true)
    }
    next = Refresh(number: next?.number ?? number, accepts: (next?.accepts ?? []).union(accepts))
    return (next?.number ?? number, false)
  }

  /// Records the end of the running refresh. Returns the one that begins now; nil for none.
  mutating func finish() -> Refresh? {
    defer { next = nil }
    isRunning = next != nil
    return next
  }
}

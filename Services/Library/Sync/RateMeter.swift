/// How fast something goes of late. A pure function of what it is told: times are since any fixed moment.
struct RateMeter {
  /// How far back is looked.
  private static let span = Duration.seconds(5)
  /// Less than this says nothing yet.
  private static let least = Duration.milliseconds(400)

  private var samples: [(time: Duration, done: Int)] = []

  /// Notes how much is done.
  mutating func add(_ done: Int, at time: Duration) {
    samples.append((time, done))
    while samples.count > 2, time - samples[1].time >= Self.span { samples.removeFirst() }
  }

  /// Items a second; nil where it is not known yet.
  var rate: Double? {
    guard let first = samples.first, let last = samples.last, last.time - first.time >= Self.least else { return nil }
    return (Double(last.done - first.done) / ((last.time - first.time) / .milliseconds(1)) * 1000 * 10).rounded() / 10
  }
}

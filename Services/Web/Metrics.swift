import Synchronization

/// Counts what the service does, as Prometheus text (exposition format 0.0.4).
final class Metrics: Sendable {
  private let answers = Mutex<[Int: Int]>([:])

  /// Counts an answer by the class of its status: 2 for 200 to 299.
  func count(status: Int) { answers.withLock { $0[status / 100, default: 0] += 1 } }

  /// Everything as text.
  ///
  /// - Parameter household: how many browsers follow, and how many events they were sent.
  func text(_ household: (followers: Int, eventsSent: Int)) -> String {
    var text = "# HELP lunara_web_requests_total Requests answered, by class of status.\n"
    text += "# TYPE lunara_web_requests_total counter\n"
    for (group, count) in answers.withLock({ $0 }).sorted(by: { $0.key < $1.key }) {
      text += "lunara_web_requests_total{status=\"\(group)xx\"} \(count)\n"
    }
    text += "# HELP lunara_web_browsers Browsers that follow the events.\n"
    text += "# TYPE lunara_web_browsers gauge\nlunara_web_browsers \(household.followers)\n"
    text += "# HELP lunara_web_events_total Events sent to browsers.\n"
    text += "# TYPE lunara_web_events_total counter\nlunara_web_events_total \(household.eventsSent)\n"
    return text
  }
}

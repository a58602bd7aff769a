import Bus
import Synchronization

/// Counts what the service does for browsers.
final class Metrics: Sendable {
  private let answers = Mutex<[Int: Int]>([:])

  /// Counts an answer by the class of its status: 2 for 200 to 299.
  func count(status: Int) { answers.withLock { $0[status / 100, default: 0] += 1 } }

  /// Adds what is counted here to the figures of the process.
  ///
  /// - Parameter household: tells how many browsers follow, and how many events they were sent.
  func register(
    in metrics: MetricRegistry, household: @escaping @Sendable () async -> (followers: Int, eventsSent: Int)
  ) {
    metrics.family("web_requests", "Requests answered, by class of status.", .counter) { [self] in
      answers.withLock { $0 }.sorted { $0.key < $1.key }.map { .init(Double($0.value), ["status": "\($0.key)xx"]) }
    }
    metrics.gauge("web_browsers", "Browsers that follow the events.") { Double(await household().followers) }
    metrics.counter("web_events", "Events sent to browsers.") { Double(await household().eventsSent) }
  }
}

extension Node {
  /// This process' figures as Prometheus reads them, with the node's role and name.
  func prometheusText() async -> String {
    var text = PrometheusText()
    text.add(await readMetrics(), labels: ["role": id.role, "name": id.name])
    return text.text
  }
}

import Bus
import HTTP
import Messages
import Model

extension Endpoint {
  /// The endpoints about the household as a whole.
  static let wholeHousehold: [Endpoint] = [
    Endpoint("GET", "/api/v1/status", "readStatus") { api, _ in
      try .json(await api.household.status(with: await api.node.presence()))
    },
    Endpoint("GET", "/api/v1/metrics", "readAllMetrics") { api, _ in .prometheus(await api.metricsOfAllNodes()) },
    Endpoint("GET", "/metrics", "readMetrics") { api, _ in .prometheus(await api.node.prometheusText()) },
    Endpoint("GET", "/healthz", "readHealth", .open) { _, _ in HTTPServerResponse(text: "ok\n") },
    Endpoint("GET", "/api/v1/openapi.json", "readDescription", .open) { api, call in
      api.compressor.response(with: api.openAPI, to: call.request)
    },
    Endpoint("GET", "/api/v1/events", "followEvents") { api, call in
      let id = call.request.header("Last-Event-ID") ?? call.parameters.text("after")
      return .events(
        try await api.household.events(after: id.flatMap(EventID.init), missed: id != nil, for: call.client.session))
    },
  ]
}

extension HTTPServerResponse {
  fileprivate static func prometheus(_ text: String) -> HTTPServerResponse {
    HTTPServerResponse(
      headers: [("Content-Type", PrometheusText.contentType), ("Cache-Control", "no-store")],
      body: .bytes(Array(text.utf8)))
  }
}

/// The metrics of one process; nil where it did not answer.
///
/// This is no tuple: the optimized code of Swift 6.3 copies one wrongly, which crashes the process.
private struct NodeMetrics: Sendable {
  let id: NodeID
  let metrics: [Metric]?
}

extension API {
  /// Returns the metrics of all processes that answer, each with its role and name, in the format of Prometheus.
  fileprivate func metricsOfAllNodes() async -> String {
    let nodes = await household.nodesThatAreThere() + [node.id]
    let answers = await withTaskGroup(of: NodeMetrics.self) { group in
      for id in nodes {
        group.addTask { [node] in
          if id == node.id { return NodeMetrics(id: id, metrics: await node.readMetrics()) }
          // A process that does not answer is shown by the metric `lunara_up`.
          do {
            let answer = try await node.request(ReadMetrics(), to: id, within: .seconds(2))
            return NodeMetrics(id: id, metrics: answer.metrics)
          } catch {
            return NodeMetrics(id: id, metrics: nil)
          }
        }
      }
      var answers: [NodeMetrics] = []
      for await answer in group { answers.append(answer) }
      return answers.sorted { $0.id < $1.id }
    }
    var text = PrometheusText()
    for answer in answers {
      let up = Metric(
        "lunara_up", "1 for a node that answered when it was asked for its metrics, else 0.", .gauge,
        value: answer.metrics == nil ? 0 : 1)
      text.add([up], labels: ["role": answer.id.role, "name": answer.id.name])
    }
    for answer in answers {
      text.add(answer.metrics ?? [], labels: ["role": answer.id.role, "name": answer.id.name])
    }
    return text.text
  }
}

extension Node {
  /// Returns the metrics of this process in the format of Prometheus, with the node's role and name.
  fileprivate func prometheusText() async -> String {
    var text = PrometheusText()
    text.add(await readMetrics(), labels: ["role": id.role, "name": id.name])
    return text.text
  }
}

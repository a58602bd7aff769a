import Bus
import HTTP
import Messages
import Model

extension Endpoint {
  /// The household as a whole.
  static let householdWide: [Endpoint] = [
    Endpoint("GET", "/api/v1/status", "readStatus") { api, _ in
      try .json(await api.household.status(with: await api.node.presence()))
    },
    Endpoint("GET", "/api/v1/metrics", "readAllMetrics") { api, _ in .prometheus(await api.figuresOfAll()) },
    Endpoint("GET", "/metrics", "readMetrics") { api, _ in .prometheus(await api.node.prometheusText()) },
    Endpoint("GET", "/healthz", "readHealth", .open) { _, _ in HTTPServerResponse(text: "ok\n") },
    Endpoint("GET", "/api/v1/openapi.json", "readDescription", .open) { api, call in
      api.compressor.file(PageFiles.description, to: call.request)
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

/// What one process counts and measures; nil where it does not answer.
///
/// A tuple in its place is copied wrongly by the optimized code of Swift 6.3, which ends the process.
private struct NodeFigures: Sendable {
  let id: NodeID
  let metrics: [Metric]?
}

extension API {
  /// The figures of all processes that answer, each with its role and name.
  fileprivate func figuresOfAll() async -> String {
    let nodes = await household.nodesThatAreThere() + [node.id]
    let answers = await withTaskGroup(of: NodeFigures.self) { group in
      for id in nodes {
        group.addTask { [node] in
          if id == node.id { return NodeFigures(id: id, metrics: await node.readMetrics()) }
          // That it does not answer is what the figure `lunara_up` says of it.
          do {
            let answer = try await node.request(ReadMetrics(), to: id, within: .seconds(2))
            return NodeFigures(id: id, metrics: answer.metrics)
          } catch {
            return NodeFigures(id: id, metrics: nil)
          }
        }
      }
      var answers: [NodeFigures] = []
      for await answer in group { answers.append(answer) }
      return answers.sorted { $0.id < $1.id }
    }
    var text = PrometheusText()
    for figures in answers {
      let up = Metric(
        "lunara_up", "Whether the node answered when it was asked for its figures.", .gauge,
        value: figures.metrics == nil ? 0 : 1)
      text.add([up], labels: ["role": figures.id.role, "name": figures.id.name])
    }
    for figures in answers {
      text.add(figures.metrics ?? [], labels: ["role": figures.id.role, "name": figures.id.name])
    }
    return text.text
  }
}

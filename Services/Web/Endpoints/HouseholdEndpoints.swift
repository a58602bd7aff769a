import Bus
import Client
import HTTP
import Messages
import Model

extension Endpoint {
  static let wholeHousehold: [Endpoint] = [
    Endpoint("GET", "/api/v1/status", "readStatus") { api, _ in
      .json(await api.household.status(with: await api.node.presence()))
    },
    Endpoint("GET", "/api/v1/metrics", "readAllMetrics") { api, _ in
      let nodes = await api.household.reachableNodes() + [api.node.id]
      return .prometheus(await Client(node: api.node).metrics(of: nodes).prometheusText)
    },
    Endpoint("GET", "/metrics", "readMetrics") { api, _ in .prometheus(await api.node.prometheusText()) },
    Endpoint("GET", "/healthz", "readHealth", .open) { _, _ in HTTPServerResponse(text: "ok\n") },
    Endpoint("GET", "/api/v1/openapi.json", "readDescription", .open) { api, call in
      try api.compressor.response(with: api.openAPI, to: call.request)
    },
    Endpoint("GET", "/api/v1/events", "followEvents") { api, call in
      let id = call.request.header("Last-Event-ID") ?? call.parameters.text("after")
      let page = call.parameters.text("page")
      guard page.map(PageName.isValid) ?? true else {
        throw LunaraError("web.badParameter", "page must have 8 to 64 letters a-z, digits and -.")
      }
      return .events(
        try await api.household.events(
          after: id.flatMap(EventID.init), of: page, missed: id != nil, for: call.client.session))
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

extension Node {
  /// Returns the metrics of this process in the format of Prometheus, with the node's role and name.
  fileprivate func prometheusText() async -> String {
    var text = PrometheusText()
    text.add(await readMetrics(), labels: ["role": id.role, "name": id.name])
    return text.text
  }
}

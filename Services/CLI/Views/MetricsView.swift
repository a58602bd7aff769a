import Bus
import Messages
import Model

/// The figures of all processes of a household.
struct MetricsView: Sendable {
  /// The figures of one node; nil where it did not answer.
  struct NodeMetrics: Sendable {
    var id: NodeID
    var metrics: [Metric]?
  }

  /// The nodes by name.
  var nodes: [NodeMetrics]

  /// As Prometheus reads it: the figures of each process with its role and name, and which of them answered.
  var prometheusText: String {
    var text = PrometheusText()
    let help = "Whether the node answered when it was asked for its figures."
    for node in nodes {
      let up = Metric("lunara_up", help, .gauge, value: node.metrics == nil ? 0 : 1)
      text.add([up], labels: ["role": node.id.role, "name": node.id.name])
    }
    for node in nodes { text.add(node.metrics ?? [], labels: ["role": node.id.role, "name": node.id.name]) }
    return text.text
  }

  /// `{"nodes":[{"role","name","answered","metrics":[{"name","help","type","labels","value"}]}]}`.
  var json: JSON {
    .object([
      "nodes": .list(nodes) { node in
        .object([
          "role": .text(node.id.role), "name": .text(node.id.name), "answered": .bool(node.metrics != nil),
          "metrics": .list(node.metrics ?? [], \.json),
        ])
      }
    ])
  }
}

extension Metric {
  fileprivate var json: JSON {
    .object([
      "name": .text(name), "help": .text(help), "type": .text(type.rawValue),
      "labels": .object(labels.sorted { $0.key < $1.key }.map { .init(key: $0.key, value: .string($0.value)) }),
      "value": .number(value),
    ])
  }
}

extension MetricsView {
  /// Asks all nodes of a household at the same time.
  init(of household: Client) async {
    let nodes = await withTaskGroup(of: NodeMetrics.self) { group in
      for node in household.nodes() {
        group.addTask {
          do {
            let answer = try await household.ask(ReadMetrics(), of: node, within: .seconds(2))
            return NodeMetrics(id: node, metrics: answer.metrics)
          } catch {
            // That it does not answer is what the view says of it.
            return NodeMetrics(id: node)
          }
        }
      }
      var nodes: [NodeMetrics] = []
      for await node in group { nodes.append(node) }
      return nodes.sorted { $0.id < $1.id }
    }
    self.init(nodes: nodes)
  }
}

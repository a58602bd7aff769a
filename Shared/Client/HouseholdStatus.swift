public import Bus
public import Messages
public import Model

/// The state of a household at one time.
public struct HouseholdStatus: Sendable {  // memberwise
  /// The processes.
  public var nodes: [NodeStatus]
  /// The rooms.
  public var rooms: [RoomStatus]
  /// The catalogue and its sources; nil if no library answers.
  public var catalogue: Library.CatalogueState?
  /// The outbox of scrobbles; nil if no scrobbler answers.
  public var outbox: Scrobble.OutboxState?
}

/// One process of a household.
public struct NodeStatus: Sendable, Equatable {
  /// The role and name.
  public var id: NodeID
  /// The process id; nil if not known.
  public var pid: Int32?
  /// The presence in its answer; nil if it did not answer.
  public var presence: NodePresence?

  /// Creates the status of a node that did not answer.
  public init(silent id: NodeID, pid: Int32?) {
    self.id = id
    self.pid = pid
  }

  /// Creates the status of a node that answered with its presence.
  public init(_ presence: NodePresence) {
    id = presence.id
    pid = presence.pid
    self.presence = presence
  }

  /// The time for which it has been running, by its own clock; nil if not known, as where that clock was set only after
  /// the start.
  public var uptime: Milliseconds? {
    guard let presence, presence.startedAt >= Self.earliestStart else { return nil }
    return max(.zero, presence.saidAt - presence.startedAt)
  }
  /// The beginning of 2010: an earlier time is that of a clock that was not set.
  private static let earliestStart = Timestamp(seconds: 1_262_304_000)
  /// True if it does not answer.
  public var isAway: Bool { presence?.away ?? true }
}

extension Client {
  /// Returns the status of all nodes, which are asked at the same time; one that does not answer within 2 s is away.
  public func status() async -> HouseholdStatus {
    async let rooms = roomStatuses()
    async let catalogue = stateIfThere(Library.CatalogueState.self, of: .library)
    async let outbox = stateIfThere(Scrobble.OutboxState.self, of: .scrobble)
    let statuses = await nodes().concurrentMap { node in
      do {
        var status = NodeStatus(try await ask(ReadPresence(), of: node, within: .seconds(2)))
        status.id = node
        return status
      } catch {
        // The status shows that the node does not answer.
        return NodeStatus(silent: node, pid: pid(of: node))
      }
    }
    return HouseholdStatus(
      nodes: statuses.sorted { $0.id < $1.id }, rooms: await rooms, catalogue: await catalogue, outbox: await outbox)
  }

  private func stateIfThere<S: State>(_ type: S.Type, of node: NodeID) async -> S? {
    guard nodes().contains(node) else { return nil }
    do {
      return try await state(type, of: node, within: .seconds(2))?.value
    } catch {
      // `nodes` shows that the node is away; its state is unknown.
      return nil
    }
  }

  /// Returns the metrics of nodes, which are asked at the same time; nil for one that does not answer within 2 s.
  public func metrics(of nodes: [NodeID]) async -> HouseholdMetrics {
    let answers = await nodes.concurrentMap { id in
      if id == node.id { return HouseholdMetrics.NodeMetrics(id: id, metrics: await node.readMetrics()) }
      do {
        return .init(id: id, metrics: try await ask(ReadMetrics(), of: id, within: .seconds(2)).metrics)
      } catch {
        // The metric `lunara_up` shows that the node does not answer.
        return .init(id: id, metrics: nil)
      }
    }
    return HouseholdMetrics(nodes: answers.sorted { $0.id < $1.id })
  }
}

extension Array where Element: Sendable {
  /// Returns the results for all elements, which are computed concurrently, in no particular order.
  func concurrentMap<Result: Sendable>(_ body: @Sendable @escaping (Element) async -> Result) async -> [Result] {
    await withTaskGroup(of: Result.self) { group in
      for element in self { group.addTask { await body(element) } }
      return await group.reduce(into: []) { $0.append($1) }
    }
  }
}

/// The metrics of all processes of a household.
public struct HouseholdMetrics: Sendable {
  /// The metrics of one node.
  ///
  /// This is a type because the optimized code of Swift 6.3 copies a tuple here wrongly, which ends the process.
  public struct NodeMetrics: Sendable {
    /// The node.
    public var id: NodeID
    /// The metrics in the order of the node's answer; nil if it did not answer.
    public var metrics: [Metric]?
  }

  /// The nodes, by name.
  public var nodes: [NodeMetrics]

  /// The text for Prometheus: the metrics of each process with its role and name, and `lunara_up`, which tells if it
  /// answered.
  public var prometheusText: String {
    var text = PrometheusText()
    let help = "Whether the node answered when it was asked for its figures."
    for node in nodes {
      let up = Metric("lunara_up", help, .gauge, value: node.metrics == nil ? 0 : 1)
      text.add([up], labels: ["role": node.id.role, "name": node.id.name])
    }
    for node in nodes { text.add(node.metrics ?? [], labels: ["role": node.id.role, "name": node.id.name]) }
    return text.text
  }
}

extension HouseholdMetrics: JSONRepresentable {
  /// The shape `{"nodes":[{"role","name","answered","metrics":[{"name","help","type","labels","value"}]}]}`.
  public var json: JSON {
    [
      "nodes": JSON.list(nodes) {
        ["role": $0.id.role, "name": $0.id.name, "answered": $0.metrics != nil, "metrics": $0.metrics ?? []]
      }
    ]
  }
}

extension Metric: JSONRepresentable {
  public var json: JSON {
    let labels = labels.sorted { $0.key < $1.key }.map { JSON.Member(key: $0.key, value: .string($0.value)) }
    return ["name": name, "help": help, "type": type.rawValue, "labels": JSON.object(labels), "value": value]
  }
}

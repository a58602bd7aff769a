import Bus
import Messages
import Model

/// Which envelopes a tap shows.
struct TapFilter: Sendable {
  /// Beginnings of topics; any where empty.
  var topics: [String] = []
  /// The only kind; any where nil.
  var kind: String?
  /// The only node, or every node of a role; any where nil.
  var node: String?

  /// Whether an envelope is shown. Heartbeats are, only where they are asked for: each node sends one a second.
  func shows(_ envelope: Envelope, topic: String) -> Bool {
    if envelope.kind == Self.heartbeat, kind != Self.heartbeat, !topics.contains(where: { $0.contains("heartbeat") }) {
      return false
    }
    if let kind, envelope.kind != kind { return false }
    if let node, envelope.node.description != node, envelope.node.role != node { return false }
    return topics.isEmpty || topics.contains { Self.begins(topic, with: $0) }
  }

  private static let heartbeat = "bus.heartbeat"

  /// A beginning ends where a word of the topic ends: `playback.kit` is no beginning of `playback.kitchen.`.
  private static func begins(_ topic: String, with beginning: String) -> Bool {
    let whole = beginning.isEmpty || beginning.hasSuffix(".") ? beginning : beginning + "."
    return topic.hasPrefix(whole)
  }
}

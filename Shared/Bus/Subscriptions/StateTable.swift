import Model

/// The newest state of each topic. Pure: the node does the sending and receiving.
struct StateTable {
  struct Held {
    var envelope: Envelope
    /// The rank in the order of its node's states; the lowest possible after the node has restarted.
    var rank: (epoch: Int64, version: Int64)
    /// The time when it was received, by this node's monotonic clock.
    var heardAt: ContinuousClock.Instant
    /// The age that it had on arrival, by the publisher's clock.
    var ageWhenHeard: Milliseconds
  }

  private(set) var held: [String: Held] = [:]
  /// The last version that was given out; it changes with every published value.
  private(set) var lastVersion: Int64 = 0

  /// Returns the version for a new value of a topic; nil if the payload equals the one held.
  mutating func version(for topic: String, payload: [UInt8]) -> Int64? {
    if let held = held[topic], held.envelope.payload == payload { return nil }
    lastVersion += 1
    return lastVersion
  }

  /// Applies a state if it is newer than the one held; returns true if it was.
  mutating func apply(
    _ envelope: Envelope, topic: String, at now: ContinuousClock.Instant, age: Milliseconds = .zero
  ) -> Bool {
    guard let version = envelope.version else { return false }
    let rank = (epoch: envelope.epoch, version: version)
    if let old = held[topic], old.rank >= rank { return false }
    held[topic] = Held(envelope: envelope, rank: rank, heardAt: now, ageWhenHeard: max(age, .zero))
    return true
  }

  /// Returns the topics whose versions in a node's presence are newer than those held.
  func stale(against presence: NodePresence) -> [String] {
    presence.states.filter { topic, version in
      held[topic].map { $0.rank < (presence.epoch, version) } ?? true
    }.keys.sorted()
  }

  /// Lowers the rank of a node's states. The node has restarted and may count its versions from 1, so its next states
  /// have to replace those held.
  mutating func outrank(_ node: NodeID) {
    for (topic, state) in held where state.envelope.node == node { held[topic]?.rank = (.min, .min) }
  }

  mutating func forget(_ node: NodeID) { held = held.filter { $0.value.envelope.node != node } }

  var versions: [String: Int64] { held.compactMapValues(\.envelope.version) }

  func states(ofKind kind: String) -> [Held] { held.values.filter { $0.envelope.kind == kind } }
}

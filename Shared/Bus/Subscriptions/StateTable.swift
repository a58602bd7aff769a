import Model

/// The newest state of each topic: a node's own, and those heard of others. Pure: it decides, others send.
struct StateTable {
  struct Held {
    var envelope: Envelope
    /// Its rank in the order of its node's states; below all others once that node runs anew.
    var rank: (epoch: Int64, version: Int64)
    /// The moment at which it was received, on this node's monotonic clock.
    var heardAt: ContinuousClock.Instant
    /// The age that it had then, by the publisher's clock.
    var ageWhenHeard: Milliseconds
  }

  private(set) var held: [String: Held] = [:]
  /// The version given last; it changes with every value that is published.
  private(set) var lastVersion: Int64 = 0

  /// The version for a new value of a topic; nil where the payload is the same as the one held.
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

  /// The topics whose versions, as a node states them, are newer than what is held.
  func stale(against presence: NodePresence) -> [String] {
    presence.states.filter { topic, version in
      held[topic].map { $0.rank < (presence.epoch, version) } ?? true
    }.keys.sorted()
  }

  /// A node runs anew and may count from one again: whatever it says next is newer than what is held of it.
  mutating func outrank(_ node: NodeID) {
    for (topic, state) in held where state.envelope.node == node { held[topic]?.rank = (.min, .min) }
  }

  mutating func forget(_ node: NodeID) { held = held.filter { $0.value.envelope.node != node } }

  var versions: [String: Int64] { held.compactMapValues(\.envelope.version) }

  func states(ofKind kind: String) -> [Held] { held.values.filter { $0.envelope.kind == kind } }
}

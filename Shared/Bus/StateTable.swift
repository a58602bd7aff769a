import Model

/// The newest state of each topic: a node's own, and those heard of others. Pure: it decides, others send.
struct StateTable {
  /// One held state.
  struct Held {
    var envelope: Envelope
    /// When it was heard, on this node's monotonic clock.
    var heardAt: ContinuousClock.Instant
    /// How old it was then, on the publisher's clock.
    var ageWhenHeard: Milliseconds
  }

  private(set) var held: [String: Held] = [:]
  private var lastVersion: Int64 = 0

  /// The version for a new value of a topic; nil where the payload is the same as the one held.
  mutating func version(for topic: String, payload: [UInt8]) -> Int64? {
    if let held = held[topic], held.envelope.payload == payload { return nil }
    lastVersion += 1
    return lastVersion
  }

  /// Takes a state if it is newer than the one held, by epoch, then version; tells whether it was.
  mutating func take(
    _ envelope: Envelope, topic: String, at now: ContinuousClock.Instant, age: Milliseconds = .zero
  ) -> Bool {
    guard let version = envelope.version else { return false }
    if let old = held[topic]?.envelope, (old.epoch, old.version ?? 0) >= (envelope.epoch, version) { return false }
    held[topic] = Held(envelope: envelope, heardAt: now, ageWhenHeard: max(age, .zero))
    return true
  }

  /// The topics whose versions, as a node states them, are newer than what is held.
  func stale(against presence: NodePresence) -> [String] {
    presence.states.compactMap { topic, version in
      guard let old = held[topic]?.envelope else { return topic }
      return (old.epoch, old.version ?? 0) < (presence.epoch, version) ? topic : nil
    }.sorted()
  }

  /// The versions of all topics held.
  var versions: [String: Int64] { held.compactMapValues(\.envelope.version) }

  /// The envelopes of one kind.
  func states(ofKind kind: String) -> [Held] { held.values.filter { $0.envelope.kind == kind } }
}

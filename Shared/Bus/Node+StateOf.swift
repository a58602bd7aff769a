public import Messages
import Model

extension Node {
  /// Asks one node for the newest value of one of its states. A guest, which hears nothing, reads states this way.
  ///
  /// - Parameter patience: how long to wait for the answer.
  /// - Returns: the value with its age; nil where the node has said none yet.
  /// - Throws: `bus.unreachable`, `bus.timeout`, `bus.badPayload`.
  public func state<S: State>(
    _ type: S.Type, of node: NodeID, within patience: Duration = .seconds(5)
  ) async throws -> Observed<S>? {
    let topic = type.topic(ofNode: node.name)
    let answer = try await request(ReadStates(topics: [topic]), to: node, within: patience)
    guard let text = answer.states[topic] else { return nil }
    let envelope = try Envelope(decoding: text.utf8)
    return Observed(
      node: node, value: try MessageCoding.decode(type, from: envelope.payload),
      age: max(.zero, answer.now - envelope.time), saidAt: envelope.time, away: false)
  }
}

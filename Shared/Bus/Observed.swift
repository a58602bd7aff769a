public import Messages
public import Model

/// The newest value of one state of one node, as a reader holds it.
public struct Observed<Value: State>: Sendable {
  /// Who said it.
  public var node: NodeID
  /// The value.
  public var value: Value
  /// How long ago it was said: by the publisher's clock until this node heard it, by this node's monotonic clock since.
  public var age: Milliseconds
  /// When it was said, on the publisher's clock: what lies before it in the value is older than `age` by the
  /// difference.
  public var saidAt: Timestamp
  /// Whether the node is away, or runs anew and has not said this yet; its value is the last one known.
  public var away: Bool

  /// Makes an observation; a service's tests use it.
  public init(node: NodeID, value: Value, age: Milliseconds, saidAt: Timestamp, away: Bool) {
    self.node = node
    self.value = value
    self.age = age
    self.saidAt = saidAt
    self.away = away
  }
}

public import Messages
public import Model

/// The newest value of one state of one node, as a reader holds it.
public struct Observed<Value: State>: Sendable {
  /// Who said it.
  public var node: NodeID
  /// The value.
  public var value: Value
  /// How long ago it was said when it was read here: by the publisher's clock until this node heard it, by this node's
  /// monotonic clock since.
  public var age: Milliseconds
  /// When it was read here, by this host's clock.
  public var readAt: ContinuousClock.Instant
  /// When it was said, on the publisher's clock: what lies before it in the value is older than `age` by the
  /// difference.
  public var saidAt: Timestamp
  /// Whether the node is away, or runs anew and has not said this yet; its value is the last one known.
  public var away: Bool

  /// Makes an observation; a service's tests use it.
  public init(
    node: NodeID, value: Value, age: Milliseconds, readAt: ContinuousClock.Instant = .now, saidAt: Timestamp, away: Bool
  ) {
    self.node = node
    self.value = value
    self.age = age
    self.readAt = readAt
    self.saidAt = saidAt
    self.away = away
  }

  /// The same observation, its age counted up to a later moment: what lay waiting meanwhile has become older.
  ///
  /// - Parameter moment: that moment.
  /// - Returns: the observation as it is then.
  public func aged(to moment: ContinuousClock.Instant = .now) -> Observed {
    var observed = self
    observed.age = age + max(.zero, (moment - readAt).milliseconds)
    observed.readAt = max(readAt, moment)
    return observed
  }
}

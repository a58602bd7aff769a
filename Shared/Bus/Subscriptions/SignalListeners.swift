public import Messages
public import Model

/// A signal as it was received.
public struct ReceivedSignal<Value: Signal>: Sendable {
  /// The node that sent it.
  public var node: NodeID
  /// The signal.
  public var value: Value
  /// The moment at which it was sent, on that node's clock.
  public var saidAt: Timestamp

  /// Makes one; a service's tests use it.
  public init(node: NodeID, value: Value, saidAt: Timestamp) {
    self.node = node
    self.value = value
    self.saidAt = saidAt
  }
}

/// Those in this process who want signals of others.
struct SignalListeners {
  /// One who wants the signals of one kind.
  struct Listener {
    var kind: String
    var deliver: (Envelope) throws -> Void
    var finish: @Sendable () -> Void
  }

  private var listeners: [Int: Listener] = [:]
  private var numbers = 0

  var isEmpty: Bool { listeners.isEmpty }

  /// Adds a listener; returns its number.
  mutating func add<S: Signal>(
    _ type: S.Type, _ body: @escaping @Sendable (ReceivedSignal<S>) -> Void, finish: @escaping @Sendable () -> Void
  ) -> Int {
    numbers += 1
    listeners[numbers] = Listener(
      kind: S.kind,
      deliver: { envelope in
        let value = try MessageCoding.decode(type, from: envelope.payload)
        body(ReceivedSignal(node: envelope.node, value: value, saidAt: envelope.time))
      }, finish: finish)
    return numbers
  }

  /// Removes a listener; false where there is none with this number.
  mutating func remove(_ number: Int) -> Bool { listeners.removeValue(forKey: number) != nil }

  /// Hands a signal to those who want its kind; `failed` is told of one that cannot be read.
  func deliver(_ envelope: Envelope, failed: (any Error) -> Void) {
    for listener in listeners.values where listener.kind == envelope.kind {
      do { try listener.deliver(envelope) } catch { failed(error) }
    }
  }

  /// Removes all listeners, whose streams end.
  mutating func finish() {
    for listener in listeners.values { listener.finish() }
    listeners = [:]
  }
}

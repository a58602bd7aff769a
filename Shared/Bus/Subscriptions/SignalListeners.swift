public import Messages
public import Model

/// A received signal.
public struct ReceivedSignal<Value: Signal>: Sendable {
  /// The node that sent it.
  public var node: NodeID
  /// The signal.
  public var value: Value
  /// The time when it was sent, by that node's clock.
  public var saidAt: Timestamp
}

/// The listeners of this process for signals of other nodes.
struct SignalListeners {
  struct Listener {
    var kind: String
    var deliver: (Envelope) throws -> Void
    var finish: @Sendable () -> Void
  }

  private var listeners: [Int: Listener] = [:]
  private var numbers = 0

  var isEmpty: Bool { listeners.isEmpty }

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

  mutating func remove(_ number: Int) -> Bool { listeners.removeValue(forKey: number) != nil }

  /// Delivers a signal to the listeners for its kind; `failed` is called if it cannot be decoded.
  func deliver(_ envelope: Envelope, failed: (any Error) -> Void) {
    for listener in listeners.values where listener.kind == envelope.kind {
      do { try listener.deliver(envelope) } catch { failed(error) }
    }
  }

  mutating func finish() {
    for listener in listeners.values { listener.finish() }
    listeners = [:]
  }
}

public import Messages
public import Model

/// A signal as it was heard.
public struct Heard<Value: Signal>: Sendable {
  /// Who said it.
  public var node: NodeID
  /// What was said.
  public var value: Value
  /// When it was said, on that node's clock.
  public var saidAt: Timestamp

  /// Makes one; a service's tests use it.
  public init(node: NodeID, value: Value, saidAt: Timestamp) {
    self.node = node
    self.value = value
    self.saidAt = saidAt
  }
}

/// One who wants the signals of one kind.
struct SignalListener {
  var kind: String
  var take: (Envelope) throws -> Void
  var finish: @Sendable () -> Void
}

/// Hearing the signals of others.
extension Node {
  /// The signals of one kind that any node says from now on.
  ///
  /// - Parameters:
  ///   - type: which signals.
  ///   - bound: how many may wait for a slow reader; beyond that the oldest are dropped.
  public func signals<S: Signal>(_ type: S.Type, bound: Int = 1000) -> AsyncStream<Heard<S>> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Heard<S>.self, bufferingPolicy: .bufferingNewest(max(1, bound)))
    guard !isClosed else {
      continuation.finish()
      return stream
    }
    let number = listen(to: type, { continuation.yield($0) }, finish: { continuation.finish() })
    continuation.onTermination = { [weak self] _ in Task { await self?.stopListening(number) } }
    return stream
  }

  /// Hears the signals of one kind from now on, for as long as the node lives, without a task in between.
  ///
  /// - Parameters:
  ///   - type: which signals.
  ///   - body: is called on the node's I/O thread, so it must not block.
  public func hear<S: Signal>(_ type: S.Type, _ body: @escaping @Sendable (Heard<S>) -> Void) {
    guard !isClosed else { return }
    _ = listen(to: type, body, finish: {})
  }

  private func listen<S: Signal>(
    to type: S.Type, _ take: @escaping @Sendable (Heard<S>) -> Void, finish: @escaping @Sendable () -> Void
  ) -> Int {
    nextWatcher += 1
    let asked = wantsSignals
    listeners[nextWatcher] = SignalListener(
      kind: S.kind,
      take: { envelope in
        let value = try MessageCoding.decode(type, from: envelope.payload)
        take(Heard(node: envelope.node, value: value, saidAt: envelope.time))
      }, finish: finish)
    if !asked { renewHellos() }
    return nextWatcher
  }

  /// Whether hellos ask for signals.
  var wantsSignals: Bool { !taps.isEmpty || !listeners.isEmpty }

  /// Hands a signal to whoever wants its kind.
  func take(signal envelope: Envelope) {
    for listener in listeners.values where listener.kind == envelope.kind {
      do { try listener.take(envelope) } catch { noteBadFrame(error) }
    }
  }

  private func stopListening(_ number: Int) {
    guard listeners.removeValue(forKey: number) != nil, !isClosed, !wantsSignals else { return }
    renewHellos()
  }
}

public import Messages
import Model

/// One who watches states or presence.
struct Watcher {
  /// The kind of state; nil for presence.
  var kind: String?
  /// Whether what it watches is kept on the disk.
  var isKept = false
  var yield: (isolated Node) -> Void
  var finish: @Sendable () -> Void
}

/// Hearing the states and the presence of others.
extension Node {
  /// The newest value of a state of every node that publishes it: at once, and whenever a value or a node's presence
  /// changes.
  ///
  /// A slow reader gets the newest snapshot and misses those between.
  public func states<S: State>(_ type: S.Type) -> AsyncStream<[Observed<S>]> {
    let (stream, continuation) = AsyncStream.makeStream(of: [Observed<S>].self, bufferingPolicy: .bufferingNewest(1))
    watch(
      Watcher(
        kind: S.kind, isKept: S.isKept, yield: { continuation.yield($0.snapshot(of: type)) },
        finish: { continuation.finish() })
    ) { continuation.onTermination = $0 }
    for node in roster.peers.keys {
      fetchStates(of: node, and: node.role == S.domain ? S.topic(ofNode: node.name) : nil)
    }
    return stream
  }

  /// The newest values of a state as they are held now.
  public func snapshot<S: State>(of type: S.Type) -> [Observed<S>] {
    let now = ContinuousClock.now
    return heard.states(ofKind: S.kind).compactMap { held -> Observed<S>? in
      do {
        return Observed(
          node: held.envelope.author, value: try MessageCoding.decode(type, from: held.envelope.payload),
          age: held.ageWhenHeard + (now - held.heardAt).milliseconds, readAt: now, saidAt: held.envelope.time,
          away: roster.isPast(held.envelope))
      } catch {
        noteBadFrame(error)
        return nil
      }
    }.sorted { $0.node < $1.node }
  }

  /// Asks one node for the newest value of one of its states. A guest, which hears nothing, reads states this way.
  ///
  /// - Parameters:
  ///   - type: which state.
  ///   - node: whose.
  ///   - patience: how long to wait for the answer.
  /// - Returns: the value with its age; nil where the node has said none yet.
  /// - Throws: `bus.unreachable`, `bus.timeout`, `bus.badPayload`.
  public func state<S: State>(
    _ type: S.Type, of node: NodeID, within patience: Duration = .seconds(5)
  ) async throws -> Observed<S>? {
    let payload = try MessageCoding.encode(ReadStates(topics: [type.topic(ofNode: node.name)]))
    let answer = try ReadStates.Answer(
      decoding: try await ask(kind: ReadStates.kind, payload: payload, to: node, within: patience).payload)
    guard let envelope = answer.states.first else { return nil }
    return Observed(
      node: node, value: try MessageCoding.decode(type, from: envelope.payload),
      age: max(.zero, answer.now - envelope.time), saidAt: envelope.time, away: false)
  }

  /// Who is there and how they stand: at once, and whenever somebody comes, goes away or returns.
  public func presences() -> AsyncStream<[NodePresence]> {
    let (stream, continuation) = AsyncStream.makeStream(of: [NodePresence].self, bufferingPolicy: .bufferingNewest(1))
    watch(
      Watcher(kind: nil, yield: { continuation.yield($0.roster.presences) }, finish: { continuation.finish() })
    ) { continuation.onTermination = $0 }
    return stream
  }

  private func watch(_ watcher: Watcher, ended: (@escaping @Sendable (Any) -> Void) -> Void) {
    guard !isClosed else { return watcher.finish() }
    nextWatcher += 1
    let number = nextWatcher
    watchers[number] = watcher
    ended { [weak self] _ in Task { await self?.unwatch(number) } }
    watcher.yield(self)
  }

  private func unwatch(_ number: Int) { watchers[number] = nil }
}

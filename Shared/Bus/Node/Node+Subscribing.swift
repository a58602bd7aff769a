public import Messages
import Model

/// Subscribing to the states, presences, signals and frames of other nodes.
extension Node {
  // MARK: - States

  /// The newest value of a state of every node that publishes it: at once, and whenever a value or a node's presence
  /// changes.
  ///
  /// A slow reader gets the newest snapshot and misses those between.
  public func states<S: State>(_ type: S.Type) -> AsyncStream<[Observed<S>]> {
    let (stream, continuation) = AsyncStream.makeStream(of: [Observed<S>].self, bufferingPolicy: .bufferingNewest(1))
    watch(
      StateWatcher(
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
    return states.received.states(ofKind: S.kind).compactMap { held -> Observed<S>? in
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

  /// Asks one node for the newest value of one of its states. A client node, which receives nothing, reads states this
  /// way.
  ///
  /// - Returns: the value with its age; nil where the node has said none yet.
  /// - Throws: `bus.unreachable`, `bus.timeout`, `bus.badPayload`.
  public func state<S: State>(
    _ type: S.Type, of node: NodeID, within patience: Duration = .seconds(5)
  ) async throws -> Observed<S>? {
    let answer = try await ask(ReadStates(topics: [type.topic(ofNode: node.name)]), of: node, within: patience)
    guard let envelope = answer.states.first else { return nil }
    return Observed(
      node: node, value: try MessageCoding.decode(type, from: envelope.payload),
      age: max(.zero, answer.now - envelope.time), saidAt: envelope.time, away: false)
  }

  /// The newest value of a state that was published under this node's own name, as its peers keep it on their disks:
  /// for one that has taken its name over from a holder that is gone.
  ///
  /// - Returns: nil where nobody has any, or does not answer within a second.
  public func lastKnown<S: State>(_ type: S.Type) async -> S? {
    let topic = S.topic(ofNode: id.name)
    let peers = nodes().filter { !$0.isTransient && $0 != id }
    let found = await withTaskGroup(of: Envelope?.self) { group in
      for peer in peers {
        group.addTask {
          do {
            return try await self.ask(ReadKept(topics: [topic]), of: peer, within: .seconds(1)).states.first
          } catch {
            // One that does not answer knows nothing.
            return nil
          }
        }
      }
      var newest: Envelope?
      for await case let envelope? in group where envelope.kind == S.kind {
        // All were said by the one holder, so its own clock tells which came last.
        if newest.map({ $0.time < envelope.time }) ?? true { newest = envelope }
      }
      return newest
    }
    do {
      return try found.map { try MessageCoding.decode(type, from: $0.payload) }
    } catch {
      report(LunaraError(error))
      return nil
    }
  }

  private func ask<M: Message>(
    _ request: M, of node: NodeID, within patience: Duration
  ) async throws -> ReadStates.Answer {
    let payload = try MessageCoding.encode(request)
    let answer = try await ask(kind: M.kind, payload: payload, to: node, within: patience)
    return try ReadStates.Answer(decoding: answer.payload)
  }

  /// The presences of all nodes: at once, and whenever somebody comes, goes away or returns.
  public func presences() -> AsyncStream<[NodePresence]> {
    let (stream, continuation) = AsyncStream.makeStream(of: [NodePresence].self, bufferingPolicy: .bufferingNewest(1))
    watch(
      StateWatcher(kind: nil, yield: { continuation.yield($0.roster.presences) }, finish: { continuation.finish() })
    ) { continuation.onTermination = $0 }
    return stream
  }

  private func watch(_ watcher: StateWatcher, ended: (@escaping @Sendable (Any) -> Void) -> Void) {
    guard !isClosed else { return watcher.finish() }
    let number = states.add(watcher)
    ended { [weak self] _ in Task { await self?.unwatch(number) } }
    watcher.yield(self)
  }

  private func unwatch(_ number: Int) { states.remove(number) }

  /// Applies a received state that somebody here wants; returns true if it was new.
  func apply(state envelope: Envelope, topic: String, age: Milliseconds = .zero) -> Bool {
    // A late state of a former run could outrank those of this one. One of a run that is not known yet is fetched once
    // it is.
    guard wants(topic), membership.roster.believes(envelope),
      states.received.apply(envelope, topic: topic, at: .now, age: age)
    else { return false }
    for watcher in states.watchers.values where watcher.kind == envelope.kind {
      if watcher.isKept { files.keep(envelope, topic: topic) }
      watcher.yield(self)
    }
    return true
  }

  private func wants(_ topic: String) -> Bool { !taps.isEmpty || states.isWatched(topic) }

  /// Fetches the states of a node that are newer than those held, as far as anybody here wants them.
  ///
  /// - Parameter topic: one to fetch in any case where it is not held: it may be younger than the last heartbeat.
  func fetchStates(of node: NodeID, and topic: String? = nil) {
    guard let presence = roster.peers[node]?.presence, !presence.away, !isClosed else { return }
    var topics = Set(states.received.stale(against: presence).filter(wants))
    if let topic, states.received.held[topic] == nil { topics.insert(topic) }
    // One fetch at a time: what is wanted meanwhile is asked for next.
    guard !topics.isEmpty, states.beginFetch(topics, of: node) else { return }
    Task { await fetch(topics, from: node) }
  }

  private func fetch(_ topics: Set<String>, from node: NodeID) async {
    var wanted = topics
    while !wanted.isEmpty {
      do {
        let answer = try await ask(ReadStates(topics: wanted.sorted()), of: node, within: .seconds(2))
        for state in answer.states where state.node == node {
          // A replayed state was published at another time; with its old age it would be of no use.
          let age = node.isReplay ? .zero : answer.now - state.time
          guard apply(state: state, topic: state.topic, age: age), !taps.isEmpty else { continue }
          meter.tapDrops += taps.show(Frame(topic: state.topic, body: state.encoded()))
        }
        // States that do not fit into one answer are asked for again; missing ones are not.
        let rest = wanted.subtracting(answer.states.map(\.topic))
        wanted = rest.count == wanted.count ? [] : rest
      } catch {
        // The next heartbeat states the versions again.
        break
      }
      wanted.formUnion(states.nextTopics(of: node))
    }
    states.endFetch(of: node)
  }

  // MARK: - Signals

  /// The signals of one kind that any node sends from now on.
  ///
  /// - Parameters:
  ///   - type: the type of the messages.
  ///   - bound: how many may wait for a slow reader; beyond that the oldest are dropped.
  public func signals<S: Signal>(_ type: S.Type, bound: Int = 1000) -> AsyncStream<ReceivedSignal<S>> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: ReceivedSignal<S>.self, bufferingPolicy: .bufferingNewest(max(1, bound)))
    guard !isClosed else {
      continuation.finish()
      return stream
    }
    let number = listen(to: type, { continuation.yield($0) }, finish: { continuation.finish() })
    continuation.onTermination = { [weak self] _ in Task { await self?.stopListening(number) } }
    return stream
  }

  /// Calls `body` with each signal of one kind from now on, for as long as the node lives, without a task in between:
  /// on the node's I/O thread, so it must not block.
  public func onSignal<S: Signal>(_ type: S.Type, _ body: @escaping @Sendable (ReceivedSignal<S>) -> Void) {
    guard !isClosed else { return }
    _ = listen(to: type, body, finish: {})
  }

  private func listen<S: Signal>(
    to type: S.Type, _ body: @escaping @Sendable (ReceivedSignal<S>) -> Void, finish: @escaping @Sendable () -> Void
  ) -> Int {
    let wantedSignals = wantsSignals
    let number = signals.add(type, body, finish: finish)
    if !wantedSignals { renewHellos() }
    return number
  }

  var wantsSignals: Bool { !taps.isEmpty || !signals.isEmpty }

  private func stopListening(_ number: Int) {
    guard signals.remove(number), !isClosed, !wantsSignals else { return }
    renewHellos()
  }

  // MARK: - Taps

  /// Shows every frame that this node receives from now on.
  ///
  /// - Parameter bound: how many frames may wait, of at most 8 MiB together; beyond that the oldest are dropped.
  public func tap(bound: Int = 10_000) -> AsyncStream<Frame> {
    guard !isClosed else { return AsyncStream { $0.finish() } }
    let tap = Tap(bound: bound)
    let number = taps.add(tap)
    let lifetime = TapLifetime { [weak self] in Task { await self?.untap(number) } }
    renewHellos()
    for node in roster.peers.keys { fetchStates(of: node) }
    return AsyncStream {
      let frame = await tap.next()
      // The stream holds what ends the tap.
      withExtendedLifetime(lifetime) {}
      return frame
    }
  }

  /// The number of frames that the taps of this node dropped since it started, by topic, because nobody read them in
  /// time.
  public func tapDrops() -> [String: Int] { taps.dropped }

  private func untap(_ number: Int) {
    taps.remove(number)
    renewHellos()
  }
}

public import Messages
import Model

/// Subscribing to the states, presences, signals and frames of other nodes.
extension Node {
  // MARK: - States

  /// Returns a stream of the newest values of a state, one for each node that publishes it: at once, and whenever a
  /// value or a node's presence changes.
  ///
  /// A slow reader gets the newest snapshot and misses the ones in between.
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

  /// Returns the newest values of a state that this node holds now.
  public func snapshot<S: State>(of type: S.Type) -> [Observed<S>] {
    let now = ContinuousClock.now
    return states.received.states(ofKind: S.kind).compactMap { held -> Observed<S>? in
      do {
        return Observed(
          node: held.envelope.author, value: try MessageCoding.decode(type, from: held.envelope.payload),
          age: held.ageWhenHeard + (now - held.heardAt).milliseconds, readAt: now, saidAt: held.envelope.time,
          away: roster.isPast(held.envelope))
      } catch {
        recordBadFrame(error)
        return nil
      }
    }.sorted { $0.node < $1.node }
  }

  /// Asks one node for the newest value of one of its states. Client nodes use this, as they receive no published
  /// states.
  ///
  /// - Returns: the value with its age; nil if the node has not published the state yet.
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

  /// Asks the peers for the newest value of a state that was published under this node's own name, which they keep on
  /// their disks. A node that has taken over the name of a node that is gone uses it.
  ///
  /// - Returns: the value; nil if no peer keeps one or answers within a second.
  public func lastKnown<S: State>(_ type: S.Type) async -> S? {
    let topic = S.topic(ofNode: id.name)
    let peers = nodes().filter { !$0.isTransient && $0 != id }
    let found = await withTaskGroup(of: Envelope?.self) { group in
      for peer in peers {
        group.addTask {
          do {
            return try await self.ask(ReadKept(topics: [topic]), of: peer, within: .seconds(1)).states.first
          } catch {
            // A peer that does not answer is treated as if it kept no value.
            return nil
          }
        }
      }
      var newest: Envelope?
      for await case let envelope? in group where envelope.kind == S.kind {
        // All values were published by the one holder of the name, so their times can be compared.
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

  /// Returns a stream of the presences of all nodes: at once, and whenever a node comes, goes away or returns.
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

  /// Applies a received state if it is watched here; returns true if it was new.
  func apply(state envelope: Envelope, topic: String, age: Milliseconds = .zero) -> Bool {
    // A late state of a former run could outrank the states of the present one. States of a run that is not known yet
    // are fetched after its presence came.
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

  /// Fetches the states of a node that are watched here and newer than those held.
  ///
  /// - Parameters:
  ///   - node: the node that publishes the states.
  ///   - topic: a further topic to fetch if no value is held: it may have been published after the last heartbeat.
  func fetchStates(of node: NodeID, and topic: String? = nil) {
    guard let presence = roster.peers[node]?.presence, !presence.away, !isClosed else { return }
    var topics = Set(states.received.stale(against: presence).filter(wants))
    if let topic, states.received.held[topic] == nil { topics.insert(topic) }
    // One fetch at a time: topics that are wanted meanwhile are fetched next.
    guard !topics.isEmpty, states.beginFetch(topics, of: node) else { return }
    Task { await fetch(topics, from: node) }
  }

  private func fetch(_ topics: Set<String>, from node: NodeID) async {
    var wanted = topics
    while !wanted.isEmpty {
      do {
        let answer = try await ask(ReadStates(topics: wanted.sorted()), of: node, within: .seconds(2))
        for state in answer.states where state.node == node {
          // A replayed state was published at the time of the recording, which says nothing about its age here.
          let age = node.isReplay ? .zero : answer.now - state.time
          guard apply(state: state, topic: state.topic, age: age), !taps.isEmpty else { continue }
          meter.tapDrops += taps.show(Frame(topic: state.topic, body: state.encoded()))
        }
        // States that did not fit into the answer are requested again; if nothing new came, the rest does not exist.
        let rest = wanted.subtracting(answer.states.map(\.topic))
        wanted = rest.count == wanted.count ? [] : rest
      } catch {
        // The next heartbeat states the versions again, which starts another fetch.
        break
      }
      wanted.formUnion(states.nextTopics(of: node))
    }
    states.endFetch(of: node)
  }

  // MARK: - Signals

  /// Returns a stream of the signals of one kind that any node sends from now on.
  ///
  /// - Parameters:
  ///   - type: the type of the messages.
  ///   - bound: the number of signals that may wait for a slow reader; beyond it the oldest are dropped.
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

  /// Calls `body` with each signal of one kind from now on, as long as the node exists. `body` runs on the node's I/O
  /// thread, so it must not block.
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

  /// Returns a stream of every frame that this node receives from now on.
  ///
  /// - Parameter bound: the number of frames that may wait, of at most 8 MiB together; beyond it the oldest are
  ///   dropped.
  public func tap(bound: Int = 10_000) -> AsyncStream<Frame> {
    guard !isClosed else { return AsyncStream { $0.finish() } }
    let tap = Tap(bound: bound)
    let number = taps.add(tap)
    let lifetime = TapLifetime { [weak self] in Task { await self?.untap(number) } }
    renewHellos()
    for node in roster.peers.keys { fetchStates(of: node) }
    return AsyncStream {
      let frame = await tap.next()
      // The tap ends when the stream, and with it this object, is released.
      withExtendedLifetime(lifetime) {}
      return frame
    }
  }

  /// Returns the number of frames that the taps of this node have dropped because they were not read in time, by topic.
  public func tapDrops() -> [String: Int] { taps.dropped }

  private func untap(_ number: Int) {
    taps.remove(number)
    renewHellos()
  }
}

public import Messages
import Model

/// Publishing to subscribers, and reading what others publish.
extension Node {
  /// Publishes the newest value of a state. A value that equals the one before has no effect.
  ///
  /// A value of more than 254 KiB is reported and not published: states must not grow with the amount of data.
  public func publish<S: State>(_ state: S) {
    reporting {
      let payload = try MessageCoding.encode(state)
      guard payload.count <= Frame.payloadLimit else { throw Frame.tooLarge("The state \(S.kind)", payload.count) }
      let topic = S.topic(ofNode: id.name)
      guard let version = states.own.version(for: topic, payload: payload) else { return }
      let envelope = Envelope(
        id: "\(epoch).\(version)", node: id, epoch: epoch, version: version, time: .now(), kind: S.kind,
        journal: journal?.identity, payload: payload)
      _ = states.own.apply(envelope, topic: topic, at: .now)
      try publish(Frame(topic: topic, body: envelope.encoded()), as: .state)
      scheduleHeartbeatSoon()
    }
  }

  /// Publishes a recorded state or signal again, under its topic and with its time; only for the node of a replay.
  public func publish(_ recorded: RecordedMessage) {
    var envelope = Envelope(
      id: recorded.id, node: id, epoch: epoch, time: recorded.time, kind: recorded.kind, recordedOf: recorded.node,
      payload: recorded.payload)
    let topic = envelope.topic
    reporting {
      if recorded.delivery == .state {
        guard let version = states.own.version(for: topic, payload: recorded.payload) else { return }
        envelope.version = version
        _ = states.own.apply(envelope, topic: topic, at: .now)
      }
      try publish(Frame(topic: topic, body: envelope.encoded()), as: recorded.delivery)
      scheduleHeartbeatSoon()
    }
  }

  /// Sends a signal to the subscribers that want signals; it may be lost.
  public func emit<S: Signal>(_ signal: S) {
    guard membership.roster.someoneWantsSignals else { return }
    reporting {
      try publishSignal(try MessageCoding.encode(signal), kind: S.kind)
    }
  }

  func publishSignal(_ payload: [UInt8], kind: String) throws {
    let envelope = Envelope(
      id: UniqueID<Envelope>.random().rawValue, node: id, epoch: epoch, time: .now(), kind: kind, payload: payload)
    try publish(Frame(topic: envelope.topic, body: envelope.encoded()), as: .signal)
  }

  func publishFacts() {
    guard let journal, !isClosed else { return }
    let waiting = journal.sendQueue.removeAll()
    for fact in waiting {
      facts.head = max(facts.head, fact.seq)
      let envelope = fact.envelope(from: id, journal: journal.identity)
      reporting {
        try publish(Frame(topic: envelope.topic, body: envelope.encoded()), as: .fact)
        meter.factsPublished += 1
      }
    }
    if !waiting.isEmpty { scheduleHeartbeatSoon() }
  }

  /// Sends a frame to all subscribers: once for those of this machine, and sealed for each one elsewhere.
  private func publish(_ frame: Frame, as delivery: Delivery) throws {
    guard transport.hasSubscribers, configuration.tuning.carries(frame) else { return }
    let plain = try frame.encoded()
    meter.sent.add(delivery, plain.count)
    transport.publish(plain)
    for (node, remote) in transport.remotePublishers {
      guard let bytes = try remotePeers.seal(published: frame, plain: plain, as: delivery, for: node) else { continue }
      remote.socket.send(bytes)
    }
  }

  // MARK: - Reading

  func readInbox() {
    guard let inbox = transport.inbox else { return }
    for _ in 0..<256 {
      guard inbox.receive({ _ = readPublished($0, isRemote: false) }) != nil else { return }
    }
  }

  func readRemoteInbox() {
    transport.remoteInbox?.receive(at: .now) { bytes, _ in readPublished(bytes, isRemote: true) }
  }

  /// Handles a message that another node publishes; returns true if it proves that its sender has the household's key.
  private func readPublished(_ bytes: UnsafeRawBufferPointer, isRemote: Bool) -> Bool {
    do {
      let (frame, envelope, opened) = try open(bytes, on: .inbox, isRemote: isRemote)
      meter.received.add(envelope.delivery, bytes.count)
      handle(frame, envelope, isLocal: !isRemote)
      return remotePeers.isProof(opened)
    } catch {
      recordBadFrame(error)
      return false
    }
  }

  /// Opens a frame and its envelope; those from this machine are plain.
  func open(
    _ bytes: UnsafeRawBufferPointer, on channel: SealedChannel, isRemote: Bool
  ) throws -> (Frame, Envelope, Opened?) {
    if isRemote { return try remotePeers.openEnvelope(bytes, on: channel) }
    let frame = try Frame(decoding: bytes)
    return (frame, try Envelope(decoding: frame.body), nil)
  }

  /// Passes the received messages of a socket with their headers to `handle`: 64 at most, so that other sockets get
  /// their turn.
  func drain(_ socket: Socket?, _ handle: (UnsafeRawBufferPointer, _ header: [UInt8]) throws -> Void) {
    for _ in 0..<64 {
      let got: ()? = socket?.receiveHeaded { body, header in
        do { try handle(body, header) } catch { recordBadFrame(error) }
      }
      guard got != nil else { return }
    }
  }

  private func handle(_ frame: Frame, _ envelope: Envelope, isLocal: Bool) {
    guard !envelope.node.isReplay || acceptsReplays else { return }
    meter.tapDrops += taps.show(frame)
    switch envelope.delivery {
    case .fact: meter.factGaps += facts.deliver(envelope)
    case .state: _ = apply(state: envelope, topic: frame.topic)
    case .signal:
      if envelope.kind == Heartbeat.kind { handle(heartbeat: envelope, isLocal: isLocal) }
      signals.deliver(envelope) { recordBadFrame($0) }
    case .request: break
    }
  }

  /// Counts a frame that cannot be read. Bad frames are reported at each power of two, refused ones at most once a
  /// minute.
  func recordBadFrame(_ error: any Error) {
    guard let refusal = error as? Sealer.Refusal else {
      meter.badFrames += 1
      if meter.badFrames & (meter.badFrames - 1) == 0 { report(LunaraError(error)) }
      return
    }
    meter.refusedFrames += 1
    if refusal == .wrongKey { meter.foreignFrames = (meter.foreignFrames ?? 0) + 1 }
    if let error = remotePeers.report(of: refusal, count: meter.refusedFrames, at: .now) { report(error) }
  }

  // MARK: - Replays

  /// True if this node accepts messages of replays: a node under test handles them, and a transient node shows them.
  var acceptsReplays: Bool { configuration.tuning.isUnderTest || id.isTransient }

  /// Returns the error for a node that must not receive this one's messages; nil if it may. Replays reach only nodes
  /// that accept them.
  func refusal(of presence: NodePresence) -> LunaraError? {
    guard presence.id.isReplay && !acceptsReplays || id.isReplay && !presence.isUnderTest && !presence.id.isTransient
    else { return nil }
    return LunaraError(
      "bus.notUnderTest",
      "\(id.isReplay ? presence.id : id) takes no replay. Start it alone with --under-test, in a runtime directory of its own."
    )
  }

  // MARK: - Metrics

  func busMetrics() -> BusMetrics {
    var counts = meter
    counts.factsApplied = facts.progress.applied
    let away = roster.presences.count { $0.away }
    return BusMetrics(
      counts: counts, openRequests: outgoing.table.pending.count, handling: incoming.open.count, lag: facts.lag,
      journalHead: journal == nil ? nil : facts.head, statesHeld: states.own.held.count + states.received.held.count,
      peers: roster.presences.count - away, peersAway: away)
  }

  /// Returns all metrics of this process: those of its bus, and those registered in `metrics`.
  public func readMetrics() async -> [Metric] {
    busMetrics().metrics + (await metrics.read(report: report))
  }
}

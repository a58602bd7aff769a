import Glibc
import Messages
import Model

/// Opening, the work of each second, and closing.
extension Node {
  func open() throws {
    try transport.bind(as: id)
    if let inbox = transport.inbox, let requests = transport.requestSocket {
      transport.watch(try inbox.descriptor(), whenReady { $0.readInbox() })
      transport.watch(try requests.descriptor(), whenReady { $0.readRequests() })
    }
    try listen()
    do {
      transport.watch(try transport.watchDirectory(), whenReady { $0.readDirectoryChanges() })
    } catch {
      // Without notices the directory is read every 3 s, so nodes are found later.
      report(LunaraError(error))
    }
    try files.open(report: report)
    serveOwnRequests()
    if !mayHaveRivals { ownership.status = .holder }
    incoming.graceEnds = .now + configuration.tuning.grace
    journal?.sendQueue.connect { [weak self, thread] in
      Task(executorPreference: thread) { await self?.publishFacts() }
    }
    let report = report
    facts.pruning = journal.map { journal in Task { await journal.pruneRegularly(report: report) } }
    let now = ContinuousClock.now
    timers.start(at: now)
    perform(membership.roster.found(directory.liveNodes().filter { $0 != id }, at: now))
    perform(
      membership.roster.receivedEntries(files.roster.nodes.map(\.entry).filter { $0.id != id }, at: now, isKept: true))
    probeSeeds()
    updatePeerHosts()
    startFinder()
    reschedule()
  }

  /// Binds the first free pair of ports if other machines should be reached.
  private func listen() throws {
    let candidates = try ListeningPorts.candidates(
      for: configuration.network, isLoopbackOnly: remotePeers.sealer == nil)
    guard !candidates.isEmpty else { return }
    for ports in candidates where try transport.bindRemote(inbox: ports.inbox, requests: ports.requests) {
      if let inbox = transport.remoteInbox, let requests = transport.remoteRequestSocket {
        transport.watch(inbox.descriptor, whenReady { $0.readRemoteInbox() })
        transport.watch(requests.descriptor, whenReady { $0.readRemoteRequests() })
      }
      transport.ports = ports
      transport.endpoints = try ports.advertised(by: configuration.network)
      return
    }
    throw LunaraError(
      "bus.noPort",
      "All \(candidates.count) pairs of ports from \(candidates[0].inbox.port) on are in use. Choose another base: LUNARA_LISTEN=tcp://ADDRESS:BASE."
    )
  }

  /// Says goodbye, closes the sockets and releases the name. Later requests fail with `bus.closed`.
  ///
  /// Requests that are being handled may still be answered within half a second.
  public func close() async {
    guard !isClosed else { return }
    publishFacts()
    isClosed = true
    journal?.sendQueue.connect(nil)
    facts.pruning?.cancel()
    if !configuration.isClientOnly { configuration.network.finder?.stop() }
    transport.ignoreAll()
    let completions = outgoing.completions.values
    outgoing.completions = [:]
    for completion in completions { completion(.failure(Self.closedError)) }
    states.finish()
    taps.finish()
    signals.finish()
    for loop in facts.removeAll() { await loop.stop() }
    let wasAsked = !incoming.open.isEmpty
    for _ in 0..<50 where !incoming.open.isEmpty { await Self.pause(.milliseconds(10)) }
    if sendHeartbeat(leaving: true) || wasAsked {
      // A socket that closes drops the messages that it has not yet passed to the kernel.
      await Self.pause(.milliseconds(20))
    }
    files.update(roster.heardEntries(at: .now))
    files.writeStates(at: .now, isLast: true)
    await files.writer?.writeAll()
    transport.close()
    peerSearch.probes = [:]
    incoming.handlers = [:]
    if let lock {
      directory.removeSockets(of: id)
      lock.release(forgetting: id.isTransient)
    }
    lock = nil
  }

  /// Waits even if the task is cancelled.
  static func pause(_ length: Duration) async {
    // Nothing cancels a detached task, so the sleep does not throw.
    await Task.detached { do { try await Task.sleep(for: length) } catch {} }.value
  }

  // MARK: - Time

  /// Sets the function that is called on the I/O thread once a second after the periodic work, which proves that the
  /// loop runs. It must return at once.
  public func onRound(_ body: @escaping @Sendable () -> Void) { timers.onRound = body }

  private func tick() {
    guard !isClosed else { return }
    let now = ContinuousClock.now
    if !configuration.isClientOnly {
      if timers.isRoundDue(at: now) { doRound(at: now) }
      if timers.isHeartbeatDue(at: now) { sendHeartbeat() }
      // If the kernel reports changes, the directory is read only in case it dropped some.
      let pause = transport.directoryWatcher == nil ? Roster.renewal : .seconds(30)
      if timers.isScanDue(at: now, pause: pause) {
        perform(membership.roster.found(directory.liveNodes().filter { $0 != id }, at: now))
      }
      send(incoming.dueAnswers(at: now))
      refuseUnserved(at: now)
    }
    sendDueRequests(at: now)
    sendDueProbes(at: now)
    reschedule()
  }

  private func doRound(at now: ContinuousClock.Instant) {
    perform(membership.roster.tick(at: now))
    incoming.expire(at: now)
    if timers.areMetricsDue(at: now), roster.someoneWantsSignals { emit(busMetrics()) }
    for node in Array(transport.connections.keys) where roster.peers[node]?.presence?.away != false {
      closeIdleConnection(to: node)
    }
    closeIdlePageSockets()
    let isAlone = !roster.peers.values.contains { $0.isRemote && $0.presence?.away == false }
    if peerSearch.isRoundDue(isAlone: isAlone, at: now) {
      refreshEndpoints()
      probeSeeds()
    }
    if let complaint = peerSearch.complaint(isAnswered: membership.hasMetHousehold, at: now) { report(complaint) }
    let roster = roster
    remotePeers.removeIdleClients(at: now) { roster.peers[$0] != nil }
    transport.remoteInbox?.doRound(at: now)
    transport.remoteRequestSocket?.doRound(at: now)
    updatePeerHosts()
    files.update(roster.heardEntries(at: now))
    files.writeStates(at: now)
    timers.onRound?()
  }

  func reschedule() {
    guard !isClosed else { return }
    var first = outgoing.table.nextDue
    func consider(_ moment: ContinuousClock.Instant?) {
      if let moment { first = first.map { min($0, moment) } ?? moment }
    }
    if !configuration.isClientOnly {
      consider(timers.nextDue)
      consider(incoming.nextDue)
    }
    consider(peerSearch.nextDue)
    thread.schedule(at: first, first == nil ? {} : whenReady { $0.tick() })
  }

  func scheduleHeartbeatSoon() { if timers.scheduleHeartbeatSoon() { reschedule() } }
}

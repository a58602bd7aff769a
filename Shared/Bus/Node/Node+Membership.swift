import Glibc
import Messages
import Model

/// Hellos and heartbeats, and the actions of the roster.
extension Node {
  /// The presence of this node as it is now.
  public func presence() -> NodePresence {
    NodePresence(
      id: id, pid: getpid(), epoch: epoch, version: configuration.version, startedAt: configuration.startedAt,
      saidAt: .now(),
      journal: journal.map { JournalPosition(journal: $0.identity, epoch: $0.epoch, seq: facts.head) },
      lag: facts.lag, states: states.own.versions,
      identity: configuration.isClientOnly ? nil : ownership.claim.identity, term: ownership.claim.term,
      endpoints: endpoints, retired: configuration.network.formerName != nil,
      isUnderTest: configuration.tuning.isUnderTest, problem: configuration.problem)
  }

  // MARK: - Heartbeats

  private func heartbeat() throws -> [UInt8] {
    let presence = { self.presence().timeless }
    let (head, lag, version) = (facts.head, facts.lag, states.own.lastVersion)
    return try membership.heartbeat(head: head, lag: lag, stateVersion: version) {
      try MessageCoding.encode(Heartbeat(presence: presence()))
    }
  }

  /// Sends a heartbeat to all subscribers; returns false if there are none.
  @discardableResult
  func sendHeartbeat(leaving: Bool = false) -> Bool {
    timers.recordHeartbeat()
    guard transport.hasSubscribers else { return false }
    reporting {
      let payload =
        leaving
        ? try MessageCoding.encode(Heartbeat(presence: presence().timeless, leaving: true)) : try heartbeat()
      try publishSignal(payload, kind: Heartbeat.kind)
    }
    return true
  }

  /// Handles a peer's heartbeat, whether published or the answer to a hello.
  func handle(heartbeat envelope: Envelope, isLocal: Bool) {
    do {
      let presence: NodePresence
      if let known = membership.knownPresence(envelope) {
        presence = known
      } else {
        let heartbeat = try MessageCoding.decode(Heartbeat.self, from: envelope.payload)
        if let forgotten = heartbeat.forgotten { merge(forgotten: forgotten) }
        if let entries = heartbeat.roster {
          membership.hasMetHousehold = true
          merge(entries)
        }
        if !isLocal { membership.hasMetHousehold = true }
        guard heartbeat.presence.id == envelope.node else { throw Envelope.bad("a heartbeat in another's name") }
        // A node on this machine has a request socket in the runtime directory. A heartbeat of a node that does not
        // exist would stay in the roster for ever.
        guard !isLocal || roster.peers[envelope.node] != nil || directory.hasRequestSocket(of: envelope.node) else {
          return
        }
        presence = heartbeat.presence.dated(at: envelope.time)
        if heartbeat.leaving == true { return perform(membership.roster.receivedGoodbye(presence)) }
        membership.keep(envelope, heartbeat.presence)
      }
      let isHeartbeat = envelope.kind == Heartbeat.kind
      perform(membership.roster.receivedPresence(presence, at: .now, isHeartbeat: isHeartbeat, isLocal: isLocal))
      fetchChanges(of: presence)
    } catch {
      recordBadFrame(error)
    }
  }

  /// Fetches the newer states and facts of a peer, unless its presence is that of a former run.
  private func fetchChanges(of presence: NodePresence) {
    guard !isClosed, roster.believes(presence) else { return }
    files.recall(presence.id)
    fetchStates(of: presence.id)
    readFacts(of: presence)
  }

  // MARK: - Hellos

  /// Says hello to a node, unless a hello to it waits for its answer. A node on another machine whose run is not known
  /// is probed first.
  func sayHello(to node: NodeID) {
    guard !isClosed, !node.isReplay || acceptsReplays, membership.hellos[node] == nil, let route = route(to: node)
    else {
      return
    }
    let isInquiring = ownership.status == .inquiring
    // Until this node is sure of its name, it only asks others about that name.
    if isInquiring, membership.hasMetHousehold { return }
    if case .remote(let address) = route, isInquiring || remotePeers.sealer != nil && remotePeers.sessions[node] == nil
    {
      return probe(address)
    }
    guard !isInquiring else { return inquire(of: node) }
    reporting {
      let patience = Duration.seconds(1)
      let inbox = route == .local ? directory.inbox(of: id) : endpoints?.inbox
      let hello = Hello(
        presence: presence().timeless, inbox: configuration.isClientOnly ? nil : inbox, wantsSignals: wantsSignals,
        hearsNothing: roster.isSilent(node, at: .now), cursors: facts.cursors(in: node))
      let request = envelope(Hello.kind, try MessageCoding.encode(hello), id: .random(), within: patience)
      let number = try add(request, isCommand: false, to: node, within: patience)
      membership.hellos[node] = number
      let nonce = remotePeers.sessions[node]?.nonce
      outgoing.completions[number] = { [weak self] result in
        self?.assumeIsolated { $0.helloEnded(number, to: node, runningAs: nonce, result) }
      }
      sendDueRequests(at: .now)
      reschedule()
    }
  }

  private func helloEnded(
    _ number: UInt32, to node: NodeID, runningAs nonce: StartNonce?, _ result: Result<Envelope, LunaraError>
  ) {
    if membership.hellos[node] == number { membership.hellos[node] = nil }
    defer { if membership.greetAgain.remove(node) != nil { sayHello(to: node) } }
    // Hellos are rare, so a connection that is used for nothing else is closed, and opened again for the next hello.
    if transport.connections[node]?.isNeeded == false { closeIdleConnection(to: node) }
    // A node that does not answer a hello is greeted again soon; its heartbeats decide if it is away. It may have
    // restarted, so that it cannot open frames that were sealed for its former run.
    let isSameRun = remotePeers.sessions[node]?.nonce == nonce
    guard case .success(let envelope) = result, envelope.node == node else {
      if isSameRun { remotePeers.sessions[node] = nil }
      return
    }
    guard envelope.kind == "answer" else { return helloRefused(envelope) }
    if isSameRun {
      remotePeers.sessions[node]?.isGreeted = true
      remotePeers.sessions[node]?.seenAt = .now
    }
    // A heartbeat of a node on this machine may be read only after the node stopped, which is reported separately.
    let isLocal = directory.hasRequestSocket(of: node)
    guard isLocal || roster.peers[node]?.isRemote == true else { return }
    handle(heartbeat: envelope, isLocal: isLocal)
    sendDueRequests(at: .now)
  }

  /// Handles the refusal of a hello.
  private func helloRefused(_ envelope: Envelope) {
    do {
      let error = try MessageCoding.decode(LunaraError.self, from: envelope.payload)
      if error.code == "bus.nameTaken", ownership.status == .holder {
        // The peer says that another node has this node's name. The answer to this request names that node, and the
        // claims decide.
        switch route(to: envelope.node) {
        case .local: inquire(of: envelope.node)
        case .remote(let address): probe(address)
        case nil: break
        }
      }
      if ownership.status != .inquiring, membership.mayReportRefusal(at: .now) { report(error) }
    } catch {
      recordBadFrame(error)
    }
  }

  /// Says hello to all peers again, because what this node wants to receive has changed.
  func renewHellos() {
    for node in roster.peers.keys {
      if membership.hellos[node] == nil { sayHello(to: node) } else { membership.greetAgain.insert(node) }
    }
  }

  /// Answers a hello; from now on the greeting node receives the messages of this one.
  func answer(hello request: IncomingRequest) {
    let envelope = request.envelope
    do {
      var hello = try MessageCoding.decode(Hello.self, from: envelope.payload)
      guard hello.presence.id == envelope.node else { throw Envelope.bad("a hello in another's name") }
      guard request.isRemote || hello.inbox == nil || directory.hasRequestSocket(of: envelope.node) else { return }
      if let error = refusal(of: hello.presence) ?? refusal(of: hello, isRemote: request.isRemote) {
        answer(request, with: .failure(error))
        return
      }
      // A delayed hello of a former run must not replace the present run.
      guard !roster.knowsLaterRun(than: hello.presence) else { return }
      if let asker = request.asker { remotePeers.admit(asker, epoch: envelope.epoch) }
      hello.presence = hello.presence.dated(at: envelope.time)
      perform(membership.roster.receivedHello(hello, at: .now, isLocal: !request.isRemote))
      let (entries, forgotten) = (roster.entries, files.roster.forgotten ?? [])
      let payload =
        entries.isEmpty && forgotten.isEmpty
        ? try heartbeat()
        : try MessageCoding.encode(
          Heartbeat(
            presence: presence().timeless, roster: entries.isEmpty ? nil : entries,
            forgotten: forgotten.isEmpty ? nil : forgotten))
      answer(request, with: .success(payload))
      record(hello.cursors ?? [], of: hello.presence.id)
      fetchChanges(of: hello.presence)
    } catch {
      recordBadFrame(error)
    }
  }

  private func refusal(of hello: Hello, isRemote: Bool) -> LunaraError? {
    let node = hello.presence.id
    if node == id {
      if let endpoints = hello.presence.endpoints {
        handleOwnNameClaim(RosterEntry(id: id, claim: hello.presence.claim, endpoints: endpoints, away: false))
      }
      return NameOwnership.nameTaken(id, by: ownEntry)
    }
    if roster.holder(against: hello.presence, isLocal: !isRemote) != nil {
      return NameOwnership.nameTaken(node, by: roster.entries.first { $0.id == node })
    }
    guard isRemote, let inbox = hello.inbox else { return nil }
    guard let address = TCPAddress(inbox), remotePeers.mayDial(address) else { return Self.unreachable(inbox) }
    let isUnreachable =
      transport.remotePublishers[node].map { $0.address == inbox && !$0.socket.isConnected }
      ?? transport.names.isUnknown(inbox)
    guard hello.hearsNothing, isUnreachable else {
      membership.recordReachable(node)
      return nil
    }
    return membership.recordUnreachable(node) ? Self.unreachable(inbox) : nil
  }

  /// Returns the error for a node whose inbox cannot be reached from here.
  private static func unreachable(_ inbox: String) -> LunaraError {
    LunaraError(
      "bus.inboxUnreachable",
      "Another machine cannot reach this one at \(inbox). Check for a firewall, or set LUNARA_ADVERTISE to an address that it can reach."
    )
  }

  // MARK: - The roster's actions

  func perform(_ actions: [Roster.Action]) {
    for action in actions {
      switch action {
      case .sayHello(let node): sayHello(to: node)
      case .connect(let node, let inbox): connectPublisher(to: node, inbox: inbox)
      case .disconnect(let node): transport.disconnectPublisher(from: node)
      case .restarted(let node):
        states.received.outrank(node)
        // A connection to the former run is renewed.
        if let epoch = transport.connections[node]?.epoch, epoch != roster.epoch(of: node) { reconnect(to: node) }
      case .away(let node): closeIdleConnection(to: node)
      case .forgotten(let node): forget(node)
      case .redial(let node): redial(node)
      case .presenceChanged: break
      }
    }
    if actions.contains(.presenceChanged) {
      updateRemoteNodes()
      for watcher in states.watchers.values { watcher.yield(self) }
    }
  }

  func connectPublisher(to node: NodeID, inbox: String) {
    transport.disconnectPublisher(from: node)
    guard !isClosed else { return }
    reporting {
      if inbox == directory.inbox(of: node) {
        try transport.connectPublisher(to: node, inbox: inbox)
      } else {
        // An ipc address is of no use on another machine, so it is not accepted from one.
        guard let address = TCPAddress(inbox), remotePeers.mayDial(address), let numeric = numeric(inbox) else {
          return
        }
        try transport.connectPublisher(to: node, address: inbox, numeric: numeric)
      }
      meter.connections += 1
      timers.followConnection(at: .now)
      reschedule()
    }
  }

  private func redial(_ node: NodeID) {
    if let address = roster.peers[node]?.endpoints?.requests { transport.names.rotate(address) }
    reconnect(to: node)
    guard let remote = transport.remotePublishers[node], let numeric = numeric(remote.address) else { return }
    reporting {
      try transport.reconnectPublisher(to: node, numeric: numeric)
    }
  }

  /// Forgets a node that is away, with its states, as a person wishes. Returns true if it was known. Throws
  /// `bus.nodeAlive`.
  func forgetAway(_ node: NodeID) throws(LunaraError) -> Bool {
    let peer = roster.peers[node]
    guard node != id, let actions = membership.roster.forget(node) else {
      throw LunaraError(
        "bus.nodeAlive", "\(node) is running, so it is not forgotten. Stop it first, or remove it from its machine.")
    }
    perform(actions)
    files.forget(node, noting: peer?.claim.map { ForgottenNode(id: node, claim: $0, at: .now()) })
    return peer != nil
  }

  /// Forgets the nodes that others have forgotten at a person's wish, unless they run or have run since.
  func merge(forgotten nodes: [ForgottenNode]) {
    for node in nodes.suffix(KeptRoster.forgottenLimit) where node.id != id {
      guard let peer = roster.peers[node.id] else {
        if files.roster.remember(node, at: .now()) { files.writeRoster() }
        continue
      }
      let wasHeardSince =
        peer.presence != nil && Timestamp.now() - (ContinuousClock.now - peer.heardAt).milliseconds > node.at
      guard !wasHeardSince, peer.claim?.beats(node.claim) != true, let actions = membership.roster.forget(node.id)
      else {
        continue
      }
      perform(actions)
      files.forget(node.id, noting: node)
    }
  }

  private func forget(_ node: NodeID) {
    closeIdleConnection(to: node)
    transport.disconnectPublisher(from: node)
    states.forget(node)
    facts.forget(node)
    membership.forget(node)
    remotePeers.forget(node)
  }

  func readDirectoryChanges() {
    guard let changes = transport.directoryWatcher?.readChanges() else { return }
    for change in changes {
      guard let node = RuntimeDirectory.node(ofRequestSocket: change.name), node != id else { continue }
      if change.isArrival {
        reconnect(to: node)
        perform(membership.roster.appeared(node, at: .now))
      } else if !directory.hasRequestSocket(of: node) {
        // A node that stops removes its sockets. A node that starts removes stale ones, and has new ones by now.
        perform(membership.roster.left(node))
      }
    }
  }
}

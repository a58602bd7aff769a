import Messages
import Model
import Synchronization
import System

/// Finding the nodes of other machines.
extension Node {
  // MARK: - Probes

  /// Asks which node is at the address of a request socket, unless a probe of it is pending.
  func probe(_ address: String) {
    guard !isClosed, peerSearch.probes[address] == nil, let target = TCPAddress(address), remotePeers.mayDial(target),
      let numeric = numeric(address)
    else { return }
    reporting {
      let request = envelope(Probe.kind, Array("{}".utf8), id: .random(), within: PeerSearch.patience)
      let plain = Frame(topic: "bus.knock.", body: request.encoded())
      let frame = try remotePeers.sealer?.seal(plain, as: .question, to: nil) ?? plain.encoded()
      let ready = whenReady { $0.readProbe(address) }
      let (socket, descriptor) = try transport.dial(numeric, bufferSize: 1 << 16, ready)
      let now = ContinuousClock.now
      peerSearch.probes[address] = PeerSearch.PendingProbe(
        socket: socket, descriptor: descriptor, number: .random(in: 0...UInt32.max) | 0x8000_0000, id: request.id,
        frame: frame, sendAt: now, endsAt: now + PeerSearch.patience)
      sendDueProbes(at: now)
      reschedule()
    }
  }

  /// Probes the addresses at which nodes of the seeds' machines may have their request sockets.
  func probeSeeds() {
    let seeds = peerSearch.seeds
    guard !seeds.isEmpty else { return }
    let pairs = peerSearch.beginRound()
    for base in seeds.compactMap({ TCPAddress($0) }).flatMap(numeric) {
      for pair in pairs {
        guard let address = base.port(plus: 2 * pair + 1)?.description, address != endpoints?.requests else { continue }
        probe(address)
      }
    }
  }

  func sendDueProbes(at now: ContinuousClock.Instant) {
    for probe in peerSearch.sendDue(at: now) { transport.ignore(probe.descriptor) }
  }

  private func readProbe(_ address: String) {
    guard let probe = peerSearch.probes[address] else { return }
    var answer: (Envelope, Opened?)?
    let got: ()? = probe.socket.receiveHeaded { body, header in
      guard UInt32(bytes: header) == probe.number else { return }
      do {
        let (frame, opened) = try remotePeers.open(body, on: .connection, answering: probe.id)
        let envelope = try Envelope(decoding: frame.body)
        guard envelope.id == probe.id, opened.map({ $0.sender.node == envelope.node }) ?? true else { return }
        answer = (envelope, opened)
      } catch {
        recordBadFrame(error)
      }
    }
    guard got != nil, let (envelope, opened) = answer else { return }
    peerSearch.probes[address] = nil
    transport.ignore(probe.descriptor)
    do {
      guard envelope.kind == "answer" else {
        return report(try MessageCoding.decode(LunaraError.self, from: envelope.payload))
      }
      let answer = try MessageCoding.decode(Probe.Answer.self, from: envelope.payload)
      guard answer.presence.id == envelope.node else { throw Envelope.bad("an answer in another's name") }
      handle(answer, sealedAs: opened)
    } catch {
      recordBadFrame(error)
    }
  }

  private func handle(_ answer: Probe.Answer, sealedAs opened: Opened?) {
    membership.hasMetHousehold = true
    let node = answer.presence.id
    let entry = answer.presence.endpoints.map {
      RosterEntry(id: node, claim: answer.presence.claim, endpoints: $0, away: false)
    }
    // The answer came from this node itself under another address, or from a rival for its name.
    if node == id { return merge(answer.roster + (entry.map { [$0] } ?? [])) }
    guard roster.holder(against: answer.presence, isLocal: false) == nil else {
      merge(answer.roster)
      return greetSuccessor(answer.presence, sealedAs: opened)
    }
    guard !roster.knowsLaterRun(than: answer.presence) else { return merge(answer.roster) }
    if let opened { remotePeers.admit(opened.sender, epoch: opened.epoch) }
    merge(answer.roster + (entry.map { [$0] } ?? []))
    sayHello(to: node)
  }

  /// Says hello to a node that cannot be accepted yet, as the name belongs to a node that was on its machine and is
  /// away. That node was probably restored from a backup, and knows nobody: by this hello it learns of this node, and
  /// from this node the claim that it has to beat.
  private func greetSuccessor(_ presence: NodePresence, sealedAs opened: Opened?) {
    let node = presence.id
    guard ownership.status == .holder, let endpoints = presence.endpoints,
      membership.roster.foundSuccessor(of: node, at: endpoints)
    else { return }
    // It is not admitted, so nothing that it publishes is accepted.
    if let opened { remotePeers.sessions[node] = RemotePeers.Session(nonce: opened.sender.nonce) }
    reconnect(to: node)
    closeIdleConnection(to: node)
    sayHello(to: node)
  }

  // MARK: - Rosters

  /// The entry of this node in the rosters of others; nil if other machines cannot reach it.
  var ownEntry: RosterEntry? {
    endpoints.map { RosterEntry(id: id, claim: ownership.claim, endpoints: $0, away: false) }
  }

  func allEntries() -> [RosterEntry] { roster.entries + (ownEntry.map { [$0] } ?? []) }

  func merge(_ entries: [RosterEntry]) {
    for entry in entries where entry.id == id { handleOwnNameClaim(entry) }
    let others = entries.filter { entry in
      guard entry.id != id, let address = TCPAddress(entry.endpoints.requests) else { return false }
      return remotePeers.mayDial(address) && !files.roster.isForgotten(entry)
    }
    remoteNodes.withLock { nodes in
      for entry in others {
        if entry.away { nodes.away.insert(entry.id) } else { nodes.away.remove(entry.id) }
        if entry.left == true { nodes.left.insert(entry.id) } else { nodes.left.remove(entry.id) }
      }
    }
    let actions = membership.roster.receivedEntries(others, at: .now)
    updateRemoteNodes()
    // A client node says hello to a node only when it sends a request there.
    guard !configuration.isClientOnly else { return }
    perform(actions)
    // A restored node may have another port than its former self, at whose port another node answers now.
    for entry in others where roster.maySucceed(entry) { probe(entry.endpoints.requests) }
  }

  /// Stores the nodes on other machines for `nodes()` and `isMissing(_:)`, which do not run on the actor.
  func updateRemoteNodes() {
    let nodes = Set(roster.peers.filter { $1.isRemote && !$0.isTransient }.keys)
    remoteNodes.withLock { $0.known = nodes }
    updatePeerHosts()
  }

  /// Tells the listeners and `isPeerHost(_:)` the addresses of the household's other machines: those of the roster and
  /// of the settings, with the addresses of names that were looked up already, and those from which the key was proven.
  /// Seeds that were only found are not among them, as anyone may announce those.
  func updatePeerHosts() {
    let addresses = roster.addresses + peerSearch.named.compactMap { TCPAddress($0) }
    let listed = Set(addresses.flatMap { transport.names.known($0) }.compactMap { HostPrefix($0) })
    var proven: Set<HostPrefix> = []
    for listener in [transport.remoteInbox, transport.remoteRequestSocket] {
      listener?.list(peers: listed)
      proven.formUnion(listener?.provenHosts ?? [])
    }
    remoteNodes.withLock { $0.hosts = listed.union(proven) }
  }

  /// Learns of nodes on other machines, from a node of this machine, else from the seeds.
  ///
  /// For client nodes, which receive no heartbeats. It returns as soon as a node of the household has answered, and
  /// after `patience` at the latest.
  ///
  /// - Parameters:
  ///   - first: the node to ask before others, as further requests to it will follow over the same connection.
  ///   - patience: the longest time to wait for the seeds.
  public func discover(asking first: NodeID? = nil, within patience: Duration = .seconds(1)) async {
    let nodes = directory.liveNodes().filter { !$0.isTransient }
    for node in nodes.filter({ $0 == first }) + nodes.filter({ $0 != first }) {
      do {
        let answer = try await request(ReadRoster(), to: node, within: .milliseconds(300))
        return merge(answer.roster)
      } catch {
        // The next node may answer. If this one gets a request later, that reports the error.
        continue
      }
    }
    guard !configuration.network.seeds.isEmpty else { return }
    let end = ContinuousClock.now + patience
    probeSeeds()
    while !membership.hasMetHousehold, ContinuousClock.now < end {
      await Self.pause(.milliseconds(5))
      if peerSearch.probes.isEmpty { probeSeeds() }
    }
  }

  // MARK: - The finder

  /// Starts the finder, which announces this machine and searches for others, if there is one.
  func startFinder() {
    let network = configuration.network
    guard let finder = network.finder, let keys = network.keys, let ports = transport.ports, !id.isTransient else {
      return
    }
    finder.start(
      Announcement(port: ports.base, keys: keys, isReachable: ports.isReachable),
      // The task prefers the node's thread, so that results are used in the order in which they come.
      found: { [weak self, thread] addresses in
        Task(executorPreference: thread) { await self?.use(found: addresses) }
      }, report: report)
  }

  /// Uses these addresses as the found seeds, and probes the seeds if one is new.
  func use(found addresses: [String]) {
    guard !isClosed else { return }
    if peerSearch.replaceFound(addresses) { probeSeeds() }
  }

  // MARK: - Addresses

  /// Updates the advertised address if this machine's address has changed, and tells the other nodes.
  func refreshEndpoints() {
    guard let ports = transport.ports, configuration.network.advertise == nil, ports.isWildcard else { return }
    reporting {
      let fresh = try ports.advertised(by: configuration.network)
      guard fresh != endpoints else { return }
      transport.endpoints = fresh
      membership.renewHeartbeat()
      renewHellos()
    }
  }

  /// Returns the known addresses of a name, and starts a lookup if one is due.
  private func numeric(_ address: TCPAddress) -> [TCPAddress] {
    let (known, lookup) = transport.names.addresses(of: address)
    if let lookup { Task { update(await lookup.hosts(of: address.host), for: address.host) } }
    return known
  }

  /// Returns the address to connect to; nil while its name is not resolved.
  func numeric(_ text: String) -> String? {
    guard let address = TCPAddress(text) else { return text }
    return numeric(address).first?.description
  }

  private func update(_ hosts: [String], for name: String) {
    defer { updatePeerHosts() }
    guard transport.names.store(hosts, for: name), !isClosed else { return }
    probeSeeds()
    for (node, peer) in roster.peers {
      guard let inbox = peer.lease?.inbox, transport.remotePublishers[node] == nil, TCPAddress(inbox)?.host == name
      else { continue }
      connectPublisher(to: node, inbox: inbox)
    }
    for node in Set(outgoing.table.pending.values.map(\.node)) where transport.connections[node] == nil {
      outgoing.table.sendAgain(to: node, at: .now)
    }
    sendDueRequests(at: .now)
    reschedule()
  }
}

import Messages
import Model
import Synchronization

/// Finding the nodes of other machines.
extension Node {
  // MARK: - Probes

  /// Asks who is at the address of a request socket, unless a probe of it is under way.
  func probe(_ address: String) {
    guard !isClosed, discovery.probes[address] == nil, let target = TCPAddress(address), remotePeers.mayDial(target),
      let numeric = numeric(address)
    else { return }
    reporting {
      let request = envelope(Probe.kind, Array("{}".utf8), id: .random(), within: Discovery.patience)
      let plain = Frame(topic: "bus.knock.", body: request.encoded())
      let frame = try remotePeers.sealer?.seal(plain, as: .question, to: nil) ?? plain.encoded()
      let ready = whenReady { $0.readProbe(address) }
      let (socket, descriptor) = try transport.dial(numeric, bufferSize: 1 << 16, ready)
      let now = ContinuousClock.now
      discovery.probes[address] = Discovery.PendingProbe(
        socket: socket, descriptor: descriptor, number: .random(in: 0...UInt32.max) | 0x8000_0000, id: request.id,
        frame: frame, sendAt: now, endsAt: now + Discovery.patience)
      sendDueProbes(at: now)
      reschedule()
    }
  }

  /// Probes the request sockets that machines that are seeds may have.
  func probeSeeds() {
    let seeds = discovery.seeds
    guard !seeds.isEmpty else { return }
    let pairs = discovery.beginRound()
    for base in seeds.compactMap({ TCPAddress($0) }).flatMap(numeric) {
      for pair in pairs {
        guard let address = base.port(plus: 2 * pair + 1)?.description, address != endpoints?.requests else { continue }
        probe(address)
      }
    }
  }

  func sendDueProbes(at now: ContinuousClock.Instant) {
    for probe in discovery.sendDue(at: now) { transport.ignore(probe.descriptor) }
  }

  private func readProbe(_ address: String) {
    guard let probe = discovery.probes[address] else { return }
    var answer: (Envelope, Opened?)?
    let got: ()? = probe.socket.receiveHeaded { body, header in
      guard UInt32(bytes: header) == probe.number else { return }
      do {
        let (frame, opened) = try remotePeers.open(body, on: .connection, answering: probe.id)
        let envelope = try Envelope(decoding: frame.body)
        guard envelope.id == probe.id, opened.map({ $0.sender.node == envelope.node }) ?? true else { return }
        answer = (envelope, opened)
      } catch {
        noteBadFrame(error)
      }
    }
    guard got != nil, let (envelope, opened) = answer else { return }
    discovery.probes[address] = nil
    transport.ignore(probe.descriptor)
    do {
      guard envelope.kind == "answer" else {
        return report(try MessageCoding.decode(LunaraError.self, from: envelope.payload))
      }
      let answer = try MessageCoding.decode(Probe.Answer.self, from: envelope.payload)
      guard answer.presence.id == envelope.node else { throw Envelope.bad("an answer in another's name") }
      handle(answer, sealedAs: opened)
    } catch {
      noteBadFrame(error)
    }
  }

  private func handle(_ answer: Probe.Answer, sealedAs opened: Opened?) {
    membership.hasMetHousehold = true
    let node = answer.presence.id
    let entry = answer.presence.endpoints.map {
      RosterEntry(id: node, claim: answer.presence.claim, endpoints: $0, away: false)
    }
    // Its own request socket under another address, or a rival for its name.
    if node == id { return merge(answer.roster + (entry.map { [$0] } ?? [])) }
    guard roster.holder(against: answer.presence, isLocal: false) == nil, !roster.knowsLaterRun(than: answer.presence)
    else { return merge(answer.roster) }
    if let opened { remotePeers.admit(opened.sender, epoch: opened.epoch) }
    merge(answer.roster + (entry.map { [$0] } ?? []))
    sayHello(to: node)
  }

  // MARK: - Rosters

  /// The entry of this node in the rosters of others; nil where other machines cannot reach it.
  var ownEntry: RosterEntry? {
    endpoints.map { RosterEntry(id: id, claim: ownership.claim, endpoints: $0, away: false) }
  }

  func allEntries() -> [RosterEntry] { roster.entries + (ownEntry.map { [$0] } ?? []) }

  func merge(_ entries: [RosterEntry]) {
    for entry in entries where entry.id == id { handleOwnNameClaim(entry) }
    let others = entries.filter { entry in
      guard entry.id != id, let address = TCPAddress(entry.endpoints.requests) else { return false }
      return remotePeers.mayDial(address)
    }
    remoteNodes.withLock { nodes in
      for entry in others {
        if entry.away { nodes.away.insert(entry.id) } else { nodes.away.remove(entry.id) }
      }
    }
    let actions = membership.roster.receivedEntries(others, at: .now)
    noteRemoteNodes()
    // A client node says hello only to a node that it asks, when it asks.
    if !configuration.isClientOnly { perform(actions) }
  }

  /// Notes the nodes on other machines, for `nodes()` and `isMissing(_:)`, which do not run on the actor.
  func noteRemoteNodes() {
    let nodes = Set(roster.peers.filter { $1.isRemote && !$0.isTransient }.keys)
    remoteNodes.withLock { $0.known = nodes }
  }

  /// Finds out who is there on other machines: from a node of this machine, else from the seeds.
  ///
  /// For a client node, which receives no heartbeats. It returns as soon as one of the household has answered, and
  /// after `patience` in any case.
  ///
  /// - Parameters:
  ///   - first: the node to ask before others, as it will be asked for more: the way there is then known.
  ///   - patience: the longest time to wait.
  public func discover(asking first: NodeID? = nil, within patience: Duration = .seconds(1)) async {
    let nodes = directory.liveNodes().filter { !$0.isTransient }
    for node in nodes.filter({ $0 == first }) + nodes.filter({ $0 != first }) {
      do {
        let answer = try await request(ReadRoster(), to: node, within: .milliseconds(300))
        return merge(answer.roster)
      } catch {
        // The next one may know; a node that does not answer says so when it is asked for something.
        continue
      }
    }
    guard !configuration.network.seeds.isEmpty else { return }
    let end = ContinuousClock.now + patience
    probeSeeds()
    while !membership.hasMetHousehold, ContinuousClock.now < end {
      await Self.pause(.milliseconds(5))
      if discovery.probes.isEmpty { probeSeeds() }
    }
  }

  // MARK: - The finder

  /// Lets others find this machine, and searches for them, where that is wanted.
  func startFinder() {
    let network = configuration.network
    guard let finder = network.finder, let keys = network.keys, let ports = transport.ports, !id.isTransient else {
      return
    }
    finder.start(
      Announcement(port: ports.base, keys: keys, isReachable: ports.isReachable),
      // On the node's thread from the start, so that what is found first is used first.
      found: { [weak self, thread] addresses in
        Task(executorPreference: thread) { await self?.use(found: addresses) }
      }, report: report)
  }

  /// Uses the addresses that are known by now, and probes them where one is new.
  func use(found addresses: [String]) {
    guard !isClosed else { return }
    if discovery.replaceFound(addresses) { probeSeeds() }
  }

  // MARK: - Addresses

  /// Tells others another address where this machine's has changed, or came only after the start.
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

  /// The addresses that a name stands for, as far as they are known; they are looked up for the next time.
  private func numeric(_ address: TCPAddress) -> [TCPAddress] {
    let (known, lookup) = transport.names.addresses(of: address)
    if let lookup { Task { note(await lookup.hosts(of: address.host), for: address.host) } }
    return known
  }

  /// The address to dial for one that was told, which may bear a name; nil while that is not known.
  func numeric(_ text: String) -> String? {
    guard let address = TCPAddress(text) else { return text }
    return numeric(address).first?.description
  }

  private func note(_ hosts: [String], for name: String) {
    guard transport.names.note(hosts, for: name), !isClosed else { return }
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

import Model

/// The nodes that this one knows, the time when each was last heard, and their subscriptions to this node. Pure: the
/// caller passes the time and performs the actions.
struct Roster {
  enum Action: Hashable {
    case sayHello(NodeID)
    /// Connect the PUB to an inbox, again if it is connected.
    case connect(NodeID, inbox: String)
    case disconnect(NodeID)
    /// A node came, went away or returned.
    case presenceChanged
    /// A node has restarted: requests that its former run received are lost, and its versions may start over.
    case restarted(NodeID)
    case away(NodeID)
    case forgotten(NodeID)
    /// A node on another machine is silent: connect to it again, as a connection that was cut may need 20 s to recover.
    case redial(NodeID)
  }

  struct Peer {
    var presence: NodePresence?
    var heardAt: ContinuousClock.Instant
    /// The time of its last heartbeat; a heartbeat shows that this node's subscription to it is alive.
    var beatAt: ContinuousClock.Instant?
    var helloAt: ContinuousClock.Instant?
    var lease: Lease?
    /// The start time of the run that said goodbye; further messages of that run are ignored.
    var goodbyeStart: Timestamp?
    /// True if it is away because it was stopped in order, as far as this node or the one that listed it knows.
    var hasLeft = false
    /// True if its request socket was recreated since it was last heard, so that its start number is not known.
    var hasNewSocket = false
    /// True if it meets this node in the runtime directory of one machine.
    var isLocal = false
    /// The addresses at which it is reached if it is on another machine.
    var endpoints: Endpoints?
    var claim: Claim?
    /// True if it was heard in a former run, so that it is greeted for ever.
    var isKept = false
    /// True if it was heard in this or a former run.
    var isKnown: Bool { presence != nil || isKept }
    /// True if it is reached on another machine.
    var isRemote: Bool { !isLocal && endpoints != nil }
  }

  /// A peer's subscription to this node.
  struct Lease: Equatable {
    var inbox: String
    var startedAt: Timestamp
    var wantsSignals: Bool
    var renewedAt: ContinuousClock.Instant
  }

  static let awayAfter = Duration.seconds(3)
  static let leaseLength = Duration.seconds(10)
  /// The time between two hellos to a node from which no heartbeats come.
  static let renewal = Duration.seconds(3)
  /// The time between two hellos to a silent node on another machine, which is connected to again each time; a little
  /// under a second, so that it is due at each tick.
  static let redialling = Duration.milliseconds(900)
  /// The time between two hellos to a node whose heartbeats come, as heartbeats renew the subscriptions in both
  /// directions.
  static let confirmation = Duration.seconds(30)
  /// The time without a heartbeat after which a node is greeted.
  static let silence = Duration.milliseconds(1500)
  /// The time for which a node is greeted that was never heard.
  static let trial = Duration.seconds(30)

  private(set) var peers: [NodeID: Peer] = [:]
  private var tickedAt: ContinuousClock.Instant?

  /// Handles peers that were found in the runtime directory; new ones are greeted at once.
  mutating func found(_ nodes: [NodeID], at now: ContinuousClock.Instant) -> [Action] {
    var actions: [Action] = []
    for node in nodes where peers[node]?.isLocal != true {
      peers[node, default: Peer(heardAt: now)].isLocal = true
      peers[node]?.helloAt = now
      actions.append(.sayHello(node))
    }
    return actions
  }

  /// Handles entries of other nodes' rosters, or of a former run's; new nodes are greeted at once.
  mutating func receivedEntries(_ entries: [RosterEntry], at now: ContinuousClock.Instant, isKept: Bool = false)
    -> [Action]
  {
    var actions: [Action] = []
    for entry in entries where !entry.id.isTransient {
      guard let peer = peers[entry.id] else {
        peers[entry.id] = Peer(
          heardAt: now, helloAt: now, hasLeft: entry.left == true, endpoints: entry.endpoints, claim: entry.claim,
          isKept: isKept)
        actions.append(.sayHello(entry.id))
        continue
      }
      // While a node is heard, its own statements count more than those of others.
      guard !peer.isLocal, peer.presence?.away != false, peer.endpoints != entry.endpoints,
        peer.claim.map({ entry.claim == $0 || entry.claim.beats($0) }) ?? true
      else { continue }
      peers[entry.id]?.endpoints = entry.endpoints
      peers[entry.id]?.claim = entry.claim
      peers[entry.id]?.helloAt = now
      actions.append(.sayHello(entry.id))
    }
    return actions
  }

  /// Returns true if a later run of the presence's node is being heard.
  func knowsLaterRun(than presence: NodePresence) -> Bool {
    guard let peer = peers[presence.id], peer.presence?.away == false, let claim = peer.claim else { return false }
    return claim.isOfSameOwner(as: presence.claim) && claim.beats(presence.claim)
  }

  /// Returns the claim of the holder of a name against another node's presence; nil if the presence should be accepted.
  ///
  /// For a node of this machine the lock on its name proves that the former holder has ended.
  func holder(against presence: NodePresence, isLocal: Bool) -> Claim? {
    // A claim that was only reported by others does not count: `entries` does not list it, so the other node could not
    // learn which term it has to beat.
    guard !isLocal, let peer = peers[presence.id], peer.isKnown, let claim = peer.claim,
      !claim.isOfSameOwner(as: presence.claim),
      !presence.claim.beats(claim)
    else { return nil }
    return claim
  }

  /// Handles a rival for the name of a node that is away, on the machine where that node was. Returns true if the rival
  /// should be greeted at these addresses; the name still belongs to the node that is away.
  mutating func foundSuccessor(of node: NodeID, at endpoints: Endpoints) -> Bool {
    guard isAway(node, fromHostOf: endpoints) else { return false }
    peers[node]?.endpoints = endpoints
    return true
  }

  /// Returns true if a reported node may be the successor of one that is away, at another port of its machine.
  func maySucceed(_ entry: RosterEntry) -> Bool {
    !entry.away && peers[entry.id]?.endpoints != entry.endpoints && isAway(entry.id, fromHostOf: entry.endpoints)
  }

  private func isAway(_ node: NodeID, fromHostOf endpoints: Endpoints) -> Bool {
    guard let peer = peers[node], peer.isRemote, peer.presence?.away != false,
      let host = peer.endpoints.flatMap({ TCPAddress($0.requests)?.host })
    else { return false }
    return TCPAddress(endpoints.requests)?.host == host
  }

  /// Handles the appearance of a peer's request socket: the peer has started, so it is greeted at once.
  mutating func appeared(_ node: NodeID, at now: ContinuousClock.Instant) -> [Action] {
    peers[node, default: Peer(heardAt: now)].helloAt = now
    peers[node]?.isLocal = true
    peers[node]?.hasNewSocket = true
    return [.sayHello(node)]
  }

  /// Handles the presence of a peer in a heartbeat, a hello or an answer to a hello.
  ///
  /// A heartbeat renews the peer's lease, as it shows that the peer is running.
  mutating func receivedPresence(
    _ presence: NodePresence, at now: ContinuousClock.Instant, isHeartbeat: Bool = false, isLocal: Bool = true
  ) -> [Action] {
    let node = presence.id
    guard holder(against: presence, isLocal: isLocal) == nil else { return [] }
    var peer = peers[node] ?? Peer(heardAt: now)
    guard peer.goodbyeStart != presence.startedAt else { return [] }
    var actions: [Action] = []
    if let known = peer.presence {
      // A late message of a former run is ignored, unless the known run is away, as the start counter may have been
      // lost. A node that took the name over has the better claim, whatever its clock says.
      let hasTakenName = !isLocal && !known.claim.isOfSameOwner(as: presence.claim)
      if !hasTakenName, known.follows(presence), !known.away { return [] }
      if !known.isSameStart(as: presence) {
        peer.helloAt = now
        peer.beatAt = nil
        actions += [.restarted(node), .presenceChanged, .sayHello(node)]
      } else if known.away {
        actions.append(.presenceChanged)
      }
    } else {
      actions.append(.presenceChanged)
    }
    peer.presence = presence
    peer.claim = presence.claim
    peer.endpoints = presence.endpoints ?? (isLocal ? nil : peer.endpoints)
    peer.isLocal = isLocal
    peer.heardAt = now
    peer.goodbyeStart = nil
    peer.hasLeft = false
    peer.hasNewSocket = false
    if isHeartbeat {
      peer.beatAt = now
      if peer.lease?.startedAt == presence.startedAt { peer.lease?.renewedAt = now }
    }
    peers[node] = peer
    return actions
  }

  /// Handles a hello: the peer gets this node's messages for the next 10 s.
  mutating func receivedHello(_ hello: Hello, at now: ContinuousClock.Instant, isLocal: Bool = true) -> [Action] {
    guard let inbox = hello.inbox else { return [] }
    let node = hello.presence.id
    let isNew = peers[node] == nil
    var actions = receivedPresence(hello.presence, at: now, isLocal: isLocal)
    guard var peer = peers[node], peer.presence?.isSameStart(as: hello.presence) == true, peer.goodbyeStart == nil
    else {
      return actions
    }
    if peer.lease?.inbox != inbox || peer.lease?.startedAt != hello.presence.startedAt || hello.hearsNothing {
      actions.append(.connect(node, inbox: inbox))
    }
    peer.lease = Lease(
      inbox: inbox, startedAt: hello.presence.startedAt, wantsSignals: hello.wantsSignals, renewedAt: now)
    if isNew, !actions.contains(.sayHello(node)) {
      peer.helloAt = now
      actions.append(.sayHello(node))
    }
    peers[node] = peer
    return actions
  }

  /// Does the periodic work: greets peers, marks silent ones as away, ends expired leases, and forgets transient nodes
  /// that are gone and nodes that never answered.
  mutating func tick(at now: ContinuousClock.Instant) -> [Action] {
    excludeOwnSleep(at: now)
    var actions: [Action] = []
    for (node, peer) in peers {
      var peer = peer
      if let lease = peer.lease, now - lease.renewedAt >= Self.leaseLength {
        peer.lease = nil
        actions.append(.disconnect(node))
      }
      if let presence = peer.presence, !presence.away, now - peer.heardAt >= Self.awayAfter {
        peer.presence?.away = true
        actions += [.away(node), .presenceChanged]
      }
      let isDone =
        peer.presence.map { $0.away && node.isTransient } ?? (now - peer.heardAt >= Self.trial && !peer.isKept)
      if isDone, peer.lease == nil {
        peers[node] = nil
        actions += [.forgotten(node), .presenceChanged]
        continue
      }
      let isSilent = isSilent(node, at: now)
      if isSilent, peer.isRemote { actions.append(.redial(node)) }
      let pause = isSilent ? (peer.isRemote ? Self.redialling : Self.renewal) : Self.confirmation
      if peer.helloAt.map({ now - $0 >= pause }) ?? true {
        peer.helloAt = now
        actions.append(.sayHello(node))
      }
      peers[node] = peer
    }
    return actions
  }

  /// Adds the time in which this process or its host did not run to the times of the peers, so that they do not expire.
  private mutating func excludeOwnSleep(at now: ContinuousClock.Instant) {
    defer { tickedAt = now }
    guard let before = tickedAt, now - before >= .seconds(2) else { return }
    let slept = now - before
    // Messages that came after the process continued need no correction.
    for (node, peer) in peers {
      peers[node]?.heardAt = min(now, peer.heardAt + slept)
      peers[node]?.beatAt = peer.beatAt.map { min(now, $0 + slept) }
      if let lease = peer.lease { peers[node]?.lease?.renewedAt = min(now, lease.renewedAt + slept) }
    }
  }

  /// Handles a peer that said goodbye, or whose request socket was removed: it is away at once, and its lease ends.
  mutating func left(_ node: NodeID) -> [Action] {
    guard var peer = peers[node] else { return [] }
    var actions: [Action] = peer.lease == nil ? [] : [.disconnect(node)]
    peer.lease = nil
    if node.isTransient {
      peers[node] = nil
      return actions + [.forgotten(node), .presenceChanged]
    }
    peer.goodbyeStart = peer.presence?.startedAt
    peer.hasLeft = true
    if peer.presence?.away == false { actions += [.away(node), .presenceChanged] }
    peer.presence?.away = true
    peer.beatAt = nil
    peers[node] = peer
    return actions
  }

  /// Forgets a peer that is away, as a person wishes. Returns nil if the peer is not away.
  mutating func forget(_ node: NodeID) -> [Action]? {
    guard let peer = peers[node] else { return [] }
    guard peer.presence?.away ?? true else { return nil }
    peers[node] = nil
    return [.forgotten(node), .presenceChanged]
  }

  /// Handles a goodbye message. A late goodbye of a former run is ignored.
  mutating func receivedGoodbye(_ presence: NodePresence) -> [Action] {
    guard peers[presence.id]?.presence?.isSameStart(as: presence) != false else { return [] }
    return left(presence.id)
  }

  /// Returns true if a presence is that of the present run of its node, and that run has not said goodbye.
  func believes(_ presence: NodePresence) -> Bool {
    guard let known = peers[presence.id], known.goodbyeStart == nil else { return false }
    return known.presence?.isSameStart(as: presence) == true
  }

  /// Returns true if a frame is from the present run of its node. The start numbers of two journals are not comparable,
  /// so the journal has to be the same if the frame states it.
  func believes(_ envelope: Envelope) -> Bool {
    guard let presence = peers[envelope.node]?.presence, presence.epoch == envelope.epoch else { return false }
    return envelope.journal == nil || envelope.journal == presence.journal?.journal
  }

  /// Returns true if a frame is from a node that is away, or from a former run.
  func isPast(_ envelope: Envelope) -> Bool {
    peers[envelope.node]?.presence?.away != false || !believes(envelope)
  }

  func isSilent(_ node: NodeID, at now: ContinuousClock.Instant) -> Bool {
    peers[node]?.beatAt.map { now - $0 >= Self.silence } ?? true
  }

  /// Returns the start number of the present run of a node; nil if it is not known.
  func epoch(of node: NodeID) -> Int64? {
    guard let peer = peers[node], !peer.hasNewSocket else { return nil }
    return peer.presence?.epoch
  }

  func run(of node: NodeID) -> NodeRun? {
    epoch(of: node).map { NodeRun(epoch: $0, journal: peers[node]?.presence?.journal?.journal) }
  }
}

extension Roster {
  var someoneWantsSignals: Bool { peers.values.contains { $0.lease?.wantsSignals == true } }

  /// The nodes that can be reached from other machines and that this node or a former run of it has heard itself.
  var entries: [RosterEntry] {
    peers.compactMap { node, peer in
      guard !node.isTransient, let endpoints = peer.endpoints, let claim = peer.claim, peer.isKnown
      else { return nil }
      return RosterEntry(
        id: node, claim: claim, endpoints: endpoints, away: peer.presence?.away ?? true,
        left: peer.hasLeft ? true : nil)
    }.sorted { $0.id < $1.id }
  }

  /// The addresses of the nodes on other machines, as they advertise them.
  var addresses: [TCPAddress] {
    peers.values.compactMap { $0.isRemote ? $0.endpoints.flatMap { TCPAddress($0.requests) } : nil }
  }

  /// Returns the entries that were heard in this run, each with the time since it was last heard.
  func heardEntries(at now: ContinuousClock.Instant) -> [(entry: RosterEntry, age: Milliseconds)] {
    entries.compactMap { entry in
      guard let peer = peers[entry.id], peer.presence != nil else { return nil }
      return (entry, max(.zero, (now - peer.heardAt).milliseconds))
    }
  }

  var presences: [NodePresence] { peers.values.compactMap(\.presence).sorted { $0.id < $1.id } }
}

import Model

/// The nodes that this one knows, when it last heard of each, and to which it owes frames. Pure: time comes in,
/// decisions go out.
struct Roster {
  enum Action: Hashable {
    case sayHello(NodeID)
    /// Connect the PUB to an inbox, afresh if it was connected.
    case connect(NodeID, inbox: String)
    case disconnect(NodeID)
    /// Someone came, went away or returned.
    case presenceChanged
    /// A node runs anew: what was asked of its previous run is lost, and so is the order of what it says.
    case restarted(NodeID)
    case away(NodeID)
    case forgotten(NodeID)
    /// A node on another machine is not heard: whatever is dialled to it is dialled afresh, as a link that was cut may
    /// otherwise take 20 s to speak again.
    case redial(NodeID)
  }

  struct Peer {
    var presence: NodePresence?
    var heardAt: ContinuousClock.Instant
    /// The moment at which a heartbeat of it last came, which shows that it holds this node's lease.
    var beatAt: ContinuousClock.Instant?
    var helloAt: ContinuousClock.Instant?
    var lease: Lease?
    /// The start time of the run that said goodbye; later messages of that run are ignored.
    var goodbyeStart: Timestamp?
    /// True if its request socket was opened anew since it was last heard, so that its start number is not known.
    var hasNewSocket = false
    /// True if it meets this node in the runtime directory of one machine.
    var isLocal = false
    /// The addresses at which it is reached from this machine when it is on another.
    var endpoints: Endpoints?
    var claim: Claim?
    /// True if it was heard in a former run, so that it is looked for without end.
    var isKept = false
    /// True if it was heard, be it by a former run.
    var isKnown: Bool { presence != nil || isKept }
    /// True if another machine has to be dialled to reach it.
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
  /// The same for a node on another machine, which is dialled as well; a little under a second, so
  /// that the tick of each second does it.
  static let redialling = Duration.milliseconds(900)
  /// The time between two hellos to a node whose heartbeats come: they renew its lease, as this node's renew the one it
  /// holds.
  static let confirmation = Duration.seconds(30)
  /// The time for which a heartbeat may be overdue before its node is greeted.
  static let silence = Duration.milliseconds(1500)
  /// The time for which a node is greeted of which nothing was ever heard.
  static let trial = Duration.seconds(30)

  private(set) var peers: [NodeID: Peer] = [:]
  private var tickedAt: ContinuousClock.Instant?

  /// Peers that were seen in the runtime directory; new ones are greeted at once.
  mutating func found(_ nodes: [NodeID], at now: ContinuousClock.Instant) -> [Action] {
    var actions: [Action] = []
    for node in nodes where peers[node]?.isLocal != true {
      peers[node, default: Peer(heardAt: now)].isLocal = true
      peers[node]?.helloAt = now
      actions.append(.sayHello(node))
    }
    return actions
  }

  /// Handles entries that other nodes sent, or that a former run kept; new nodes are greeted at once.
  mutating func receivedEntries(_ entries: [RosterEntry], at now: ContinuousClock.Instant, isKept: Bool = false)
    -> [Action]
  {
    var actions: [Action] = []
    for entry in entries where !entry.id.isTransient {
      guard let peer = peers[entry.id] else {
        peers[entry.id] = Peer(
          heardAt: now, helloAt: now, endpoints: entry.endpoints, claim: entry.claim, isKept: isKept)
        actions.append(.sayHello(entry.id))
        continue
      }
      // While a node is heard, its own word counts more than that of others.
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

  /// True if a node that is heard runs already under a later start than that of a presence.
  func knowsLaterRun(than presence: NodePresence) -> Bool {
    guard let peer = peers[presence.id], peer.presence?.away == false, let claim = peer.claim else { return false }
    return claim.isOfSameOwner(as: presence.claim) && claim.beats(presence.claim)
  }

  /// The holder of a name against another claim to it; nil where the claim is to be believed.
  ///
  /// On one machine the lock on the name proves that its former holder is dead.
  func holder(against presence: NodePresence, isLocal: Bool) -> Claim? {
    // A claim that only others told of does not count: `entries` does not list it, so the asking node could not learn
    // which term it has to beat.
    guard !isLocal, let peer = peers[presence.id], peer.isKnown, let claim = peer.claim,
      !claim.isOfSameOwner(as: presence.claim),
      !presence.claim.beats(claim)
    else { return nil }
    return claim
  }

  /// A peer's request socket appeared: it started, so it is greeted without waiting for the renewal.
  mutating func appeared(_ node: NodeID, at now: ContinuousClock.Instant) -> [Action] {
    peers[node, default: Peer(heardAt: now)].helloAt = now
    peers[node]?.isLocal = true
    peers[node]?.hasNewSocket = true
    return [.sayHello(node)]
  }

  /// Handles the presence that a peer stated in a heartbeat, a hello or an answer to one.
  ///
  /// A heartbeat renews the lease of its node: it is there and hears still.
  mutating func receivedPresence(
    _ presence: NodePresence, at now: ContinuousClock.Instant, isHeartbeat: Bool = false, isLocal: Bool = true
  ) -> [Action] {
    let node = presence.id
    guard holder(against: presence, isLocal: isLocal) == nil else { return [] }
    var peer = peers[node] ?? Peer(heardAt: now)
    guard peer.goodbyeStart != presence.startedAt else { return [] }
    var actions: [Action] = []
    if let known = peer.presence {
      // A late message of a previous run is ignored, unless the known run is away: the start counter may have been
      // lost. A node that took the name over has the better claim, whatever its host's clock says.
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
    peer.hasNewSocket = false
    if isHeartbeat {
      peer.beatAt = now
      if peer.lease?.startedAt == presence.startedAt { peer.lease?.renewedAt = now }
    }
    peers[node] = peer
    return actions
  }

  /// Handles a hello: the peer is sent frames for the next 10 s.
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

  /// Handles the passing of time: renews leases, marks silent peers as away, ends expired leases, and forgets transient
  /// nodes that are gone and nodes that never answered.
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

  /// Time in which this process did not run, stopped or on a host that slept, is not held against its peers.
  private mutating func excludeOwnSleep(at now: ContinuousClock.Instant) {
    defer { tickedAt = now }
    guard let before = tickedAt, now - before >= .seconds(2) else { return }
    let slept = now - before
    // Heartbeats received since the machine woke need no allowance.
    for (node, peer) in peers {
      peers[node]?.heardAt = min(now, peer.heardAt + slept)
      peers[node]?.beatAt = peer.beatAt.map { min(now, $0 + slept) }
      if let lease = peer.lease { peers[node]?.lease?.renewedAt = min(now, lease.renewedAt + slept) }
    }
  }

  /// A peer said goodbye, or its request socket was removed: it is away at once, and owed nothing.
  mutating func left(_ node: NodeID) -> [Action] {
    guard var peer = peers[node] else { return [] }
    var actions: [Action] = peer.lease == nil ? [] : [.disconnect(node)]
    peer.lease = nil
    if node.isTransient {
      peers[node] = nil
      return actions + [.forgotten(node), .presenceChanged]
    }
    peer.goodbyeStart = peer.presence?.startedAt
    if peer.presence?.away == false { actions += [.away(node), .presenceChanged] }
    peer.presence?.away = true
    peer.beatAt = nil
    peers[node] = peer
    return actions
  }

  /// A peer said goodbye itself. A late goodbye of a former run is not this one's.
  mutating func receivedGoodbye(_ presence: NodePresence) -> [Action] {
    guard peers[presence.id]?.presence?.isSameStart(as: presence) != false else { return [] }
    return left(presence.id)
  }

  /// True if a presence is that of the present run of its node, which has not said goodbye.
  func believes(_ presence: NodePresence) -> Bool {
    guard let known = peers[presence.id], known.goodbyeStart == nil else { return false }
    return known.presence?.isSameStart(as: presence) == true
  }

  /// True if a frame was sent by the present run of its node, as far as it tells: the start numbers of two journals
  /// have nothing in common.
  func believes(_ envelope: Envelope) -> Bool {
    guard let presence = peers[envelope.node]?.presence, presence.epoch == envelope.epoch else { return false }
    return envelope.journal == nil || envelope.journal == presence.journal?.journal
  }

  /// True if a frame is of a node that is away, or of a former run of one that is there.
  func isPast(_ envelope: Envelope) -> Bool {
    peers[envelope.node]?.presence?.away != false || !believes(envelope)
  }

  func isSilent(_ node: NodeID, at now: ContinuousClock.Instant) -> Bool {
    peers[node]?.beatAt.map { now - $0 >= Self.silence } ?? true
  }

  /// The start number of a node as it runs now; nil where it is not known.
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

  /// The nodes that can be reached from other machines, as far as this node or a former run of it has heard them
  /// itself.
  var entries: [RosterEntry] {
    peers.compactMap { node, peer in
      guard !node.isTransient, let endpoints = peer.endpoints, let claim = peer.claim, peer.isKnown
      else { return nil }
      return RosterEntry(id: node, claim: claim, endpoints: endpoints, away: peer.presence?.away ?? true)
    }.sorted { $0.id < $1.id }
  }

  /// The same as far as they were heard in this run, and how long ago.
  func heardEntries(at now: ContinuousClock.Instant) -> [(entry: RosterEntry, age: Milliseconds)] {
    entries.compactMap { entry in
      guard let peer = peers[entry.id], peer.presence != nil else { return nil }
      return (entry, max(.zero, (now - peer.heardAt).milliseconds))
    }
  }

  var presences: [NodePresence] { peers.values.compactMap(\.presence).sorted { $0.id < $1.id } }
}

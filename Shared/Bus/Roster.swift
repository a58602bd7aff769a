import Model

/// Whom this node knows, since when it last heard of each, and to whom it owes frames. Pure: time comes in, decisions
/// go out.
struct Roster {
  /// What a roster asks its node to do.
  enum Action: Hashable {
    /// Say hello to this node's desk.
    case sayHello(NodeID)
    /// Connect the PUB to an inbox, afresh if it was connected.
    case connect(NodeID, inbox: String)
    /// Shut that connection down.
    case disconnect(NodeID)
    /// Someone came, went away or returned.
    case presenceChanged
    /// A node's start number grew: what was asked of its former self is lost.
    case restarted(NodeID)
  }

  /// One peer.
  struct Peer {
    var presence: NodePresence?
    var heardAt: ContinuousClock.Instant
    var helloAt: ContinuousClock.Instant?
    var lease: Lease?
  }

  /// A peer's wish to hear this node.
  struct Lease {
    var inbox: String
    var epoch: Int64
    var wantsSignals: Bool
    var renewedAt: ContinuousClock.Instant
  }

  static let awayAfter = Duration.seconds(3)
  static let leaseLength = Duration.seconds(10)
  static let renewal = Duration.seconds(3)

  private(set) var peers: [NodeID: Peer] = [:]

  /// Peers that were seen in the runtime directory; new ones are greeted at once.
  mutating func found(_ nodes: [NodeID], at now: ContinuousClock.Instant) -> [Action] {
    var actions: [Action] = []
    for node in nodes where peers[node] == nil {
      peers[node] = Peer(heardAt: now, helloAt: now)
      actions.append(.sayHello(node))
    }
    return actions
  }

  /// A peer's desk appeared: it started, so it is greeted without waiting for the renewal.
  mutating func appeared(_ node: NodeID, at now: ContinuousClock.Instant) -> [Action] {
    peers[node, default: Peer(heardAt: now)].helloAt = now
    return [.sayHello(node)]
  }

  /// A peer said how it stands, in a heartbeat or an answer to a hello.
  mutating func heard(_ presence: NodePresence, at now: ContinuousClock.Instant) -> [Action] {
    var actions: [Action] = []
    var peer = peers[presence.id] ?? Peer(heardAt: now)
    if let known = peer.presence, known.epoch > presence.epoch { return [] }
    let restarted = peer.presence.map { $0.epoch < presence.epoch } ?? false
    if peer.presence == nil || peer.presence?.away == true || restarted { actions.append(.presenceChanged) }
    if restarted {
      peer.helloAt = now
      actions += [.restarted(presence.id), .sayHello(presence.id)]
    }
    peer.presence = presence
    peer.heardAt = now
    peers[presence.id] = peer
    return actions
  }

  /// A peer said hello: it is leased frames for 10 s.
  mutating func greeted(by hello: Hello, at now: ContinuousClock.Instant) -> [Action] {
    guard let inbox = hello.inbox else { return [] }
    let isNew = peers[hello.presence.id] == nil
    var actions = heard(hello.presence, at: now)
    let node = hello.presence.id
    guard var peer = peers[node], peer.presence?.epoch == hello.presence.epoch else { return actions }
    if peer.lease?.inbox != inbox || peer.lease?.epoch != hello.presence.epoch {
      actions.append(.connect(node, inbox: inbox))
    }
    peer.lease = Lease(
      inbox: inbox, epoch: hello.presence.epoch, wantsSignals: hello.wantsSignals, renewedAt: now)
    if isNew, !actions.contains(.sayHello(node)) {
      peer.helloAt = now
      actions.append(.sayHello(node))
    }
    peers[node] = peer
    return actions
  }

  /// Time passed: leases are renewed, silent peers are away, expired leases end.
  mutating func tick(at now: ContinuousClock.Instant) -> [Action] {
    var actions: [Action] = []
    for (node, peer) in peers {
      var peer = peer
      if peer.helloAt.map({ now - $0 >= Self.renewal }) ?? true {
        peer.helloAt = now
        actions.append(.sayHello(node))
      }
      if let presence = peer.presence, !presence.away, now - peer.heardAt >= Self.awayAfter {
        peer.presence?.away = true
        actions.append(.presenceChanged)
      }
      if let lease = peer.lease, now - lease.renewedAt >= Self.leaseLength {
        peer.lease = nil
        actions.append(.disconnect(node))
      }
      peers[node] = peer
    }
    return actions
  }

  /// A peer said goodbye: it is away at once, and owed nothing.
  mutating func left(_ node: NodeID) -> [Action] {
    guard var peer = peers[node] else { return [] }
    peer.presence?.away = true
    let hadLease = peer.lease != nil
    peer.lease = nil
    peers[node] = peer
    return (hadLease ? [.disconnect(node)] : []) + [.presenceChanged]
  }

  /// Forgets a peer that left in an orderly way or of which nothing was ever heard.
  mutating func forget(_ node: NodeID) -> [Action] {
    guard let peer = peers.removeValue(forKey: node) else { return [] }
    return (peer.lease == nil ? [] : [.disconnect(node)]) + (peer.presence == nil ? [] : [.presenceChanged])
  }

  /// Whether anybody holds a lease that asks for signals.
  var someoneWantsSignals: Bool { peers.values.contains { $0.lease?.wantsSignals == true } }

  /// All peers that ever said how they stand.
  var presences: [NodePresence] { peers.values.compactMap(\.presence).sorted { $0.id < $1.id } }
}

import Messages
import Model

@testable import Bus

// Owning a name in a household of several machines, as in `Node+Ownership` and `Node+PeerSearch`.
extension Runner {
  /// The host of a node, as far as this one knows.
  func destination(of node: NodeID) -> SimulatedHost? {
    guard !world.plan.isOneMachine else { return world.place(node) }
    return roster.peers[node]?.endpoints.flatMap { world.place(at: $0.requests) }
  }

  /// Asks the node at an address for its id and for the nodes that it knows.
  func probe(_ other: SimulatedHost) {
    let channel = Channel(from: place, to: other, in: world)
    let envelope = Envelope(
      id: world.name("k"), node: id, epoch: epoch, time: place.wallClock, kind: Probe.kind, patience: Milliseconds(900),
      payload: [])
    let question = Question(asking: world.number(), envelope: envelope, body: .probe)
    probe(question, over: channel, until: world.clock + 900_000)
  }

  /// Repeats a probe until a socket accepts it.
  private func probe(_ question: Question, over channel: Channel, until end: Int) {
    guard world.clock < end, !isClosing else { return }
    let (asker, from) = (self, place)
    let isTaken = channel.send { receiver in
      receiver.received(question) { answer in
        guard !receiver.world.network.isCut(receiver.place.index, from.index) else { return }
        asker.after(receiver.world.random.between(60, 1500)) { $0.opened(by: answer) }
      }
    }
    if !isTaken { after(50_000) { $0.probe(question, over: channel, until: end) } }
  }

  private func opened(by answer: Answer) {
    guard case .presence(let presence, let entries) = answer.body, let endpoints = presence.endpoints, !isClosing else {
      return
    }
    heardOfHousehold = true
    world.trace("\(id) of \(place.index) meets \(presence.id)")
    let isHeld = presence.id != id && roster.holder(against: presence, isLocal: false) != nil
    let entry = RosterEntry(id: presence.id, claim: presence.claim, endpoints: endpoints, away: false)
    merge(entries + (isHeld ? [] : [entry]))
    if presence.id != id { sayHello(to: presence.id) }
  }

  /// Handles the entries of a roster.
  func merge(_ entries: [RosterEntry]) {
    for entry in entries where entry.id == id { handleOwnNameClaim(entry) }
    perform(roster.receivedEntries(entries.filter { $0.id != id }, at: world.now))
  }

  /// Makes sure that the name is free, or takes it over where that is wanted.
  func settle() { wait(until: world.clock + (place.takesOver ? 3_000_000 : 1_000_000)) }

  private func wait(until end: Int) {
    let isDone = heardOfHousehold && (!place.takesOver || !rivals.isEmpty)
    guard isDone || world.clock >= end else { return after(20_000) { $0.wait(until: end) } }
    let rivals = self.rivals.sorted { $0.key < $1.key }.map(\.value.claim)
    guard place.takesOver else {
      guard !rivals.contains(where: { claim.yields(to: $0) }) else {
        world.trace("\(id) of \(place.index) finds its name taken")
        return place.end(self)
      }
      return hold()
    }
    tookBlindly = rivals.isEmpty
    if !rivals.isEmpty || !heardOfHousehold {
      claim = claim.takingOver(from: rivals + [claim])
      place.term = claim.term
    }
    world.trace("\(id) of \(place.index) takes its name under term \(claim.term) as \(claim.identity)")
    self.rivals = [:]
    place.takesOver = false
    hold()
  }

  /// Handles a message about this node's own name.
  private func handleOwnNameClaim(_ entry: RosterEntry) {
    guard !entry.claim.isOfSameOwner(as: claim) else { return }
    switch status {
    case .inquiring: rivals[entry.claim.identity] = entry
    case .displaced: break
    case .holder:
      switch claim.answer(to: entry) {
      case .keep: break
      case .raiseTerm(let raised): rise(to: raised)
      case .giveUp: displace()
      }
    }
  }

  private func rise(to raised: Claim) {
    world.trace("\(id) of \(place.index) goes on under term \(raised.term)")
    claim = raised
    place.term = raised.term
    for node in roster.peers.keys.sorted() { sayHello(to: node) }
  }

  /// True if a hello is to be ignored.
  func isRefused(_ hello: Hello) -> Bool {
    if hello.presence.id == id {
      if let endpoints = hello.presence.endpoints {
        handleOwnNameClaim(RosterEntry(id: id, claim: hello.presence.claim, endpoints: endpoints, away: false))
      }
      return true
    }
    return roster.holder(against: hello.presence, isLocal: world.plan.isOneMachine) != nil
  }

  /// A peer says that another node has this node's name: that node is probed, and its claim decides.
  func refused(by node: NodeID) {
    guard status == .holder, let other = destination(of: node) else { return }
    probe(other)
  }

  /// Another node took the name: everything under it stops here.
  private func displace() {
    guard status != .displaced else { return }
    world.trace("\(id) of \(place.index) is displaced")
    status = .displaced
    // A node that took the name without knowing its holder learns of it by being refused, and is started again.
    if tookBlindly { place.takesOver = true } else { place.isDisplaced = true }
    after(world.random.between(1000, 500_000)) { $0.place.end($0) }
  }
}

import Messages
import Model

@testable import Bus

// Publishing and receiving, as in `Node+Frames`, `Node+Membership` and `Node+Subscribing`.
extension Runner {
  /// The presence of this node.
  func presence() -> NodePresence {
    NodePresence(
      id: id, pid: 1, epoch: epoch, version: "1", startedAt: startedAt, saidAt: place.wallClock,
      journal: identity.map { JournalPosition(journal: $0, epoch: epoch, seq: journalHead) },
      lag: 0, states: own.versions, identity: claim.identity, term: claim.term, endpoints: place.endpoints)
  }

  func sendHeartbeat(leaving: Bool = false) {
    lastBeat = world.now
    guard !subscribers.isEmpty else { return }
    publish(.heartbeat(presence(), leaving: leaving))
  }

  private func publish(_ message: Published) {
    for node in subscribers.keys.sorted() { _ = subscribers[node]?.send { $0.handle(message) } }
  }

  /// Publishes a state that contains the number of its publications.
  func publish(_ value: Int) {
    let payload = Array("\(number).\(value)".utf8)
    let topic = "playback.\(id.name).state."
    guard let version = own.version(for: topic, payload: payload) else { return }
    let envelope = Envelope(
      id: "\(epoch).\(version)", node: id, epoch: epoch, version: version, time: place.wallClock,
      kind: "playback.state", journal: identity, payload: payload)
    _ = own.apply(envelope, topic: topic, at: world.now)
    world.trace("\(id) says \(topic) \(epoch).\(version)")
    publish(.state(envelope, topic: topic))
    scheduleHeartbeatSoon()
  }

  /// Sends the facts that have become durable since the last call.
  func publishFacts() {
    guard let sendQueue, let identity, isBound, !isClosing else { return }
    let facts = sendQueue.removeAll()
    for fact in facts {
      journalHead = max(journalHead, fact.seq)
      publish(.fact(fact.envelope(from: id, journal: identity)))
    }
    if !facts.isEmpty { scheduleHeartbeatSoon() }
  }

  func handle(_ message: Published) {
    guard isBound, !isClosing else { return }
    switch message {
    case .heartbeat(let presence, let leaving):
      if leaving { return perform(roster.receivedGoodbye(presence)) }
      receivedPresence(presence, isHeartbeat: true)
    case .fact(let envelope):
      for follower in followers { follower.enqueue(ReceivedFact(envelope: envelope)) }
    case .state(let envelope, let topic): apply(envelope, topic: topic)
    }
  }

  /// Handles a peer's presence.
  func receivedPresence(_ presence: NodePresence, isHeartbeat: Bool) {
    if !world.plan.isOneMachine { heardOfHousehold = true }
    guard presence.id != id else { return }
    perform(
      roster.receivedPresence(presence, at: world.now, isHeartbeat: isHeartbeat, isLocal: world.plan.isOneMachine))
    fetchChanges(of: presence)
  }

  private func fetchChanges(of presence: NodePresence) {
    guard roster.believes(presence) else { return }
    fetchStates(of: presence.id)
    guard let head = presence.journal else { return }
    for follower in followers where follower.role == presence.id.role { follower.enqueue(head: head, of: presence.id) }
  }

  private func apply(_ envelope: Envelope, topic: String) {
    guard watchesStates, roster.believes(envelope), heard.apply(envelope, topic: topic, at: world.now) else { return }
    world.trace("\(id) holds \(topic) \(envelope.epoch).\(envelope.version ?? 0)")
  }

  /// True if this node subscribes to the states of rooms.
  var watchesStates: Bool { id == .router || id == .web }

  private func fetchStates(of node: NodeID) {
    guard watchesStates, let presence = roster.peers[node]?.presence, !presence.away else { return }
    let topics = heard.stale(against: presence)
    guard !topics.isEmpty else { return }
    guard fetching[node] == nil else {
      fetching[node]?.formUnion(topics)
      return
    }
    fetching[node] = []
    fetch(Set(topics), from: node)
  }

  private func fetch(_ topics: Set<String>, from node: NodeID) {
    ask(.readStates(topics.sorted()), kind: ReadStates.kind, to: node, within: .seconds(2)) { [self] result in
      var wanted: Set<String> = []
      if case .success(let answer) = result, case .states(let states) = answer.body {
        for state in states where state.node == node { apply(state, topic: state.topic) }
        wanted = states.isEmpty ? [] : topics.subtracting(states.map(\.topic))
        wanted.formUnion(fetching[node] ?? [])
      }
      fetching[node] = wanted.isEmpty ? nil : []
      if !wanted.isEmpty { fetch(wanted, from: node) }
    }
  }

  /// Sends a hello to a node, unless one is on its way.
  func sayHello(to node: NodeID) {
    guard hellos[node] == nil, status == .holder, let other = destination(of: node),
      !world.plan.isOneMachine || other.runner != nil
    else { return }
    let hello = Hello(
      presence: presence(), inbox: place.endpoints?.inbox ?? "\(id)", wantsSignals: false,
      hearsNothing: roster.isSilent(node, at: world.now), cursors: nil)
    let number = add(.hello(hello), kind: Hello.kind, isCommand: false, to: node, within: .seconds(1), id: nil)
    hellos[node] = number
    waiting[number] = { [self] result in
      if hellos[node] == number { hellos[node] = nil }
      if connections[node]?.isNeeded == false { closeIdleConnection(to: node) }
      guard case .success(let answer) = result else { return }
      switch answer.body {
      case .presence(let presence, let entries):
        merge(entries)
        if isThere(node) { receivedPresence(presence, isHeartbeat: false) }
      case .error("bus.nameTaken"): refused(by: node)
      default: break
      }
    }
    sendDueRequests()
    reschedule()
  }

  /// On one machine, a node that has stopped is recognised by its missing sockets.
  private func isThere(_ node: NodeID) -> Bool { !world.plan.isOneMachine || world.place(node)?.reachable != nil }

  /// Answers a hello, whose sender receives this node's messages from now on.
  func greet(_ hello: Hello, _ question: Question, _ back: (Answer) -> Void) {
    guard isThere(hello.presence.id), status == .holder else { return }
    if isRefused(hello) {
      world.trace(
        "\(id) of \(place.index) refuses \(hello.presence.id) as \(hello.presence.claim.identity) under term "
          + "\(hello.presence.claim.term), as \(roster.peers[hello.presence.id]?.claim?.identity ?? "none") has it")
      return back(Answer(id: question.envelope.id, node: id, epoch: epoch, body: .error("bus.nameTaken")))
    }
    perform(roster.receivedHello(hello, at: world.now, isLocal: world.plan.isOneMachine))
    back(Answer(id: question.envelope.id, node: id, epoch: epoch, body: .presence(presence(), roster.entries)))
    fetchChanges(of: hello.presence)
  }
}

import Model

@testable import Bus

// A node's periodic work, and the actions that its roster asks for, as in `Node+Lifecycle`.
extension Runner {
  func tick() {
    let now = world.now
    guard !isClosing else { return }
    if nextRound <= now {
      nextRound = secondAfter()
      if !world.plan.isOneMachine { look(isRound: true) }
      perform(inOrder(roster.tick(at: now)))
      answers.expire(at: now)
      for node in connections.keys.sorted() where roster.peers[node]?.presence?.away != false {
        closeIdleConnection(to: node)
      }
    }
    if nextBeat <= now || extraBeats.contains(where: { $0 <= now }) {
      if nextBeat <= now { nextBeat = secondAfter() }
      extraBeats.removeAll { $0 <= now }
      sendHeartbeat()
    }
    if nextScan <= now {
      nextScan = now + Roster.renewal
      look()
    }
    sendDueRequests()
    reschedule()
  }

  /// A real roster has no order; here a fixed one is needed, so that a seed always gives the same run.
  private func inOrder(_ actions: [Roster.Action]) -> [Roster.Action] {
    func node(of action: Roster.Action) -> NodeID? {
      switch action {
      case .sayHello(let node), .disconnect(let node), .restarted(let node), .away(let node), .forgotten(let node),
        .redial(let node), .connect(let node, _):
        node
      case .presenceChanged: nil
      }
    }
    return actions.enumerated().compactMap { index, action in node(of: action).map { ($0, index, action) } }
      .sorted { ($0.0, $0.1) < ($1.0, $1.1) }.map(\.2)
  }

  /// The next whole second of the host's own clock.
  func secondAfter() -> ContinuousClock.Instant {
    let phase = world.plan.isOneMachine ? 0 : place.index * 137_000
    let rest = 1_000_000 - (world.clock + phase) % 1_000_000
    return world.now + .microseconds(rest < 1000 ? rest + 1_000_000 : rest)
  }

  func reschedule() {
    guard !isClosing else { return }
    var first = min(nextRound, nextBeat, nextScan)
    if let due = requests.nextDue { first = min(first, due) }
    for moment in extraBeats { first = min(first, moment) }
    first = max(first, world.now)
    if let alarm, first >= alarm { return }
    alarm = first
    after((first - world.now).microseconds) { runner in
      // An earlier alarm may have been set since, and have fired already.
      guard let alarm = runner.alarm, alarm <= runner.world.now else { return }
      runner.alarm = nil
      runner.tick()
    }
  }

  /// Sends a heartbeat soon after a message.
  func scheduleHeartbeatSoon() {
    let moment = max(world.now + .milliseconds(30), lastBeat + .milliseconds(100))
    guard moment < nextBeat else { return }
    nextBeat = moment
    reschedule()
  }

  func perform(_ actions: [Roster.Action]) {
    for action in actions {
      switch action {
      case .sayHello(let node): sayHello(to: node)
      case .connect(let node, let inbox): connect(to: node, inbox: inbox)
      case .redial(let node): redial(node)
      case .disconnect(let node): disconnect(from: node)
      case .restarted(let node):
        world.trace("\(id) sees that \(node) runs anew")
        heard.outrank(node)
        renewConnection(to: node)
      case .away(let node):
        world.trace("\(id) misses \(node)")
        closeIdleConnection(to: node)
      case .forgotten(let node): forget(node)
      case .presenceChanged: break
      }
    }
  }

  /// Connects again to a node.
  private func redial(_ node: NodeID) {
    reconnect(to: node)
    guard let publisher = subscribers[node] else { return }
    publisher.isOpen = false
    subscribers[node] = Channel(from: place, to: publisher.to, in: world)
  }

  private func connect(to node: NodeID, inbox: String) {
    disconnect(from: node)
    guard let other = world.plan.isOneMachine ? world.place(node) : world.place(at: inbox) else { return }
    subscribers[node] = Channel(from: place, to: other, in: world)
    extraBeats += [world.now + .milliseconds(20), world.now + .milliseconds(150)]
    reschedule()
  }

  private func disconnect(from node: NodeID) { subscribers.removeValue(forKey: node)?.isOpen = false }

  private func forget(_ node: NodeID) {
    closeIdleConnection(to: node)
    disconnect(from: node)
    heard.forget(node)
    fetching[node] = nil
    for follower in followers { follower.forget(node) }
  }

  /// The socket for a node's requests has appeared.
  func appeared(_ node: NodeID) {
    guard isBound, !isClosing else { return }
    reconnect(to: node)
    perform(roster.appeared(node, at: world.now))
  }
}

extension Duration {
  /// Returns whole microseconds, rounded up.
  var microseconds: Int {
    let parts = components
    return Int(parts.seconds) * 1_000_000 + Int((parts.attoseconds + 999_999_999_999) / 1_000_000_000_000)
  }
}

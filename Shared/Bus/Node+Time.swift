import Messages
import Model

/// What a node does as time passes, and what its roster asks of it.
extension Node {
  /// How this node stands now.
  func presence() -> NodePresence {
    NodePresence(
      id: id, pid: currentPID(), epoch: epoch, version: version, startedAt: startedAt, saidAt: .now(),
      journal: journal.map { JournalPosition(journal: $0.identity, epoch: $0.epoch, seq: journalHead) },
      lag: lags.values.reduce(0, +), states: own.versions)
  }

  func tick() {
    guard !isClosed else { return }
    let now = ContinuousClock.now
    if !isGuest {
      if nextBeat <= now {
        nextBeat = now + .seconds(1)
        beat()
        perform(roster.tick(at: now))
        answers.expire(at: now)
      } else if beats.contains(where: { $0 <= now }) {
        beat()
      }
      beats.removeAll { $0 <= now }
      if scanAt <= now {
        scanAt = now + Roster.renewal
        perform(roster.found(nodes(), at: now))
      }
    }
    pursueRequests(at: now)
    reschedule()
  }

  /// Sets the alarm for whatever comes first.
  func reschedule() {
    var moments = beats
    if let due = requests.nextDue { moments.append(due) }
    if !isGuest { moments += [nextBeat, scanAt] }
    guard !isClosed, let first = moments.min() else { return }
    thread.schedule(at: first) { [weak self] in self?.assumeIsolated { $0.tick() } }
  }

  /// Tells all that hear this node how it stands.
  func beat(leaving: Bool = false) {
    guard !voices.isEmpty else { return }
    do {
      let heartbeat = Heartbeat(presence: presence(), leaving: leaving ? true : nil)
      send(signal: try MessageCoding.encode(heartbeat), kind: Heartbeat.kind)
    } catch {
      report(LunaraError(error))
    }
  }

  func perform(_ actions: [Roster.Action]) {
    for action in actions {
      switch action {
      case .sayHello(let node): sayHello(to: node)
      case .connect(let node, let inbox): connect(to: node, inbox: inbox)
      case .disconnect(let node): disconnect(from: node)
      case .presenceChanged: presenceChanged()
      case .restarted(let node): closeLine(to: node)
      }
    }
  }

  private func connect(to node: NodeID, inbox: String) {
    disconnect(from: node)
    // ipc endpoints never leave their host, and this node connects to nothing else yet.
    guard inbox == directory.inbox(of: node), let voice else { return }
    do {
      voices[node] = try voice.connect(inbox)
      // The pipe is up within a millisecond or two; what was said before that is caught up with by versions and heads.
      let now = ContinuousClock.now
      beats += [now + .milliseconds(20), now + .milliseconds(150)]
      reschedule()
    } catch {
      report(LunaraError(error))
    }
  }

  private func disconnect(from node: NodeID) {
    if let endpoint = voices.removeValue(forKey: node) { voice?.disconnect(endpoint) }
  }

  private func sayHello(to node: NodeID) {
    guard NodeLock.isHeld(directory.lock(of: node)) else { return }
    Task {
      do {
        let hello = Hello(presence: presence(), inbox: directory.inbox(of: id), wantsSignals: !taps.isEmpty)
        let answer = try await request(hello, to: node, within: .seconds(1))
        learn(answer)
      } catch {
        // Who does not answer a hello is greeted again in 3 s; its heartbeats decide whether it is away.
      }
    }
  }

  /// Takes in what a peer says of itself, and fetches what it has that is newer.
  func learn(_ presence: NodePresence) {
    guard !isClosed else { return }
    perform(roster.heard(presence, at: .now))
    fetchStates(of: presence)
    tellFollowers(of: presence)
  }

  func readNotices() {
    guard let names = notices?.take() else { return }
    let now = ContinuousClock.now
    for name in names where name.hasSuffix(".desk") {
      guard let node = NodeID(String(name.dropLast(5))), node != id else { continue }
      closeLine(to: node)
      perform(roster.appeared(node, at: now))
    }
  }

  func presenceChanged() {
    for watcher in watchers.values { watcher.yield(self) }
  }

  /// Says hello to everyone again, because what this node wants has changed.
  func renewHellos() {
    for node in roster.peers.keys { sayHello(to: node) }
  }
}

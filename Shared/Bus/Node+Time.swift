import Glibc
import Messages
import Model

/// What a node does as time passes, and what its roster asks of it.
extension Node {
  /// A change is followed by a heartbeat this soon, so that who missed it knows.
  private static let echo = Duration.milliseconds(30)
  private static let betweenBeats = Duration.milliseconds(100)

  /// Calls `body` on the I/O thread once a second, at the end of a round in which all that is due was done: that it is
  /// called proves that the loop goes round. It must return at once.
  public func onRound(_ body: @escaping @Sendable () -> Void) { eachRound = body }

  func tick() {
    guard !isClosed else { return }
    let now = ContinuousClock.now
    if !isGuest {
      if nextRound <= now {
        nextRound = secondAfter(now)
        perform(roster.tick(at: now))
        answers.expire(at: now)
        flow.expire(at: now)
        tellMetrics(at: now)
        for node in Array(lines.keys) where roster.peers[node]?.presence?.away != false { dropIdleLine(to: node) }
        dropIdlePages()
        // Two halves of a household that met elsewhere find each other through a seed as well, if more slowly.
        let isAlone = !roster.peers.values.contains { $0.isRemote && $0.presence?.away == false }
        if isAlone || nextKnock <= now {
          nextKnock = now + .seconds(30)
          refreshEndpoints()
          knockAtSeeds()
        }
        let complaint = seedSilence.complaint(isAnswered: heardOfHousehold, seeds: network.seeds, at: now)
        if let complaint { report(complaint) }
        forgetPassersBy(at: now)
        keepRoster()
        writeKeptStates(at: now)
        eachRound?()
      }
      if nextBeat <= now || extraBeats.contains(where: { $0 <= now }) {
        if nextBeat <= now { nextBeat = secondAfter(now) }
        extraBeats.removeAll { $0 <= now }
        beat()
      }
      if nextScan <= now {
        // Where the kernel tells what appears, reading the directory only makes up for what it may have dropped.
        nextScan = now + (notices == nil ? Roster.renewal : .seconds(30))
        perform(roster.found(directory.liveNodes().filter { $0 != id }, at: now))
      }
      dispatchDue(at: now)
      if !unserved.isEmpty, graceEnds <= now { refuseUnserved() }
    }
    pursueRequests(at: now)
    pursueDoors(at: now)
    reschedule()
  }

  /// The next whole second of the host's own clock, the same for all of its nodes: their heartbeats come together, and
  /// each wakes once for all of them.
  func secondAfter(_ now: ContinuousClock.Instant) -> ContinuousClock.Instant {
    if tuning.isStill { return now + .seconds(86_400) }
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    let rest = 1_000_000_000 - time.tv_nsec
    return now + .nanoseconds(rest < 1_000_000 ? rest + 1_000_000_000 : rest)
  }

  /// Sets the alarm for whatever comes first.
  func reschedule() {
    guard !isClosed else { return }
    var first = requests.nextDue
    func consider(_ moment: ContinuousClock.Instant) { first = first.map { min($0, moment) } ?? moment }
    if !isGuest {
      consider(nextRound)
      consider(nextBeat)
      consider(nextScan)
      if let moment = flow.nextDue { consider(moment) }
      for moment in extraBeats { consider(moment) }
      if !unserved.isEmpty { consider(graceEnds) }
    }
    if let moment = nextDoor { consider(moment) }
    guard let first else { return thread.schedule(at: nil) {} }
    thread.schedule(at: first) { [weak self] in self?.assumeIsolated { $0.tick() } }
  }

  /// Has a heartbeat follow what was just said, as that may be lost on a busy pipe.
  func hurryBeat() {
    let moment = max(.now + Self.echo, lastBeat + Self.betweenBeats)
    guard moment < nextBeat else { return }
    nextBeat = moment
    reschedule()
  }

  func perform(_ actions: [Roster.Action]) {
    for action in actions {
      switch action {
      case .sayHello(let node): sayHello(to: node)
      case .connect(let node, let inbox): connect(to: node, inbox: inbox)
      case .disconnect(let node): disconnect(from: node)
      case .restarted(let node):
        heard.outrank(node)
        renewLine(to: node)
      case .away(let node): dropIdleLine(to: node)
      case .forgotten(let node): forget(node)
      case .redial(let node): redial(node)
      case .presenceChanged: break
      }
    }
    if actions.contains(.presenceChanged) {
      noteElsewhere()
      for watcher in watchers.values { watcher.yield(self) }
    }
  }

  func connect(to node: NodeID, inbox: String) {
    disconnect(from: node)
    guard let voice else { return }
    do {
      if inbox == directory.inbox(of: node) {
        voices[node] = try voice.connect(inbox)
      } else {
        // ipc endpoints never leave their host.
        guard let address = TCPAddress(inbox), mayDial(address), let dialled = numeric(inbox) else { return }
        let socket = try Socket(.voice, bufferSize: tuning.bufferSize)
        remoteVoices[node] = RemoteVoice(socket: socket, endpoint: try socket.connect(dialled), address: inbox)
      }
      meter.connections += 1
      // The pipe is up within a millisecond or two; what was said before that is caught up with by versions and heads.
      let now = ContinuousClock.now
      extraBeats += [now + .milliseconds(20), now + .milliseconds(150)]
      reschedule()
    } catch {
      report(LunaraError(error))
    }
  }

  private func disconnect(from node: NodeID) {
    if let endpoint = voices.removeValue(forKey: node) { voice?.disconnect(endpoint) }
    remoteVoices[node] = nil
  }

  private func forget(_ node: NodeID) {
    dropIdleLine(to: node)
    disconnect(from: node)
    heard.forget(node)
    tally.forget(node)
    (words[node], lags[node], fetching[node], lastLive[node], sessions[node]) = (nil, nil, nil, nil, nil)
    deafness[node] = nil
    sealer?.forget(node)
    for index in subscriptions.indices {
      // Its task ends by itself.
      subscriptions[index].followers[node] = nil
    }
  }

  func readNotices() {
    guard let notices = notices?.take() else { return }
    for notice in notices {
      guard notice.name.hasSuffix(".desk"), let node = NodeID(String(notice.name.dropLast(5))), node != id else {
        continue
      }
      if notice.isArrival {
        closeLine(to: node)
        perform(roster.appeared(node, at: .now))
      } else if !directory.hasDesk(of: node) {
        // One that stops in an orderly way removes its sockets. One that starts does so with stale ones.
        perform(roster.left(node))
      }
    }
  }
}

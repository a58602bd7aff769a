import Glibc
import Messages
import Model

/// What a node says of itself, as the bytes of a heartbeat, and what they follow from.
struct OwnWord {
  var head: Int64
  var lag: Int64
  var stateVersion: Int64
  var bytes: [UInt8]
}

/// What a peer said of itself last.
struct PeerWord {
  var bytes: [UInt8]
  var presence: NodePresence
}

/// Hellos and heartbeats.
extension Node {
  /// How this node stands now.
  public func presence() -> NodePresence {
    NodePresence(
      id: id, pid: getpid(), epoch: epoch, version: version, startedAt: startedAt, saidAt: .now(),
      journal: journal.map { JournalPosition(journal: $0.identity, epoch: $0.epoch, seq: journalHead) },
      lag: lag, states: own.versions, identity: isGuest ? nil : claim.identity, term: claim.term, endpoints: endpoints,
      retired: network.formerName != nil, isUnderTest: tuning.isUnderTest, problem: problem)
  }

  private var lag: Int64 { lags.values.reduce(0) { $1.values.reduce($0, &+) } }

  private func word() throws -> [UInt8] {
    let lag = lag
    if let word = ownWord, word.head == journalHead, word.lag == lag, word.stateVersion == own.lastVersion {
      return word.bytes
    }
    let bytes = try MessageCoding.encode(Heartbeat(presence: presence().timeless))
    ownWord = OwnWord(head: journalHead, lag: lag, stateVersion: own.lastVersion, bytes: bytes)
    return bytes
  }

  /// Tells all that hear this node how it stands; false where nobody does.
  @discardableResult
  func beat(leaving: Bool = false) -> Bool {
    lastBeat = .now
    guard isHeard else { return false }
    do {
      let payload =
        leaving
        ? try MessageCoding.encode(Heartbeat(presence: presence().timeless, leaving: true)) : try word()
      send(signal: payload, kind: Heartbeat.kind)
    } catch {
      report(LunaraError(error))
    }
    return true
  }

  /// Says hello to a node, unless a hello is on its way. To one on another machine it knocks first, where the start of
  /// that node is not known.
  func sayHello(to node: NodeID) {
    guard !isClosed, !node.isReplay || takesReplays, greeting[node] == nil, let route = route(to: node) else { return }
    // Until it is sure of its name it only asks.
    if standing == .unsettled, heardOfHousehold { return }
    if case .remote(let desk) = route, sealer != nil && sessions[node] == nil || standing == .unsettled {
      return knock(at: desk)
    }
    guard standing != .unsettled else { return inquire(of: node) }
    do {
      let patience = Duration.seconds(1)
      let inbox = route == .local ? directory.inbox(of: id) : endpoints?.inbox
      let hello = Hello(
        presence: presence().timeless, inbox: isGuest ? nil : inbox, wantsSignals: wantsSignals,
        hearsNothing: roster.isSilent(node, at: .now), cursors: cursors(in: node))
      let question = question(Hello.kind, try MessageCoding.encode(hello), id: .random(), within: patience)
      let number = try add(question, isCommand: false, to: node, within: patience)
      greeting[node] = number
      let nonce = sessions[node]?.nonce
      waiting[number] = { [weak self] result in
        self?.assumeIsolated { $0.answered(hello: number, by: node, runningAs: nonce, result) }
      }
      pursueRequests(at: .now)
      reschedule()
    } catch {
      report(LunaraError(error))
    }
  }

  private func answered(
    hello number: UInt32, by node: NodeID, runningAs nonce: StartNonce?, _ result: Result<Envelope, LunaraError>
  ) {
    if greeting[node] == number { greeting[node] = nil }
    defer { if greetAgain.remove(node) != nil { sayHello(to: node) } }
    // A line costs a socket; hellos are rare, and who is asked nothing else is dialled for each.
    if lines[node]?.isNeeded == false { dropIdleLine(to: node) }
    // Who does not answer a hello is greeted again soon; its heartbeats decide whether it is away. It may run anew, so
    // that it cannot open what is sealed for its former self.
    let isSameRun = sessions[node]?.nonce == nonce
    guard case .success(let envelope) = result, envelope.node == node else {
      if isSameRun { sessions[node] = nil }
      return
    }
    guard envelope.kind == "answer" else { return refused(envelope) }
    if isSameRun {
      sessions[node]?.isGreeted = true
      sessions[node]?.seenAt = .now
    }
    let isLocal = isThere(node)
    guard isLocal || roster.peers[node]?.isRemote == true else { return }
    heard(heartbeat: envelope, isLocal: isLocal)
    pursueRequests(at: .now)
  }

  /// A peer does not want to hear of this node.
  private func refused(_ envelope: Envelope) {
    do {
      let error = try MessageCoding.decode(LunaraError.self, from: envelope.payload)
      if error.code == "bus.nameTaken" { refused(by: envelope.node) }
      if lastRefusal.map({ $0 + .seconds(60) < .now }) ?? true, standing != .unsettled {
        lastRefusal = .now
        report(error)
      }
    } catch {
      noteBadFrame(error)
    }
  }

  /// Says hello to everyone again, because what this node wants has changed.
  func renewHellos() {
    for node in roster.peers.keys {
      if greeting[node] == nil { sayHello(to: node) } else { greetAgain.insert(node) }
    }
  }

  /// Whether a node is there: what it said may be read only after it stopped, and that it did is told apart.
  private func isThere(_ node: NodeID) -> Bool { directory.hasDesk(of: node) }

  /// Answers a hello: who says it hears this node from now on.
  func greet(_ open: OpenRequest) {
    let envelope = open.envelope
    do {
      var hello = try MessageCoding.decode(Hello.self, from: envelope.payload)
      guard hello.presence.id == envelope.node else { throw Envelope.bad("a hello in another's name") }
      guard open.isRemote || hello.inbox == nil || isThere(envelope.node) else { return }
      if let error = refusal(of: hello.presence) ?? refusal(of: hello, isRemote: open.isRemote) {
        reply(to: open, with: .failure(error))
        return
      }
      // One that was held up on its way is of a run that is over, and must not put an end to the present one.
      guard !roster.knowsLaterRun(than: hello.presence) else { return }
      if let asker = open.asker { admit(asker, epoch: envelope.epoch) }
      hello.presence = hello.presence.said(at: envelope.time)
      perform(roster.greeted(by: hello, at: .now, isLocal: !open.isRemote))
      let entries = roster.entries
      let word =
        entries.isEmpty
        ? try word() : try MessageCoding.encode(Heartbeat(presence: presence().timeless, roster: entries))
      reply(to: open, with: .success(word))
      noted(hello.cursors ?? [], of: hello.presence.id)
      lookAfter(hello.presence)
    } catch {
      noteBadFrame(error)
    }
  }

  /// After how many hellos in vain an address is said to be out of reach.
  private static let deafHellos = 4

  /// Why a hello is not taken in; nil where it is.
  private func refusal(of hello: Hello, isRemote: Bool) -> LunaraError? {
    let node = hello.presence.id
    if node == id {
      if let endpoints = hello.presence.endpoints {
        heardOfOwnName(RosterEntry(id: id, claim: hello.presence.claim, endpoints: endpoints, away: false))
      }
      return Self.nameTaken(
        id, by: endpoints.map { RosterEntry(id: id, claim: claim, endpoints: $0, away: false) })
    }
    if roster.holder(against: hello.presence, isLocal: !isRemote) != nil {
      return Self.nameTaken(node, by: roster.entries.first { $0.id == node })
    }
    guard isRemote, let inbox = hello.inbox else { return nil }
    guard let address = TCPAddress(inbox), mayDial(address) else { return Self.unreachable(inbox) }
    let isDeaf =
      remoteVoices[node].map { $0.address == inbox && !$0.socket.isConnected } ?? isUnknown(inbox)
    guard hello.hearsNothing, isDeaf else {
      deafness[node] = nil
      return nil
    }
    // It was dialled at its last hello, which is a second ago, and there is no connection yet.
    deafness[node, default: 0] += 1
    return (deafness[node] ?? 0) <= Self.deafHellos ? nil : Self.unreachable(inbox)
  }

  /// Takes in what a peer says of itself.
  func heard(heartbeat envelope: Envelope, isLocal: Bool = true) {
    do {
      let presence: NodePresence
      if let known = words[envelope.node], known.bytes == envelope.payload {
        presence = known.presence.said(at: envelope.time)
      } else {
        let heartbeat = try MessageCoding.decode(Heartbeat.self, from: envelope.payload)
        if let entries = heartbeat.roster {
          heardOfHousehold = true
          learn(of: entries)
        }
        if !isLocal { heardOfHousehold = true }
        guard heartbeat.presence.id == envelope.node else { throw Envelope.bad("a heartbeat in another's name") }
        // Who runs on this machine has a desk here. A word in the name of nobody would stay in the roster for ever.
        guard !isLocal || roster.peers[envelope.node] != nil || isThere(envelope.node) else { return }
        presence = heartbeat.presence.said(at: envelope.time)
        if heartbeat.leaving == true { return perform(roster.heard(goodbyeOf: presence)) }
        words[envelope.node] = PeerWord(bytes: envelope.payload, presence: heartbeat.presence)
      }
      perform(roster.heard(presence, at: .now, isHeartbeat: envelope.kind == Heartbeat.kind, isLocal: isLocal))
      lookAfter(presence)
    } catch {
      noteBadFrame(error)
    }
  }

  /// Fetches what a peer has that is newer, unless it was a former run that spoke.
  private func lookAfter(_ presence: NodePresence) {
    guard !isClosed, roster.believes(presence) else { return }
    fetchStates(of: presence.id)
    tellFollowers(of: presence)
  }
}

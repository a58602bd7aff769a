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
  func presence() -> NodePresence {
    NodePresence(
      id: id, pid: getpid(), epoch: epoch, version: version, startedAt: startedAt, saidAt: .now(),
      journal: journal.map { JournalPosition(journal: $0.identity, epoch: $0.epoch, seq: journalHead) },
      lag: lag, states: own.versions, isUnderTest: tuning.isUnderTest)
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
    guard !voices.isEmpty else { return false }
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

  /// Says hello to a node, unless a hello is on its way.
  func sayHello(to node: NodeID) {
    guard !isClosed, !node.isReplay || takesReplays, greeting[node] == nil, NodeLock.isHeld(directory.lock(of: node))
    else { return }
    do {
      let patience = Duration.seconds(1)
      let hello = Hello(
        presence: presence().timeless, inbox: directory.inbox(of: id), wantsSignals: wantsSignals,
        hearsNothing: roster.isSilent(node, at: .now), cursors: cursors(in: node))
      let question = question(Hello.kind, try MessageCoding.encode(hello), id: .random(), within: patience)
      let number = try add(question, isCommand: false, to: node, within: patience)
      greeting[node] = number
      waiting[number] = { [weak self] result in
        self?.assumeIsolated { $0.answered(hello: number, by: node, result) }
      }
      pursueRequests(at: .now)
      reschedule()
    } catch {
      report(LunaraError(error))
    }
  }

  private func answered(hello number: UInt32, by node: NodeID, _ result: Result<Envelope, LunaraError>) {
    if greeting[node] == number { greeting[node] = nil }
    defer { if greetAgain.remove(node) != nil { sayHello(to: node) } }
    // A line costs a socket; hellos are rare, and who is asked nothing else is dialled for each.
    if lines[node]?.isNeeded == false { dropIdleLine(to: node) }
    // Who does not answer a hello is greeted again in 3 s; its heartbeats decide whether it is away.
    guard case .success(let envelope) = result, envelope.kind == "answer", envelope.node == node, isThere(node) else {
      return
    }
    heard(heartbeat: envelope)
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
      if let refusal = refusal(of: hello.presence) {
        reply(to: open, with: .failure(refusal))
        return
      }
      guard isThere(envelope.node) else { return }
      hello.presence = hello.presence.said(at: envelope.time)
      perform(roster.greeted(by: hello, at: .now))
      reply(to: open, with: .success(try word()))
      noted(hello.cursors ?? [], of: hello.presence.id)
      lookAfter(hello.presence)
    } catch {
      noteBadFrame(error)
    }
  }

  /// Takes in what a peer says of itself.
  func heard(heartbeat envelope: Envelope) {
    do {
      let presence: NodePresence
      if let known = words[envelope.node], known.bytes == envelope.payload {
        presence = known.presence.said(at: envelope.time)
      } else {
        let heartbeat = try MessageCoding.decode(Heartbeat.self, from: envelope.payload)
        guard heartbeat.presence.id == envelope.node else { throw Envelope.bad("a heartbeat in another's name") }
        presence = heartbeat.presence.said(at: envelope.time)
        if heartbeat.leaving == true { return perform(roster.heard(goodbyeOf: presence)) }
        words[envelope.node] = PeerWord(bytes: envelope.payload, presence: heartbeat.presence)
      }
      perform(roster.heard(presence, at: .now, isHeartbeat: envelope.kind == Heartbeat.kind))
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

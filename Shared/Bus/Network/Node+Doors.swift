import Messages
import Model

/// A knock at a desk whose node is not known yet, or whose start is not.
struct Door {
  let socket: Socket
  let descriptor: Int32
  let number: UInt32
  let id: String
  let frame: [UInt8]
  /// When the knock is tried again; nil once a socket took it.
  var sendAt: ContinuousClock.Instant?
  var pause = Duration.milliseconds(1)
  let endsAt: ContinuousClock.Instant
}

/// How sealed frames reach a peer.
struct Session {
  /// What the peer drew at its start: what is sealed for it opens nowhere else, nor after its restart.
  var nonce: StartNonce
  /// Whether it answered a hello, so that it believes what is asked.
  var isGreeted = false
  /// When it said or answered hello last.
  var seenAt = ContinuousClock.now
}

/// Finding out who is at an address.
extension Node {
  /// How long one knock is waited for.
  private static let patience = Duration.milliseconds(900)

  /// Knocks at a desk, unless a knock is under way.
  func knock(at address: String) {
    guard !isClosed, doors[address] == nil, let target = TCPAddress(address), mayDial(target),
      let dialled = numeric(address)
    else { return }
    do {
      let question = question(Knock.kind, Array("{}".utf8), id: .random(), within: Self.patience)
      let plain = Frame(topic: "bus.knock.", body: question.encoded())
      let frame = try sealer?.seal(plain, as: .question, to: nil) ?? plain.encoded()
      let socket = try Socket(.line, bufferSize: 1 << 16)
      _ = try socket.connect(dialled)
      let descriptor = try socket.descriptor()
      let now = ContinuousClock.now
      doors[address] = Door(
        socket: socket, descriptor: descriptor, number: .random(in: 0...UInt32.max) | 0x8000_0000, id: question.id,
        frame: frame, sendAt: now, endsAt: now + Self.patience)
      watch(descriptor) { $0.readDoor(address) }
      pursueDoors(at: now)
      reschedule()
    } catch {
      report(LunaraError(error))
    }
  }

  /// Knocks at the desks that machines that are seeds may have: the first ones each time, the others in turns.
  func knockAtSeeds() {
    let seeds = seeds
    guard !seeds.isEmpty else { return }
    seedRound += 1
    for base in seeds.compactMap({ TCPAddress($0) }).flatMap(numeric) {
      for pair in [0, 1, 2 + seedRound % 30] {
        if let desk = base.port(plus: 2 * pair + 1), desk.description != endpoints?.requests { knock(at: desk.description) }
      }
    }
  }

  /// Sends what no socket took yet, and closes doors that nobody opens.
  func pursueDoors(at now: ContinuousClock.Instant) {
    for (address, door) in doors {
      if door.endsAt <= now {
        if door.sendAt == nil { seedSilence.unanswered(at: address) }
        closeDoor(address)
      } else if let sendAt = door.sendAt, sendAt <= now {
        let taken = door.socket.send(door.frame, header: door.number.bytes)
        doors[address]?.sendAt = taken ? nil : now + door.pause
        doors[address]?.pause = min(door.pause * 2, .milliseconds(50))
      }
    }
  }

  /// When something has to be done about a door.
  var nextDoor: ContinuousClock.Instant? { doors.values.map { min($0.endsAt, $0.sendAt ?? $0.endsAt) }.min() }

  private func closeDoor(_ address: String) {
    if let door = doors.removeValue(forKey: address) { ignore(door.descriptor) }
  }

  private func readDoor(_ address: String) {
    guard let door = doors[address] else { return }
    var answer: (Envelope, Opened?)?
    let got: ()? = door.socket.receiveHeaded { body, header in
      guard UInt32(bytes: header) == door.number else { return }
      do {
        let (frame, opened) = try opened(body, on: .connection, answering: door.id)
        let envelope = try Envelope(decoding: frame.body)
        guard envelope.id == door.id, opened.map({ $0.sender.node == envelope.node }) ?? true else { return }
        answer = (envelope, opened)
      } catch {
        noteBadFrame(error)
      }
    }
    guard got != nil, let (envelope, opened) = answer else { return }
    closeDoor(address)
    do {
      guard envelope.kind == "answer" else {
        return report(try MessageCoding.decode(LunaraError.self, from: envelope.payload))
      }
      let answer = try MessageCoding.decode(Knock.Answer.self, from: envelope.payload)
      guard answer.presence.id == envelope.node else { throw Envelope.bad("an answer in another's name") }
      self.opened(by: answer, as: opened)
    } catch {
      noteBadFrame(error)
    }
  }

  /// Tells who knocks who is here.
  func opensDoor() -> Knock.Answer { Knock.Answer(presence: presence(), roster: roster.entries) }

  /// Whom this node knows, itself included.
  func wholeRoster() -> [RosterEntry] {
    roster.entries + (endpoints.map { [RosterEntry(id: id, claim: claim, endpoints: $0, away: false)] } ?? [])
  }

  /// Somebody opened.
  private func opened(by answer: Knock.Answer, as opened: Opened?) {
    heardOfHousehold = true
    let node = answer.presence.id
    if node == id {
      // Its own desk under another address, or a rival for its name.
      let entry = answer.presence.endpoints.map {
        RosterEntry(id: id, claim: answer.presence.claim, endpoints: $0, away: false)
      }
      return learn(of: answer.roster + (entry.map { [$0] } ?? []))
    }
    guard roster.holder(against: answer.presence, isLocal: false) == nil, !roster.knowsLaterRun(than: answer.presence)
    else { return learn(of: answer.roster) }
    if let opened { admit(opened.sender, epoch: opened.epoch) }
    if let endpoints = answer.presence.endpoints {
      learn(
        of: answer.roster + [RosterEntry(id: node, claim: answer.presence.claim, endpoints: endpoints, away: false)])
    } else {
      learn(of: answer.roster)
    }
    sayHello(to: node)
  }
}

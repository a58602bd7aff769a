import Model
import TestSupport
import Testing

@testable import Bus

/// Two machines, one of which has a household, and what an attacker learns from them.
@Suite struct PairingTests {
  private let fixture = PairingFixture()

  @Test func whoHasTheCodeGetsTheKeysAndTheAddresses() throws {
    var host = fixture.host()
    var joiner = try fixture.joiner()
    let heard = try fixture.talk(&joiner, &host)
    let household = try #require(heard.household)
    #expect(household.keys.entries.map(\.key.secretText) == fixture.keys.entries.map(\.key.secretText))
    #expect(household.seeds == ["192.168.1.10", "[fd00::7]:7800"] && household.name == "attic")
    #expect(household.time == fixture.clock && household.version == "1.2.3")
    #expect(heard.actions.contains(.joined(fixture.machine)) && host.isDone && joiner.isOver)
  }

  @Test func aMachineIsToldFirstWhereItHasReachedTheHousehold() throws {
    var host = fixture.host(machines: 2)
    for (seed, told) in [
      ("10.0.0.1", ["10.0.0.1", "192.168.1.10", "[fd00::7]:7800"]),
      ("[fd00::7]:7800", ["[fd00::7]:7800", "192.168.1.10"]),
    ] {
      var joiner = try fixture.joiner()
      #expect(try fixture.talk(&joiner, &host, seed: seed).household?.seeds == told)
    }
  }

  @Test func silentConnectionsAreClosedFirstAndProvenOnesNever() throws {
    var host = fixture.host()
    for talk in 0..<4 { host.open(talk) }
    func answer(_ talk: Int) throws -> (PairingJoiner, [UInt8]) {
      var joiner = try fixture.joiner()
      guard case .send(let answer)? = try host.receive(joiner.offer, of: talk, at: .now, clock: fixture.clock).first,
        case .send(let proof)? = try joiner.receive(answer).first
      else { throw PairingJoiner.cut() }
      return (joiner, proof)
    }
    let (_, proof) = try answer(0)
    _ = try answer(1)
    _ = try host.receive(proof, of: 0, at: .now, clock: fixture.clock)
    #expect(host.leastWanted(of: 0..<4) == 2 && host.leastWanted(of: [3, 1]) == 3)
    #expect(host.leastWanted(of: 0..<2) == 1 && host.leastWanted(of: [0]) == nil)
  }

  @Test func noSecretIsSentInTheClear() throws {
    var host = fixture.host()
    var joiner = try fixture.joiner()
    let heard = try fixture.talk(&joiner, &host)
    let said = String(decoding: heard.wire, as: UTF8.self)
    for secret in ["192.168.1.10", "lunara-key-1", "attic", "kitchen", fixture.keys.entries[0].key.secretText] {
      #expect(!said.contains(secret))
    }
  }

  @Test func fiveWrongCodesMakeItVoidForEverybody() throws {
    var host = fixture.host()
    for left in (0..<5).reversed() {
      var joiner = try fixture.joiner(code: "0000-0000")
      let heard = try fixture.talk(&joiner, &host)
      #expect(heard.household == nil && heard.actions.contains(.guessed(left)))
      #expect(heard.failure == (left == 0 ? "bus.pairOver" : "bus.pairWrongCode"))
    }
    #expect(host.isVoid)
    var joiner = try fixture.joiner()
    #expect(try fixture.talk(&joiner, &host).failure == "bus.pairOver")
  }

  @Test func guessesAtTheSameTimeCountEach() throws {
    var host = fixture.host()
    var joiners = try (0..<20).map { _ in try fixture.joiner(code: "0000-0000") }
    var proofs: [[UInt8]] = []
    for index in joiners.indices {
      host.open(index)
      let answer = try host.receive(joiners[index].offer, of: index, at: .now, clock: fixture.clock)
      guard case .send(let bytes)? = answer.first else { return #expect(Bool(false), "no answer") }
      guard case .send(let proof)? = try joiners[index].receive(bytes).first else {
        return #expect(Bool(false), "no proof")
      }
      proofs.append(proof)
    }
    let actions = try joiners.indices.flatMap { try host.receive(proofs[$0], of: $0, at: .now, clock: fixture.clock) }
    #expect(actions.filter { if case .guessed = $0 { true } else { false } }.count == PairingHost.tries)
    #expect(host.isVoid)
  }

  @Test func anExpiredCodeIsRefused() throws {
    var host = fixture.host(ends: .now - .seconds(1))
    var joiner = try fixture.joiner()
    let heard = try fixture.talk(&joiner, &host)
    #expect(heard.failure == "bus.pairOver" && heard.household == nil)
  }

  @Test func aCodeThatExpiresDuringTheExchangeIsRefused() throws {
    let ends = ContinuousClock.now + .seconds(600)
    var host = fixture.host(ends: ends)
    var joiner = try fixture.joiner()
    host.open(0)
    guard case .send(let answer)? = try host.receive(joiner.offer, of: 0, at: .now, clock: fixture.clock).first,
      case .send(let proof)? = try joiner.receive(answer).first,
      case .send(let refusal)? = try host.receive(proof, of: 0, at: ends, clock: fixture.clock).first
    else { return #expect(Bool(false), "the talk is another") }
    #expect(code { _ = try joiner.receive(refusal) } == "bus.pairOver")
  }

  @Test func oneCodeLetsInAsManyAsItIsFor() throws {
    var host = fixture.host(machines: 2)
    for _ in 0..<2 {
      var joiner = try fixture.joiner()
      #expect(try fixture.talk(&joiner, &host).household != nil)
    }
    var third = try fixture.joiner()
    #expect(try fixture.talk(&third, &host).failure == "bus.pairOver")
  }

  @Test func whoIsToldAndGoesAwayMayTryAgain() throws {
    var host = fixture.host()
    var joiner = try fixture.joiner()
    #expect(try fixture.talk(&joiner, &host, keeps: false).household != nil)
    // Until the first machine confirms that it has stored the key, no other may join.
    var second = try fixture.joiner()
    #expect(try fixture.talk(&second, &host, as: 1).failure == "bus.pairOver")
    #expect(host.close(0) == [.lost(fixture.machine)] && !host.isDone)
    var again = try fixture.joiner()
    #expect(try fixture.talk(&again, &host, as: 2).household != nil && host.isDone)
  }

  @Test(arguments: [Int64.min, -1, Int64.max]) func aTimeThatNoClockShowsEndsTheExchange(time: Int64) throws {
    var fixture = fixture
    fixture.clock = Timestamp(microseconds: time)
    var (host, joiner) = (fixture.host(), try fixture.joiner())
    let heard = try fixture.talk(&joiner, &host)
    #expect(heard.household == nil && heard.failure == "bus.pairBroken")
  }

  @Test func aMachineOfAnotherHouseholdIsKeptOutUnlessItGivesThatUp() throws {
    let other = try HouseholdKey.random().id
    let machine = PairingMachine(name: "kitchen", version: "1", keys: [other])
    var host = fixture.host()
    var joiner = try fixture.joiner(machine: machine)
    let heard = try fixture.talk(&joiner, &host)
    #expect(heard.failure == "bus.pairOtherKey" && heard.household == nil)
    #expect(heard.actions.contains(.keptOut(machine)) && !host.isDone && !host.isVoid)
    var giver = try fixture.joiner(machine: PairingMachine(name: "kitchen", version: "1", keys: [other], gives: true))
    #expect(try fixture.talk(&giver, &host).household != nil)
    var member = fixture.host()
    var same = try fixture.joiner(
      machine: PairingMachine(name: "kitchen", version: "1", keys: [other, fixture.keys.entries[0].key.id]))
    #expect(try fixture.talk(&same, &member).household != nil)
  }

  @Test func aHouseholdThatDoesNotKnowTheCodeIsNotBelieved() throws {
    // The impostor plays the whole exchange with another code: it cannot use the joiner's proof, and its own is
    // refused.
    var impostor = fixture.host(code: "1111-1111")
    var joiner = try fixture.joiner()
    let heard = try fixture.talk(&joiner, &impostor)
    #expect(heard.household == nil && heard.failure == "bus.pairWrongCode")
    let forged = PairingWire.message(.household, [UInt8](repeating: 7, count: 200))
    var second = try fixture.joiner()
    var third = fixture.host()
    third.open(0)
    guard case .send(let answer)? = try third.receive(second.offer, of: 0, at: .now, clock: fixture.clock).first else {
      return #expect(Bool(false), "no answer")
    }
    _ = try second.receive(answer)
    #expect(code { _ = try second.receive(forged) } == "bus.pairBroken")
  }

  @Test func replayedMessagesAreRefused() throws {
    var host = fixture.host(machines: 8)
    var joiner = try fixture.joiner()
    let heard = try fixture.talk(&joiner, &host)
    // Replayed to the household: it answers with another share, so that the proof is wrong.
    host.open(9)
    _ = try host.receive(heard.said[0], of: 9, at: .now, clock: fixture.clock)
    let replayed = try host.receive(heard.said[1], of: 9, at: .now, clock: fixture.clock)
    #expect(replayed.contains(.guessed(4)) && !host.isDone)
    // Replayed to a joiner with the same code: its share is another, so that the sealed message does not open.
    var another = try fixture.joiner()
    _ = try another.receive(heard.answered[0])
    #expect(code { _ = try another.receive(heard.answered[1]) } == "bus.pairBroken")
  }

  @Test func anotherVersionIsToldSo() throws {
    var offer = try fixture.joiner().offer
    offer[3 + PairingWire.magic.count] = 2
    var host = fixture.host()
    host.open(0)
    guard case .send(let refusal)? = try host.receive(offer, of: 0, at: .now, clock: fixture.clock).first else {
      return #expect(Bool(false), "no refusal")
    }
    var joiner = try fixture.joiner()
    #expect(code { _ = try joiner.receive(refusal) } == "bus.pairVersion")
  }

  @Test func messagesMayArriveByteByByte() throws {
    var host = fixture.host()
    var joiner = try fixture.joiner()
    #expect(try fixture.talk(&joiner, &host, byteByByte: true).household != nil && host.isDone)
  }

  @Test func changedMessagesNeverGetAKeyOut() throws {
    var random = Seeded(39)
    for round in 0..<400 {
      var host = fixture.host(machines: 1000)
      var joiner = try fixture.joiner()
      let heard = try fixture.talk(&joiner, &host) { message, index in
        // Changes one message in turn: the joiner's first two, or the household's first two.
        guard index == round % 4 else { return message }
        return Self.changed(message, &random)
      }
      // No changed message lets the joiner get the household's keys; every bit of a message belongs to the protocol.
      #expect(heard.household == nil, "round \(round)")
    }
  }

  @Test func randomBytesRevealNothing() throws {
    var random = Seeded(7)
    var host = fixture.host(machines: 1000)
    for talk in 0..<300 {
      host.open(talk)
      var bytes = (0..<Int.random(in: 1...200, using: &random)).map { _ in
        UInt8.random(in: .min ... .max, using: &random)
      }
      if talk.isMultiple(of: 2) {
        bytes = PairingWire.message(PairingWire.Kind(rawValue: UInt8(talk % 6)) ?? .refusal, bytes)
      }
      for action in try host.receive(bytes, of: talk, at: .now, clock: fixture.clock) {
        if case .send(let answer) = action { #expect(answer.count < 64) }
      }
      var joiner = try fixture.joiner()
      do {
        for action in try joiner.receive(bytes) { if case .join = action { #expect(Bool(false), "joined by chance") } }
      } catch { #expect(LunaraError(error).code.hasPrefix("bus.pair")) }
    }
  }

  private static func changed(_ message: [UInt8], _ random: inout Seeded) -> [UInt8] {
    var message = message
    // Only bytes behind the length are changed. A message with a changed length would only be waited for.
    let place = Int.random(in: 2..<message.count, using: &random)
    message[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
    return message
  }
}

import Model
import Testing

@testable import Bus

/// The guarantees of a seal.
@Suite struct SealerTests {
  @Test func whatWasSealedOpensOnceWithItsSender() throws {
    var pair = try SealedPair()
    let bytes = try pair.sender.seal(SealedPair.frame, as: .state, to: pair.reader.own)
    #expect(bytes.withUnsafeBytes { SealedHeader(reading: $0) } != nil)
    #expect(try SealedPair.frame.encoded().withUnsafeBytes { SealedHeader(reading: $0) } == nil)
    let opened = try pair.reader.opened(bytes)
    #expect(opened.frame == SealedPair.frame)
    #expect(opened.sender == pair.sender.own && opened.epoch == 7)
    #expect(opened.isBound && opened.isAdmitted)
    #expect(pair.refusal(bytes) == .seen)
    #expect { _ = try pair.reader.opened(bytes) } throws: {
      ($0 as? LunaraError)?.code == "bus.cannotOpen" && ($0 as? LunaraError)?.cause == Sealer.Refusal.seen.rawValue
    }
  }

  @Test func theBodyCannotBeSeenInTheFrame() throws {
    var pair = try SealedPair()
    let frame = Frame(topic: "a.", body: Array("nobody else's business".utf8))
    let bytes = try pair.sender.seal(frame, as: .signal, to: pair.reader.own)
    #expect(!String(decoding: bytes, as: UTF8.self).contains("business"))
    #expect(bytes != (try pair.sender.seal(frame, as: .signal, to: pair.reader.own)))
  }

  @Test func anEmptyBodyIsSealedAsWell() throws {
    var pair = try SealedPair()
    let bytes = try pair.sender.seal(Frame(topic: "a.", body: []), as: .fact, to: pair.reader.own)
    #expect(try pair.reader.opened(bytes).frame.body.isEmpty)
  }

  @Test func noByteOfAFrameCanBeChanged() throws {
    var pair = try SealedPair()
    let bytes = try pair.sender.seal(SealedPair.frame, as: .state, to: pair.reader.own)
    for index in bytes.indices {
      for bit in 0..<8 {
        var changed = bytes
        changed[index] ^= 1 << bit
        for channel in [SealedChannel.inbox, .requestSocket, .connection] {
          #expect(pair.refusal(changed, on: channel, answering: "x") != nil, "byte \(index), bit \(bit)")
        }
      }
      #expect(pair.refusal(Array(bytes[..<index])) != nil)
    }
    #expect(pair.refusal(bytes + [0]) != nil)
    #expect(pair.refusal(bytes) == nil, "what failed to open has moved the window")
  }

  @Test func noByteOfAHelloCanBeChanged() throws {
    var pair = try SealedPair()
    var stranger = Sealer(ring: pair.ring, node: SealedPair.bedroom, epoch: 1, nonce: .random())
    for peer in [pair.reader.own, nil] {
      let bytes = try stranger.seal(SealedPair.hello, as: .question, to: peer)
      for index in bytes.indices {
        var changed = bytes
        changed[index] ^= 0x80
        #expect(pair.refusal(changed, on: .requestSocket) != nil, "byte \(index)")
      }
      #expect(pair.refusal(bytes, on: .requestSocket) == nil)
    }
  }

  @Test func withoutTheKeyNothingOpens() throws {
    var pair = try SealedPair()
    let others = KeyFiles()
    var stranger = Sealer(
      ring: try others.ring(KeyFiles.second), node: SealedPair.kitchen, epoch: 7, nonce: pair.sender.own.nonce)
    let bytes = try stranger.seal(SealedPair.frame, as: .state, to: pair.reader.own)
    #expect(pair.refusal(bytes) == .wrongKey)
    // The id of the right key does not help.
    var forged = bytes
    let start = SealedPair.frame.topic.utf8.count + 2
    for (index, byte) in (0..<8).map({ UInt8(truncatingIfNeeded: pair.ring.first.id.number >> (56 - 8 * $0)) })
      .enumerated()
    {
      forged[start + index] = byte
    }
    #expect(pair.refusal(forged) == .broken)
    #expect(pair.refusal(try SealedPair.frame.encoded()) == .noFrame)
  }

  @Test func aFrameOpensOnlyForTheRunItWasSealedFor() throws {
    var pair = try SealedPair()
    let bytes = try pair.sender.seal(SealedPair.frame, as: .fact, to: pair.reader.own)
    var bedroom = Sealer(ring: pair.ring, node: SealedPair.bedroom, epoch: 3, nonce: .random())
    bedroom.admit(pair.sender.own, epoch: 7)
    #expect(bedroom.refusal(bytes) == .broken)
    var sameNonce = Sealer(ring: pair.ring, node: SealedPair.bedroom, epoch: 3, nonce: pair.reader.own.nonce)
    sameNonce.admit(pair.sender.own, epoch: 7)
    #expect(sameNonce.refusal(bytes) == .broken)
    var restarted = Sealer(ring: pair.ring, node: .library, epoch: 4, nonce: .random())
    restarted.admit(pair.sender.own, epoch: 7)
    #expect(restarted.refusal(bytes) == .broken)
    #expect(pair.refusal(bytes) == nil)
  }

  @Test func aFrameOpensOnlyAsTheClassItWasSealedFor() throws {
    var pair = try SealedPair()
    let classes: [SealedClass] = [.fact, .state, .signal, .question, .answer]
    for sealedClass in classes {
      let bytes = try pair.sender.seal(SealedPair.frame, as: sealedClass, to: pair.reader.own, answering: nil)
      for channel in [SealedChannel.inbox, .requestSocket, .connection] where channel != sealedClass.channel {
        #expect(pair.refusal(bytes, on: channel) == .wrongChannel)
      }
      #expect(pair.refusal(bytes, on: sealedClass.channel) == nil)
    }
  }

  @Test func anAnswerOpensForItsQuestionOnlyAndNeedsNoHello() throws {
    var pair = try SealedPair()
    var responder = Sealer(ring: pair.ring, node: SealedPair.bedroom, epoch: 9, nonce: .random())
    let bytes = try responder.seal(SealedPair.frame, as: .answer, to: pair.reader.own, answering: "q1")
    #expect(pair.refusal(bytes, on: .connection, answering: "q2") == .broken)
    #expect(pair.refusal(bytes, on: .connection, answering: "") == .broken)
    #expect(pair.refusal(bytes, on: .connection) == .broken)
    let opened = try pair.reader.opened(bytes, on: .connection, answering: "q1")
    #expect(opened.sender == responder.own && !opened.isAdmitted && opened.isBound)
    // The request is open once; until it is closed the answer may arrive again.
    #expect(pair.refusal(bytes, on: .connection, answering: "q1") == nil)
    let unbound = try responder.seal(SealedPair.frame, as: .answer, to: nil, answering: "q1")
    #expect(pair.refusal(unbound, on: .connection, answering: "q1") == .wrongChannel)
  }

  @Test func bytesCannotBeShiftedBetweenFields() throws {
    let (ring, nonce) = (try KeyFiles().ring(KeyFiles.first), StartNonce.random())
    var sealer = Sealer(ring: ring, node: SealedPair.kitchen, epoch: 1, nonce: .random())
    var seen: Set<[UInt8]> = []
    var count = 0
    for topic in ["a.", "a.b.", "a.b"] {
      for name in ["p@a", "p@ab", "pa@b"] {
        for request in [nil, "", "a", "b.", "\u{1}a"] {
          for isBound in [true, false] {
            let peer = SealPeer(node: NodeID(name) ?? .web, nonce: nonce)
            Array(topic.utf8).withUnsafeBytes {
              sealer.prove($0, topic: 0..<$0.count, clear: 0..<0, to: isBound ? peer : nil, answering: request)
            }
            seen.insert(sealer.proven)
            if isBound || name == "p@a" { count += 1 }
          }
        }
      }
    }
    #expect(seen.count == count)
  }

  @Test func onlyProbesOpenForEveryNodeWithTheKey() throws {
    var pair = try SealedPair()
    var stranger = Sealer(ring: pair.ring, node: SealedPair.bedroom, epoch: 9, nonce: .random())
    let probe = Frame(topic: "bus.knock.", body: Array("{}".utf8))
    let opened = try pair.reader.opened(try stranger.seal(probe, as: .question, to: nil), on: .requestSocket)
    #expect(!opened.isBound && !opened.isAdmitted && opened.sender == stranger.own && opened.epoch == 9)
    for sealedClass in [SealedClass.fact, .state, .signal] {
      #expect(pair.refusal(try pair.sender.seal(SealedPair.frame, as: sealedClass, to: nil)) == .wrongChannel)
    }
    // The bit that marks a frame without a receiver can be neither removed nor added.
    var bound = try pair.sender.seal(probe, as: .question, to: pair.reader.own)
    bound[probe.topic.utf8.count + 2 + 8] |= 0x80
    #expect(pair.refusal(bound, on: .requestSocket) == .broken)
    #expect(pair.refusal(try pair.reader.seal(probe, as: .question, to: nil), on: .requestSocket) == .ownFrame)
  }

  @Test func theLimitHoldsForTheSealedFrame() throws {
    var pair = try SealedPair()
    func body(_ total: Int, _ topic: String) -> Frame {
      let rest = total - topic.utf8.count - 2 - 66 - SealedPair.kitchen.description.utf8.count - 16
      return Frame(topic: topic, body: [UInt8](repeating: 32, count: rest))
    }
    let largest = try pair.sender.seal(body(Frame.sizeLimit, "a."), as: .fact, to: pair.reader.own)
    #expect(largest.count == 256 * 1024 && pair.refusal(largest) == nil)
    #expect(
      code { try pair.sender.seal(body(Frame.sizeLimit + 1, "a."), as: .fact, to: pair.reader.own) }
        == "bus.frameTooLarge")
    #expect(pair.refusal(largest + [1]) == .noFrame)
    let hello = try pair.sender.seal(body(Sealer.strangerLimit, "a.hello."), as: .question, to: pair.reader.own)
    #expect(hello.count == 32 * 1024 && pair.refusal(hello, on: .requestSocket) == nil)
    #expect(
      code { try pair.sender.seal(body(Sealer.strangerLimit + 1, "a.b."), as: .question, to: nil) }
        == "bus.frameTooLarge")
    #expect(SealedHeader.fixedSize + SealedHeader.longestName + SealedHeader.tagSize == 147)
  }
}

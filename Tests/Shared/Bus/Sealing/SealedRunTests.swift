import Model
import Testing

@testable import Bus

/// The senders that a sealer admits, over restarts, absences and key rotations.
@Suite struct SealedRunTests {
  @Test func framesOfUnknownSendersAreRefusedUntilTheirHello() throws {
    var pair = try SealedPair()
    var stranger = Sealer(ring: pair.ring, node: SealedPair.bedroom, epoch: 1, nonce: .random())
    for sealedClass in [SealedClass.fact, .state, .signal, .question] {
      let bytes = try stranger.seal(SealedPair.frame, as: sealedClass, to: pair.reader.own)
      #expect(pair.refusal(bytes, on: sealedClass.channel) == .stranger)
    }
    let hello = try stranger.seal(SealedPair.hello, as: .question, to: pair.reader.own)
    let opened = try pair.reader.opened(hello, on: .requestSocket)
    #expect(opened.isBound && !opened.isAdmitted)
    #expect(pair.reader.admit(opened.sender, epoch: opened.epoch) == true)
    #expect(pair.reader.peers.isBelieved(stranger.own))
    #expect(pair.refusal(hello, on: .requestSocket) == .seen)
    #expect(pair.refusal(try stranger.seal(SealedPair.frame, as: .fact, to: pair.reader.own)) == nil)
    #expect(
      pair.refusal(try stranger.seal(SealedPair.hello, as: .question, to: pair.reader.own), on: .requestSocket) == nil)
  }

  @Test func aStrangersHelloForAnotherRunDoesNotOpen() throws {
    var pair = try SealedPair()
    var stranger = Sealer(ring: pair.ring, node: SealedPair.bedroom, epoch: 1, nonce: .random())
    let former = SealPeer(node: .library, nonce: .random())
    let hello = try stranger.seal(SealedPair.hello, as: .question, to: former)
    #expect(pair.refusal(hello, on: .requestSocket) == .broken)
  }

  @Test func nothingOfARunOpensOnceTheNextOneIsAdmitted() throws {
    var pair = try SealedPair()
    let held = try pair.sender.seal(SealedPair.frame, as: .fact, to: pair.reader.own)
    let seen = try pair.sender.seal(SealedPair.frame, as: .fact, to: pair.reader.own)
    let hello = try pair.sender.seal(SealedPair.hello, as: .question, to: pair.reader.own)
    #expect(pair.refusal(seen) == nil)
    var next = Sealer(ring: pair.ring, node: SealedPair.kitchen, epoch: 8, nonce: .random())
    #expect(pair.reader.admit(next.own, epoch: 8) == true)
    #expect(pair.refusal(held) == .retired)
    #expect(pair.refusal(seen) == .retired)
    #expect(pair.refusal(hello, on: .requestSocket) == .retired)
    #expect(pair.reader.admit(pair.sender.own, epoch: 7) == false)
    #expect(pair.refusal(try next.seal(SealedPair.frame, as: .fact, to: pair.reader.own)) == nil)
    // The new run counts from one again, which is no replay of the former run.
    let answer = try pair.sender.seal(SealedPair.frame, as: .answer, to: pair.reader.own, answering: "q")
    #expect(pair.refusal(answer, on: .connection, answering: "q") == .retired)
  }

  @Test func aForgottenRunIsAdmittedAgainWithoutItsOldFrames() throws {
    var pair = try SealedPair()
    let said = try pair.sender.seal(SealedPair.frame, as: .fact, to: pair.reader.own)
    let held = try pair.sender.seal(SealedPair.frame, as: .fact, to: pair.reader.own)
    let hello = try pair.sender.seal(SealedPair.hello, as: .question, to: pair.reader.own)
    #expect(pair.refusal(said) == nil)
    #expect(pair.refusal(hello, on: .requestSocket) == nil)
    pair.reader.forget(SealedPair.kitchen)
    #expect(pair.refusal(held) == .stranger)
    #expect(pair.refusal(hello, on: .requestSocket) == .seen)
    let again = try pair.sender.seal(SealedPair.hello, as: .question, to: pair.reader.own)
    #expect(try pair.reader.opened(again, on: .requestSocket).isAdmitted == false)
    pair.reader.admit(pair.sender.own, epoch: 7)
    #expect(pair.refusal(said) == .seen)
    #expect(pair.refusal(held) == nil)
  }

  @Test func aForgottenRunIsOverOnceAnotherOfItsNodeIsAdmitted() throws {
    var pair = try SealedPair()
    let held = try pair.sender.seal(SealedPair.frame, as: .fact, to: pair.reader.own)
    pair.reader.forget(SealedPair.kitchen)
    pair.reader.admit(SealPeer(node: SealedPair.kitchen, nonce: .random()), epoch: 8)
    #expect(pair.refusal(held) == .retired)
    #expect(pair.reader.admit(pair.sender.own, epoch: 7) == false)
  }

  @Test func aRunSpeaksForItsOwnNodeAndStartOnly() throws {
    var pair = try SealedPair()
    let nonce = pair.sender.own.nonce
    var bedroom = Sealer(ring: pair.ring, node: SealedPair.bedroom, epoch: 7, nonce: nonce)
    #expect(pair.refusal(try bedroom.seal(SealedPair.frame, as: .fact, to: pair.reader.own)) == .wrongSender)
    #expect(pair.reader.admit(bedroom.own, epoch: 7) == false)
    var later = Sealer(ring: pair.ring, node: SealedPair.kitchen, epoch: 8, nonce: nonce)
    #expect(pair.refusal(try later.seal(SealedPair.frame, as: .fact, to: pair.reader.own)) == .wrongSender)
  }

  @Test func inboxAndRequestSocketCountApartSoAFloodedInboxLosesNoQuestion() throws {
    var pair = try SealedPair()
    let question = try pair.sender.seal(SealedPair.frame, as: .question, to: pair.reader.own)
    pair.sender.counter += 5000
    #expect(pair.refusal(try pair.sender.seal(SealedPair.frame, as: .signal, to: pair.reader.own)) == nil)
    #expect(pair.refusal(question, on: .requestSocket) == nil)
    #expect(pair.refusal(question, on: .requestSocket) == .seen)
  }

  @Test func memoryIsBoundedHoweverManyRunsComeAndGo() {
    var peers = SealPeers(runLimit: 20, retiredLimit: 100)
    let first = SealPeer(node: SealedPair.kitchen, nonce: .random())
    #expect(peers.admit(first, epoch: 1) == true)
    for number in 0..<1000 {
      let node = NodeID(role: "tap", name: "p\(number)") ?? .web
      #expect(peers.admit(SealPeer(node: node, nonce: .random()), epoch: 1) == true)
      peers.forget(node)
    }
    #expect(peers.runs.count == 20)
    #expect(peers.retired.count == 100)
    #expect(peers.isBelieved(first))
  }

  @Test func aKeyIsRotatedWithoutAFrameThatFailsToOpen() throws {
    let (kitchenFiles, libraryFiles) = (KeyFiles(), KeyFiles())
    let (old, new) = (KeyFiles.first, KeyFiles.second)
    let kitchenRing = try kitchenFiles.ring(old)
    let libraryRing = try libraryFiles.ring(old)
    var kitchen = Sealer(ring: kitchenRing, node: SealedPair.kitchen, epoch: 1, nonce: .random())
    var library = Sealer(ring: libraryRing, node: .library, epoch: 1, nonce: .random())
    kitchen.admit(library.own, epoch: 1)
    library.admit(kitchen.own, epoch: 1)
    func bothWays() throws {
      #expect(library.refusal(try kitchen.seal(SealedPair.frame, as: .fact, to: library.own)) == nil)
      #expect(kitchen.refusal(try library.seal(SealedPair.frame, as: .fact, to: kitchen.own)) == nil)
    }
    // Each step of the rotation reaches one machine before the other, in either order.
    for lines in [[old, new + " next"], [new, old + " former"], [new]] {
      let underway = try kitchen.seal(SealedPair.frame, as: .fact, to: library.own)
      kitchenFiles.write(lines.joined(separator: "\n"))
      try kitchenRing.reload()
      try bothWays()
      libraryFiles.write(lines.joined(separator: "\n"))
      try libraryRing.reload()
      try bothWays()
      #expect(library.refusal(underway) == nil)
    }
    // Frames that were sealed with the old key no longer open.
    var late = Sealer(ring: try KeyFiles().ring(old), node: SealedPair.kitchen, epoch: 1, nonce: kitchen.own.nonce)
    #expect(library.refusal(try late.seal(SealedPair.frame, as: .fact, to: library.own)) == .wrongKey)
  }
}

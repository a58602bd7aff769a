import Model
import TestSupport
import Testing

@testable import Bus

/// The bytes of sealed frames.
@Suite struct SealedFrameTests {
  /// Bytes made by another implementation from `docs/protocol.md`, so that neither can change unnoticed.
  @Test func theBytesAreThoseOfTheProtocol() throws {
    var sealer = Sealer(
      ring: try KeyFiles().ring(KeyFiles.first), node: SealedPair.kitchen, epoch: 7,
      nonce: try #require(StartNonce(text: String(repeating: "11", count: 16))))
    sealer.drawNonce = { .repeating(0x33) }
    let library = SealPeer(node: .library, nonce: try #require(StartNonce(text: String(repeating: "22", count: 16))))
    let fact = try sealer.seal(SealedPair.frame, as: .fact, to: library)
    let answer = try sealer.seal(SealedPair.frame, as: .answer, to: library, answering: "q1")
    let probe = try sealer.seal(Frame(topic: "bus.knock.", body: Array("{}".utf8)), as: .question, to: nil)
    #expect(Hexadecimal.text(fact) == Golden.fact)
    #expect(Hexadecimal.text(answer) == Golden.answer)
    #expect(Hexadecimal.text(probe) == Golden.probe)
  }

  @Test func aStartNonceReadsAsItWasWritten() {
    let nonce = StartNonce.random()
    #expect(StartNonce(text: nonce.text) == nonce && nonce.text.utf8.count == 32 && nonce.bytes.count == 16)
    #expect(nonce != .random())
    for text in ["", "00", String(repeating: "0", count: 31), String(repeating: "g", count: 32)] {
      #expect(StartNonce(text: text) == nil)
    }
  }

  @Test func anyBytesAreOpenedOrRefused() async throws {
    var pair = try SealedPair()
    var stranger = Sealer(ring: pair.ring, node: SealedPair.bedroom, epoch: 1, nonce: .random())
    let seeds = [
      try pair.sender.seal(SealedPair.frame, as: .fact, to: pair.reader.own),
      try pair.sender.seal(SealedPair.hello, as: .question, to: pair.reader.own),
      try stranger.seal(SealedPair.hello, as: .question, to: nil),
      try stranger.seal(SealedPair.frame, as: .answer, to: pair.reader.own, answering: "q"),
    ]
    var generator = Seeded(3)
    var wrong = 0
    for number in 0..<20_000 {
      if number.isMultiple(of: 200) { await Task.yield() }
      let seed = seeds[number % seeds.count]
      var bytes = seed
      for _ in 0..<Int.random(in: 1...3, using: &generator) where !bytes.isEmpty {
        let at = Int.random(in: 0..<bytes.count, using: &generator)
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: bytes[at] = UInt8.random(in: 0...255, using: &generator)
        case 1: bytes.remove(at: at)
        case 2: bytes.insert(UInt8.random(in: 0...255, using: &generator), at: at)
        default: bytes.removeLast(bytes.count - at)
        }
      }
      let channel = [SealedChannel.inbox, .requestSocket, .connection][number % 3]
      if bytes != seed, pair.refusal(bytes, on: channel, answering: "q") == nil { wrong += 1 }
    }
    #expect(wrong == 0)
  }
}

extension SealedFrameTests {
  fileprivate enum Golden {
    static let fact =
      "706c61796261636b2e6b69746368656e2e73746174652e0011fdc601a3873fc28e010000000000000001111111111111"
      + "11111111111111111111000000000000000733333333333333333333333333333333333333333333333310706c617962"
      + "61636b406b69746368656ecf84a9f37b73b21f29b05c0037d49d051fd490242d077c56612a"
    static let answer =
      "706c61796261636b2e6b69746368656e2e73746174652e0011fdc601a3873fc28e050000000000000002111111111111"
      + "11111111111111111111000000000000000733333333333333333333333333333333333333333333333310706c617962"
      + "61636b406b69746368656ecf84a9f37b73b21f29b072067b14255d92aa392bc40eb127643b"
    static let probe =
      "6275732e6b6e6f636b2e0011fdc601a3873fc28e84000000000000000311111111111111111111111111111111000000"
      + "000000000733333333333333333333333333333333333333333333333310706c61796261636b406b69746368656ecfdb"
      + "2f1cae66aa13857ed3fd57afed375018"
  }
}

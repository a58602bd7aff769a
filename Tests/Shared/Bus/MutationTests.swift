import Messages
import Model
import Testing

@testable import Bus

/// Bytes from the bus are anybody's: each gives a value or a typed error, and never ends the reader.
@Suite struct MutationTests {
  /// A hundred thousand texts that are nearly right, the same in every run.
  private func forEachMutation(of seeds: [[UInt8]], count: Int = 100_000, _ body: ([UInt8]) -> Void) async {
    var generator = Seeded(state: 20_261_120)
    let marks = Array("{}[]\",:\\0-9eE. \u{0}".utf8) + [0x80, 0xff, 0x10, 0x11]
    for number in 0..<count {
      // Other tests wait for answers meanwhile.
      if number.isMultiple(of: 200) { await Task.yield() }
      var bytes = seeds[Int.random(in: 0..<seeds.count, using: &generator)]
      for _ in 0..<Int.random(in: 1...4, using: &generator) where !bytes.isEmpty {
        let at = Int.random(in: 0..<bytes.count, using: &generator)
        switch Int.random(in: 0..<6, using: &generator) {
        case 0: bytes[at] = UInt8.random(in: 0...255, using: &generator)
        case 1: bytes[at] = marks[Int.random(in: 0..<marks.count, using: &generator)]
        case 2: bytes.remove(at: at)
        case 3: bytes.insert(marks[Int.random(in: 0..<marks.count, using: &generator)], at: at)
        case 4: bytes.removeLast(bytes.count - at)
        default: bytes.insert(contentsOf: bytes[at..<min(bytes.count, at + 9)], at: at)
        }
      }
      body(bytes)
    }
  }

  private func isTyped(_ error: any Error) -> Bool { (error as? LunaraError)?.code.hasPrefix("bus.bad") == true }

  @Test func anyFrameAndEnvelopeIsAValueOrATypedError() async throws {
    let seeds = try Envelopes.golden.map { try Frame(topic: $0.0.topic, body: $0.0.encoded()).encoded() }
    var (good, bad, wrong) = (0, 0, 0)
    await forEachMutation(of: seeds) { bytes in
      do {
        let frame = try bytes.withUnsafeBytes { try Frame(decoding: $0) }
        let envelope = try Envelope(decoding: frame.body)
        // What was read can be written and read again.
        if try Envelope(decoding: envelope.encoded()) != envelope { wrong += 1 }
        good += 1
      } catch {
        if isTyped(error) { bad += 1 } else { wrong += 1 }
      }
    }
    #expect(wrong == 0)
    #expect(good > 5000)
    #expect(bad > 10_000)
  }

  @Test func anyReplayAndStatesAnswerIsAValueOrATypedError() async throws {
    let page = JournalPage(
      facts: (1...3).map {
        JournaledFact(
          seq: $0, epoch: 1, id: "f\($0)", kind: "playback.struck", time: Invented.moment, payload: Array("{}".utf8))
      }, through: Invented.place(3), head: 3)
    let seeds = [
      try Replay.encode(page, from: Invented.kitchen),
      ReadStates.Answer(now: Invented.moment, states: [Envelopes.state]).encoded(),
    ]
    var wrong = 0
    await forEachMutation(of: seeds, count: 20_000) { bytes in
      do { _ = try Replay.decode(bytes) } catch { if !isTyped(error) { wrong += 1 } }
      do { _ = try ReadStates.Answer(decoding: bytes) } catch { if !isTyped(error) { wrong += 1 } }
    }
    #expect(wrong == 0)
  }

  @Test func anyHelloAndHeartbeatIsAValueOrATypedError() async throws {
    let seeds = [
      try MessageCoding.encode(
        Hello(presence: Invented.presence(), inbox: "ipc://x", wantsSignals: true, hearsNothing: false)),
      try MessageCoding.encode(Heartbeat(presence: Invented.presence(states: ["a.b.c.": 1]), leaving: true)),
    ]
    var wrong = 0
    await forEachMutation(of: seeds, count: 10_000) { bytes in
      do { _ = try MessageCoding.decode(Hello.self, from: bytes) } catch { if !isTyped(error) { wrong += 1 } }
      do { _ = try MessageCoding.decode(Heartbeat.self, from: bytes) } catch { if !isTyped(error) { wrong += 1 } }
    }
    #expect(wrong == 0)
  }
}

import Model
import Testing

@testable import Bus

@Suite struct FrameTests {
  private func decode(_ bytes: [UInt8]) throws -> Frame { try bytes.withUnsafeBytes { try Frame(decoding: $0) } }

  @Test func aFrameIsItsTopicNULOneByteAndTheBody() throws {
    let frame = Frame(topic: "playback.kitchen.state.", body: Array("{}".utf8))
    let bytes = Array("playback.kitchen.state.".utf8) + [0, 0x10] + Array("{}".utf8)
    #expect(try frame.encoded() == bytes)
    #expect(try decode(bytes) == frame)
    #expect(try decode(Array("a.".utf8) + [0, 0x10]).body.isEmpty)
  }

  @Test(arguments: [
    "", "\0", "\0\u{10}", "a.", "a.\0", "a\0\u{10}", "A.\0\u{10}", "a..\0\u{10}", ".\0\u{10}", "a b.\0\u{10}",
    "é.\0\u{10}", "a.\0\u{20}", "a.\0\u{11}", String(repeating: "a", count: 300) + ".\0\u{10}",
  ])
  func whatIsNoFrameIsATypedError(text: String) {
    #expect { _ = try decode(Array(text.utf8)) } throws: { ($0 as? LunaraError)?.code == "bus.badFrame" }
  }

  @Test func aTopicThatIsNoUTF8IsATypedError() {
    #expect { _ = try decode([0xff, 0xfe, 46, 0, 0x10]) } throws: { ($0 as? LunaraError)?.code == "bus.badFrame" }
  }

  @Test func theLimitIsExact() throws {
    let topic = "a.b."
    let largest = [UInt8](repeating: 32, count: Frame.sizeLimit - topic.utf8.count - 2)
    #expect(try Frame(topic: topic, body: largest).encoded().count == 256 * 1024)
    #expect { _ = try Frame(topic: topic, body: largest + [32]).encoded() } throws: {
      ($0 as? LunaraError)?.code == "bus.frameTooLarge"
    }
  }
}

import Messages
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

  @Test func aFrameAtTheLimitIsAcceptedAndOneByteMoreIsNot() throws {
    let topic = "a.b."
    let largest = [UInt8](repeating: 32, count: Frame.sizeLimit - topic.utf8.count - 2)
    #expect(try Frame(topic: topic, body: largest).encoded().count == 256 * 1024)
    #expect { _ = try Frame(topic: topic, body: largest + [32]).encoded() } throws: {
      ($0 as? LunaraError)?.code == "bus.frameTooLarge"
    }
  }
}

/// One envelope of each class, and its bytes.
enum Envelopes {
  static let request = Envelope(
    id: "q1", node: .web, epoch: 1_795_185_000_123, time: Invented.moment, kind: "router.play", target: 3,
    patience: Milliseconds(5000), payload: Array(#"{"ids":["files:a1"]}"#.utf8))
  static let fact = Envelope(
    id: "f1", node: Invented.kitchen, epoch: 3, seq: 17, time: Invented.moment, kind: "playback.listen-ended",
    journal: "j1", payload: Array("{}".utf8))
  static let state = Envelope(
    id: "3.4", node: Invented.kitchen, epoch: 3, version: 4, time: Invented.moment, kind: "playback.state",
    payload: Array("{}".utf8))
  static let signal = Envelope(
    id: "s1", node: .library, epoch: 3, time: Invented.moment, kind: "bus.heartbeat", payload: Array("{}".utf8))

  static let golden: [(Envelope, Delivery, String)] = [
    (
      request, .request,
      #"{"id":"q1","node":"web@main","epoch":1795185000123,"time":"2026-11-20T14:30:00.123456Z","kind":"router.play","#
        + #""target":3,"patience":5000,"payload":{"ids":["files:a1"]}}"#
    ),
    (
      fact, .fact,
      #"{"id":"f1","node":"playback@kitchen","epoch":3,"seq":17,"time":"2026-11-20T14:30:00.123456Z","#
        + #""kind":"playback.listen-ended","journal":"j1","payload":{}}"#
    ),
    (
      state, .state,
      #"{"id":"3.4","node":"playback@kitchen","epoch":3,"version":4,"time":"2026-11-20T14:30:00.123456Z","#
        + #""kind":"playback.state","payload":{}}"#
    ),
    (
      signal, .signal,
      #"{"id":"s1","node":"library@main","epoch":3,"time":"2026-11-20T14:30:00.123456Z","kind":"bus.heartbeat","#
        + #""payload":{}}"#
    ),
  ]
}

@Suite struct EnvelopeTests {
  @Test(arguments: Envelopes.golden) func anEnvelopeAndItsJSON(envelope: Envelope, delivery: Delivery, text: String)
    throws
  {
    #expect(String(decoding: envelope.encoded(), as: UTF8.self) == text)
    #expect(try Envelope(decoding: text.utf8) == envelope)
    #expect(envelope.delivery == delivery)
  }

  @Test func anyOrderSpacesAndUnknownFieldsAreRead() throws {
    let text = """
      { "payload" : {} , "new":[{"id":"no"}],
        "kind":"bus.heartbeat","time":"2026-11-20T14:30:00.123456Z", "epoch" : 3,"node":"library@main","id":"s1" }\r\n
      """
    #expect(try Envelope(decoding: text.utf8) == Envelopes.signal)
  }

  @Test func namesThatNeedEscapingSurvive() throws {
    var envelope = Envelopes.signal
    envelope.id = "a\"b\\c\u{1}\n\u{1f}é☂"
    #expect(try Envelope(decoding: envelope.encoded()) == envelope)
    let foreign =
      #"{"id":"\u0061\/b","node":"library@main","epoch":3,"time":"2026-11-20T14:30:00.123456Z","kind":"k","payload":1}"#
    #expect(try Envelope(decoding: foreign.utf8).id == "a/b")
  }

  @Test func thePayloadPassesThroughUntouched() throws {
    let payload = #"{ "a" : [1, 2 , {"b":"}\"]"}], "é":null}"#
    let text = golden(payload: payload)
    #expect(try Envelope(decoding: text.utf8).payload == Array(payload.utf8))
  }

  private func golden(payload: String) -> String {
    #"{"id":"s1","node":"library@main","epoch":3,"time":"2026-11-20T14:30:00.123456Z","kind":"k","payload":\#(payload)}"#
  }

  @Test(arguments: [
    "", "{", "}", "[]", "null", "{}", #"{"id":1}"#, "{\"id\":\"a\"", "{\"id\":\"a\\", "{\"id\":\"a\\\"}",
    #"{"id":"s1","node":"nobody","epoch":3,"time":"2026-11-20T14:30:00Z","kind":"k","payload":{}}"#,
    #"{"id":"s1","node":"a@b","epoch":"3","time":"2026-11-20T14:30:00Z","kind":"k","payload":{}}"#,
    #"{"id":"s1","node":"a@b","epoch":99999999999999999999,"time":"2026-11-20T14:30:00Z","kind":"k","payload":{}}"#,
    #"{"id":"s1","node":"a@b","epoch":3,"time":"later","kind":"k","payload":{}}"#,
    #"{"id":"s1","node":"a@b","epoch":3,"time":"2026-11-20T14:30:00Z","kind":"k"}"#,
    #"{"id":"s1","node":"a@b","epoch":3,"time":"2026-11-20T14:30:00Z","kind":"k","payload":{}} x"#,
    #"{"id":"s1","node":"a@b","epoch":3,"time":"2026-11-20T14:30:00Z","kind":"k","payload":{}"#,
  ])
  func whatIsNoEnvelopeIsATypedError(text: String) {
    #expect { _ = try Envelope(decoding: text.utf8) } throws: { ($0 as? LunaraError)?.code == "bus.badEnvelope" }
  }

  @Test func topicsFollowFromKindAndNode() {
    #expect(Envelopes.state.topic == "playback.kitchen.state.")
    #expect(Envelopes.signal.topic == "library.main.heartbeat.")
    #expect(StateSubscriptions.kind(ofTopic: "playback.kitchen.state.") == "playback.state")
    #expect(Playback.RoomState.topic(ofNode: "kitchen") == Envelopes.state.topic)
  }
}

@Suite struct JSONSliceTests {
  private func members(_ text: String) -> [String: String]? {
    Array(text.utf8).withUnsafeBytes { raw in
      var found: [String: String] = [:]
      let isObject = JSONSlice.members(of: raw) {
        found[String(decoding: $0, as: UTF8.self)] = String(decoding: raw[$1], as: UTF8.self)
      }
      return isObject ? found : nil
    }
  }

  private func elements(_ text: String) -> [String]? {
    Array(text.utf8).withUnsafeBytes { raw in
      JSONSlice.elements(of: raw)?.map { String(decoding: raw[$0], as: UTF8.self) }
    }
  }

  @Test func membersAreFoundWithTheirValuesAsTheyStand() {
    #expect(members("{}") == [:])
    #expect(
      members(#"{"a":1,"b":"x,}","c":{"d":[1,{}]},"e":null}"#) == [
        "a": "1", "b": #""x,}""#, "c": #"{"d":[1,{}]}"#, "e": "null",
      ])
    #expect(members(" {\t\"a\" : -1.5e3 \n}\r\n") == ["a": "-1.5e3"])
    #expect(members(#"{"a\"b":"\\"}"#) == [#"a\"b"#: #""\\""#])
  }

  @Test func elementsAreFoundAsTheyStand() {
    #expect(elements("[]") == [])
    #expect(elements(#"[1, "a,]" ,[2,3],{"b":[]}]"#) == ["1", #""a,]""#, "[2,3]", #"{"b":[]}"#])
  }

  @Test(arguments: [
    "", " ", "{", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{a:1}", "{\"a\":1}x", "{\"a\":\"", "{\"a\":[", "[1]",
    "{\"a\":\"\\",
  ])
  func whatIsNoObjectIsNil(text: String) {
    #expect(members(text) == nil)
  }

  @Test(arguments: ["", "[", "[1", "[1,]", "[,]", "{}", "[1]]", "[\"a]", "[[1]"])
  func whatIsNoArrayIsNil(text: String) {
    #expect(elements(text) == nil)
  }
}

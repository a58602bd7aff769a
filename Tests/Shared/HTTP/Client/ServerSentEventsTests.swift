import Testing

@testable import HTTP

@Suite struct ServerSentEventsTests {
  private func events(_ text: String, in pieces: Int = 1) -> [ServerSentEvent] {
    let bytes = Array(text.utf8)
    var parser = ServerSentEvents()
    var found: [ServerSentEvent] = []
    let size = max(1, bytes.count / pieces)
    for start in stride(from: 0, to: bytes.count, by: size) {
      found += parser.decode(bytes[start..<min(start + size, bytes.count)])
    }
    return found
  }

  @Test func anEventEndsWithAnEmptyLine() {
    let text = ": remark\nevent: playing\ndata: {\"a\":1}\n\ndata:one\ndata:  two\n\ndata: unfinished"
    let expected = [
      ServerSentEvent(type: "playing", data: #"{"a":1}"#), ServerSentEvent(type: "message", data: "one\n two"),
    ]
    #expect(events(text) == expected)
    #expect(events(text, in: 1000) == expected)
  }

  @Test(arguments: ["\n", "\r", "\r\n"])
  func everyKindOfLineEndIsAccepted(_ end: String) {
    let text = ["event: a", "data: 1", "", "", "event: b", "data: 2", "", ""].joined(separator: end)
    let expected = [ServerSentEvent(type: "a", data: "1"), ServerSentEvent(type: "b", data: "2")]
    #expect(events(text) == expected)
    #expect(events(text, in: 1000) == expected)
  }

  @Test func anEventWithoutDataIsIgnored() {
    #expect(events("event: ping\n\nid: 1\nretry: 5\n\n").isEmpty)
    #expect(events("event: ping\n\ndata: x\n\n") == [ServerSentEvent(data: "x")])
  }

  @Test func anEndlessEventIsPassedOverAndTheNextIsHeard() {
    var parser = ServerSentEvents()
    let line = Array("data: \(String(repeating: "x", count: 1 << 20))\n".utf8)
    for _ in 0..<6 { #expect(parser.decode(line).count == 0) }
    #expect(parser.decode(Array("\n".utf8)).count == 0)
    #expect(parser.decode(Array("data: y\n\n".utf8)) == [ServerSentEvent(data: "y")])
  }
}

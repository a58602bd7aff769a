import Bus
import Messages
import Model
import Testing

@testable import lunara

/// What a tap shows of what it hears.
struct TapTests {
  @Test func aFactsLine() throws {
    let json = try envelope(#""seq":7,"#, kind: "playback.listen-started").json(topic: "playback.den.listen-started.")
    #expect(
      "\(json)"
        == #"{"time":"2023-11-14T22:13:20.000000Z","node":"playback@den","class":"fact","#
        + #""topic":"playback.den.listen-started.","kind":"playback.listen-started","seq":7,"#
        + #""payload":{"b":1,"a":"x"},"id":"i","epoch":2}"#)
  }

  @Test func aStatesLineHasItsVersion() throws {
    let json = "\(try envelope(#""version":9,"#, kind: "playback.state").json(topic: "playback.den.state."))"
    #expect(json.contains(#""class":"state""#) && json.contains(#""version":9,"payload""#) && !json.contains("seq"))
  }

  @Test func aPersonsLineFitsTheTerminal() throws {
    let line = try envelope(#""seq":7,"#, kind: "playback.listen-started").line(on: Printed().console(width: 90))
    #expect(line.contains("playback@den") && line.contains("#7") && line.hasSuffix("\n"))
    #expect(Printable.columns(line) <= 91)
  }

  @Test func aPersonReadsAFewWordsWhereTheKindIsKnown() throws {
    let outbox = #"{"counted":3,"pending":1,"failed":0}"#
    #expect(
      TapSummary.text(of: try envelope("", kind: "scrobble.outbox", payload: outbox))
        == "3 counted, 1 to be sent, 0 refused")
    #expect(TapSummary.text(of: try envelope("", kind: "scrobble.outbox")) == nil)
    #expect(TapSummary.text(of: try envelope("", kind: "some.thing")) == nil)
    let room = Sample.room("den", .playing, item: Sample.item("e1", "Last Tram"), offset: 61_000)
    let payload = String(decoding: try MessageCoding.encode(room), as: UTF8.self)
    #expect(
      TapSummary.text(of: try envelope("", kind: "playback.state", payload: payload))
        == "playing Last Tram by Nova, 1:01 of 1:00")
  }

  @Test func filtersCutTopicsAtTheirWords() throws {
    let state = try envelope(#""version":9,"#, kind: "playback.state")
    func shows(_ filter: TapFilter) -> Bool { filter.shows(state, topic: "playback.kitchen.state.") }
    #expect(shows(TapFilter()))
    #expect(shows(TapFilter(topics: ["playback"])) && shows(TapFilter(topics: ["playback.kitchen."])))
    #expect(!shows(TapFilter(topics: ["playback.kit"])) && shows(TapFilter(topics: ["library", "playback"])))
    #expect(shows(TapFilter(kind: "playback.state")) && !shows(TapFilter(kind: "playback.queue")))
    #expect(shows(TapFilter(node: "playback@den")) && shows(TapFilter(node: "playback")))
    #expect(!shows(TapFilter(node: "library")))
  }

  @Test func heartbeatsAreShownOnRequestOnly() throws {
    let heartbeat = try envelope("", kind: "bus.heartbeat")
    #expect(!TapFilter().shows(heartbeat, topic: "playback.den.heartbeat."))
    #expect(!TapFilter(topics: ["playback"]).shows(heartbeat, topic: "playback.den.heartbeat."))
    #expect(TapFilter(kind: "bus.heartbeat").shows(heartbeat, topic: "playback.den.heartbeat."))
    #expect(TapFilter(topics: ["playback.den.heartbeat"]).shows(heartbeat, topic: "playback.den.heartbeat."))
  }

  @Test func aSessionEndsAfterTheNumberAskedFor() async throws {
    let printed = Printed()
    let session = TapSession(
      .init(filter: TapFilter(kind: "a.b"), limit: 2), console: printed.console(), recording: nil,
      at: Sample.moment
    ) { .zero }
    let shown = try envelope("", kind: "a.b")
    #expect(try await !session.take(shown, topic: "a.x.b.", at: Sample.moment))
    #expect(try await !session.take(try envelope("", kind: "a.c"), topic: "a.x.c.", at: Sample.moment))
    #expect(try await session.take(shown, topic: "a.x.b.", at: Sample.moment))
    #expect(try await session.take(shown, topic: "a.x.b.", at: Sample.moment))
    #expect(printed.output.split(separator: "\n").count == 2)
  }

  private func envelope(_ order: String, kind: String, payload: String = #"{"b":1,"a":"x"}"#) throws -> Envelope {
    let text =
      #"{"id":"i","node":"playback@den","epoch":2,\#(order)"time":"2023-11-14T22:13:20.000000Z","kind":"\#(kind)","#
      + #""payload":\#(payload)}"#
    return try Envelope(decoding: Array(text.utf8))
  }
}

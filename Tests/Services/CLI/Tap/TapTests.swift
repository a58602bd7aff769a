import Bus
import Client
import Messages
import Model
import TestSupport
import Testing

@testable import lunara

/// A tap shows what its options ask for.
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
    let row = TapRow(envelope: try envelope(#""seq":7,"#, kind: "playback.listen-started"))
    let wide = row.text(columns: 140, style: .plain)
    #expect(
      wide.contains("  fact    playback@den  ") && wide.contains("  playback.listen-started  ") && wide.contains("#7"))
    let narrow = row.text(columns: 80, style: .plain)
    #expect(narrow.contains("  den          listen-started  ") && narrow.hasSuffix(#"{"b":1,"a":"x"}"# + "\n"))
    for columns in [60, 80, 109, 110, 140] {
      let long = TapRow(envelope: try envelope("", kind: "a.b", payload: "\"\(String(repeating: "月", count: 300))\""))
      let line = long.text(columns: columns, style: .plain)
      #expect(line.hasSuffix("…\n") && Printable.columns(line) <= columns, "\(columns)")
      #expect(Printable.columns(line) >= columns - 2)
    }
  }

  @Test func classesHaveColours() throws {
    let style = Style(isColoured: true)
    let rows = try [#""seq":7,"#, #""version":7,"#, "", #""patience":7,"#].map {
      TapRow(envelope: try envelope($0, kind: "a.b")).text(columns: 100, style: style)
    }
    for (row, colour) in zip(rows, ["32", "36", "2", "33"]) { #expect(row.contains("\u{1B}[\(colour)m")) }
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
    #expect(try await !session.handle(shown, topic: "a.x.b.", at: Sample.moment))
    #expect(try await !session.handle(try envelope("", kind: "a.c"), topic: "a.x.c.", at: Sample.moment))
    #expect(try await session.handle(shown, topic: "a.x.b.", at: Sample.moment))
    #expect(try await session.handle(shown, topic: "a.x.b.", at: Sample.moment))
    #expect(printed.output.split(separator: "\n").count == 2)
  }

  @Test func factsComeFromTheJournalsAndThePastComesFirst() async throws {
    let printed = Printed()
    let session = TapSession(
      .init(wantsPast: true), console: printed.console(), recording: nil, at: Sample.moment
    ) { .zero }
    let (fact, state) = (try envelope(#""seq":7,"#, kind: "a.fact"), try envelope(#""version":1,"#, kind: "a.state"))
    _ = try await session.handle(state, topic: "a.x.state.", at: Sample.moment)
    // The live copy of a fact that also comes from the journal is not shown.
    _ = try await session.handle(fact, topic: "a.x.fact.", at: Sample.moment)
    _ = try await session.handle(fact, topic: "a.x.fact.", at: Sample.moment, by: .journal)
    #expect(printed.output == "")
    #expect(try await !session.endPast())
    let kinds = printed.output.split(separator: "\n").map { $0.contains(#""kind":"a.fact""#) }
    #expect(kinds == [true, false])
  }

  @Test func aNumberAskedForIsReachedWithinThePast() async throws {
    let printed = Printed()
    let session = TapSession(
      .init(limit: 1, wantsPast: true), console: printed.console(), recording: nil, at: Sample.moment
    ) { .zero }
    for seq in 7...9 {
      let fact = try envelope(#""seq":\#(seq),"#, kind: "a.fact")
      #expect(try await !session.handle(fact, topic: "a.x.fact.", at: Sample.moment, by: .journal))
    }
    #expect(try await session.endPast())
    #expect(printed.output.contains(#""seq":7"#) && printed.output.split(separator: "\n").count == 1)
  }

  @Test func missedMessagesAreReportedAtTheEnd() async throws {
    let printed = Printed()
    let session = TapSession(.init(), console: printed.console(), recording: nil, at: Sample.moment) { .zero }
    await session.update(drops: ["a.x.state.": 3])
    try await session.finish()
    #expect(printed.errors.contains("cli.tapTooSlow") && printed.errors.contains("3 states and signals"))
  }

  @Test func figuresAreDrawnOnASecondScreenWhichIsLeftAtTheEnd() async throws {
    let printed = Printed()
    let session = TapSession(
      .init(isStatistics: true), console: printed.console(width: 100), recording: nil, at: Sample.moment
    ) { .zero }
    let fact = try envelope(#""seq":7,"#, kind: "a.fact")
    _ = try await session.handle(fact, topic: "a.x.fact.", at: Sample.moment)
    await session.drawStatistics()
    await session.drawStatistics()
    try await session.finish()
    let parts = printed.output.split(separator: LivePage.begin)
    #expect(parts.count == 1 && printed.output.hasPrefix(LivePage.begin))
    let left = try #require(printed.output.split(separator: LivePage.end).last)
    #expect(left.contains("a.x.fact.") && !left.contains("\u{1B}[H"))
  }

  @Test func theLatencyOfAnotherHostIsUnknownUntilItsClockIsMeasured() async throws {
    let printed = Printed()
    let session = TapSession(
      .init(isStatistics: true), console: printed.console(isJSON: true), recording: nil, at: Sample.moment
    ) { .zero }
    let state = try envelope(#""version":1,"#, kind: "a.state")
    // The clock of the other host is half a minute behind.
    let seenAt = Timestamp(seconds: Sample.moment.seconds + 30)
    _ = try await session.handle(state, topic: "a.far.", at: seenAt)
    await session.update(
      ClockOffset(askedAt: seenAt, saidAt: Sample.moment, heardAt: seenAt), of: try #require(NodeID("playback@den")))
    _ = try await session.handle(state, topic: "a.measured.", at: seenAt)
    await session.update(localNodes: [try #require(NodeID("playback@den"))])
    _ = try await session.handle(state, topic: "a.here.", at: Sample.moment)
    try await session.finish()
    let lines = printed.output.split(separator: "\n").sorted()
    #expect(lines.map { $0.contains(#""p50":0,"#) } == [false, true, true], "\(lines)")
    #expect(lines.allSatisfy { !$0.contains("30000") })
  }

  private func envelope(_ order: String, kind: String, payload: String = #"{"b":1,"a":"x"}"#) throws -> Envelope {
    let text =
      #"{"id":"i","node":"playback@den","epoch":2,\#(order)"time":"2023-11-14T22:13:20.000000Z","kind":"\#(kind)","#
      + #""payload":\#(payload)}"#
    return try Envelope(decoding: Array(text.utf8))
  }
}

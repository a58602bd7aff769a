import Messages
import Model
import TestSupport
import Testing

@testable import Bus

/// The messages between nodes as bytes, on which processes of different versions must agree.
@Suite struct BusMessageTests {
  private func text(_ value: some Encodable) throws -> String {
    String(decoding: try MessageCoding.encode(value), as: UTF8.self)
  }

  static let presence =
    #"{"epoch":3,"id":"playback@kitchen","journal":{"epoch":3,"journal":"j","seq":17},"lag":0,"pid":42,"#
    + #""saidAt":"2026-11-20T14:30:00.123456Z","startedAt":"1970-01-01T00:00:03.000000Z","#
    + #""states":{"playback.kitchen.state.":4},"version":"0.1.0"}"#
  let value = Invented.presence(epoch: 3, seq: 17, states: ["playback.kitchen.state.": 4])

  @Test func aPresenceAndItsJSON() throws {
    #expect(try text(value) == Self.presence)
    #expect(try MessageCoding.decode(NodePresence.self, from: Self.presence.utf8) == value)
    #expect(try text(ReadPresence()) == "{}")
  }

  static let entry = RosterEntry(
    id: Invented.kitchen, claim: Claim(identity: "j", term: 2, start: 3),
    endpoints: Endpoints(inbox: "tcp://10.0.0.2:7700", requests: "tcp://10.0.0.2:7701"), away: true)
  static var elsewhere: NodePresence {
    var presence = Invented.presence(epoch: 3, seq: 17, states: ["playback.kitchen.state.": 4])
    (presence.identity, presence.term, presence.endpoints, presence.retired) = ("j", 2, entry.endpoints, true)
    presence.isUnderTest = true
    presence.problem = LunaraError("bus.journalSalvaged", "It was damaged.")
    return presence
  }

  @Test func aNodeElsewhereAndItsJSON() throws {
    let endpoints = #"{"desk":"tcp://10.0.0.2:7701","inbox":"tcp://10.0.0.2:7700"}"#
    let json =
      #"{"away":true,"claim":{"identity":"j","start":3,"term":2},"endpoints":\#(endpoints),"id":"playback@kitchen"}"#
    #expect(try text(Self.entry) == json)
    #expect(try MessageCoding.decode(RosterEntry.self, from: json.utf8) == Self.entry)
    let said = try text(Self.elsewhere)
    #expect(said.contains(#""endpoints":\#(endpoints)"#))
    #expect(try MessageCoding.decode(NodePresence.self, from: said.utf8) == Self.elsewhere)
    #expect(try text(Probe()) == "{}")
    #expect(try text(HandOver(claim: Self.entry.claim)) == #"{"claim":{"identity":"j","start":3,"term":2}}"#)
  }

  @Test func aPresenceUnderTestSaysSo() throws {
    var tested = value
    tested.isUnderTest = true
    let json = Self.presence.replacing(#","version""#, with: #","underTest":true,"version""#)
    #expect(try text(tested) == json)
    #expect(try MessageCoding.decode(NodePresence.self, from: json.utf8) == tested)
  }

  @Test func aPresenceOfAnOlderOrNewerVersionIsRead() throws {
    let bare = #"{"epoch":3,"id":"a@b","pid":1,"startedAt":"1970-01-01T00:00:03Z","version":"0","new":[{}]}"#
    let presence = try MessageCoding.decode(NodePresence.self, from: bare.utf8)
    #expect(presence.journal == nil)
    #expect(presence.states.isEmpty)
    #expect(presence.lag == 0)
  }

  @Test func aHelloAndAHeartbeatSayNoTimeOfTheirOwnSoThatTheyStayTheSame() throws {
    let said = Self.presence.replacing(#""saidAt":"2026-11-20T14:30:00.123456Z","#, with: "")
    #expect(try text(Heartbeat(presence: value.timeless)) == #"{"presence":\#(said)}"#)
    #expect(try text(Heartbeat(presence: value.timeless, leaving: true)) == #"{"leaving":true,"presence":\#(said)}"#)
    let hello = Hello(presence: value.timeless, inbox: "ipc://r/i", wantsSignals: true, hearsNothing: true)
    #expect(
      try text(hello) == #"{"hearsNothing":true,"inbox":"ipc://r/i","presence":\#(said),"wantsSignals":true}"#)
    let place = ReaderCursor(reader: "r", position: Invented.place(7))
    #expect(
      try text(place) == #"{"position":{"epoch":1,"journal":"j","seq":7},"reader":"r"}"#)
    let heard = try MessageCoding.decode(Heartbeat.self, from: #"{"presence":\#(said)}"#.utf8)
    #expect(heard.presence.dated(at: Invented.moment) == value)
    #expect(heard.leaving == nil)
  }

  @Test func aReplayAndItsAnswer() throws {
    #expect(try text(Replay(start: .oldest)) == #"{"from":"oldest"}"#)
    #expect(try text(Replay(start: .head)) == #"{"from":"head"}"#)
    #expect(
      try text(Replay(start: .since(Invented.moment))) == #"{"from":"since","time":"2026-11-20T14:30:00.123456Z"}"#)
    let after = #"{"from":"after","position":{"epoch":2,"journal":"j","seq":9}}"#
    #expect(try text(Replay(start: .after(Invented.place(9, epoch: 2)))) == after)
    for start in [ReplayStart.oldest, .head, .since(Invented.moment), .after(Invented.place(9, epoch: 2))] {
      #expect(try MessageCoding.decode(Replay.self, from: MessageCoding.encode(Replay(start: start))).start == start)
    }
    let fact = JournaledFact(
      seq: 17, epoch: 3, id: "f1", kind: "playback.listen-ended", time: Invented.moment, payload: Array("{}".utf8))
    let page = JournalPage(
      facts: [fact, fact], through: Invented.place(17, epoch: 3, journal: "j1"), head: 20, oldest: 3, missed: 2)
    let bytes = try Replay.encode(page, from: Invented.kitchen)
    let envelope = Envelopes.golden[1].2
    #expect(
      String(decoding: bytes, as: UTF8.self)
        == #"{"facts":[\#(envelope),\#(envelope)],"head":20,"oldest":3,"missed":2,"through":{"epoch":3,"journal":"j1","seq":17}}"#
    )
    let read = try Replay.decode(bytes)
    #expect(read.facts.map(\.envelope) == [Envelopes.fact, Envelopes.fact])
    #expect(read.through == page.through)
    #expect([read.head, read.oldest, read.missed] == [20, 3, 2])
  }

  @Test func readingStatesAndTheAnswer() throws {
    #expect(try text(ReadStates(topics: ["a.b.c."])) == #"{"topics":["a.b.c."]}"#)
    let answer = ReadStates.Answer(now: Invented.moment, states: [Envelopes.state])
    let json = #"{"now":"2026-11-20T14:30:00.123456Z","states":[\#(Envelopes.golden[2].2)]}"#
    #expect(String(decoding: answer.encoded(), as: UTF8.self) == json)
    let read = try ReadStates.Answer(decoding: Array(json.utf8))
    #expect(read.states == [Envelopes.state])
    #expect(read.now == Invented.moment)
  }

  @Test func anAnswerWithManyStatesStaysWithinAFrameAndHoldsAtLeastOne() throws {
    let large = Invented.envelope(version: 1, payload: "\"" + String(repeating: "x", count: 100_000) + "\"")
    let answer = try ReadStates.Answer(
      decoding: ReadStates.Answer(now: Invented.moment, states: [large, large, large]).encoded())
    #expect(answer.states.count == 2)
    let largest = Invented.envelope(
      version: 1, payload: "\"" + String(repeating: "x", count: Frame.payloadLimit - 2) + "\"")
    let one = ReadStates.Answer(now: Invented.moment, states: [largest, large]).encoded()
    #expect(try ReadStates.Answer(decoding: one).states.count == 1)
    _ = try Frame(
      topic: "library.main.read-states.",
      body: Invented.envelope(payload: String(decoding: one, as: UTF8.self)).encoded()
    ).encoded()
  }

  @Test func theTraceOfARequest() throws {
    let trace = RequestHandled(
      request: "library.search", id: "q1", from: .web, milliseconds: 1.5, outcome: "done")
    #expect(
      try text(trace)
        == #"{"from":"web@main","id":"q1","milliseconds":1.5,"outcome":"done","request":"library.search"}"#)
  }

  @Test func theCursorsOfReaders() throws {
    let standing = ReadCursors.Progress(reader: "The reader r", node: Invented.den, position: Invented.place(4))
    let json =
      #"{"cursors":[{"node":"playback@den","position":{"epoch":1,"journal":"j","seq":4},"reader":"The reader r"}],"readers":1}"#
    #expect(try text(ReadCursors.Answer(cursors: [standing], readers: 1)) == json)
    #expect(try MessageCoding.decode(ReadCursors.Answer.self, from: json.utf8).cursors == [standing])
  }

  @Test func aMetricAndItsJSON() throws {
    let metric = Metric("lunara_x_total", "X.", .counter, labels: ["a": "b"], value: 1.5)
    let json = #"{"help":"X.","labels":{"a":"b"},"name":"lunara_x_total","type":"counter","value":1.5}"#
    #expect(try text(metric) == json)
    #expect(try MessageCoding.decode(Metric.self, from: json.utf8) == metric)
    let newer = json.replacing("counter", with: "histogram")
    #expect(try MessageCoding.decode(Metric.self, from: newer.utf8).type == .untyped)
    #expect(try text(ReadMetrics()) == "{}")
  }

  @Test func theFiguresOfABus() throws {
    let idle = #"{"bytes":0,"frames":0}"#
    let flows = #"{"answers":\#(idle),"facts":\#(idle),"requests":\#(idle),"signals":\#(idle),"states":\#(idle)}"#
    let json =
      #"{"counts":{"answered":0,"asked":0,"badFrames":0,"connections":0,"factGaps":0,"factsApplied":0,"#
      + #""factsFetched":0,"factsPublished":0,"foreignFrames":0,"handled":0,"heard":\#(flows),"knocksIgnored":0,"pages":0,"#
      + #""refusedFrames":0,"repeated":0,"#
      + #""said":\#(flows),"tapDrops":0,"timedOut":0},"handling":0,"journalHead":7,"lag":0,"openRequests":0,"#
      + #""peers":1,"peersAway":0,"statesHeld":2}"#
    #expect(try text(Invented.busMetrics) == json)
    #expect(try MessageCoding.decode(BusMetrics.self, from: json.utf8) == Invented.busMetrics)
    let older = json.replacing(#""knocksIgnored":0,"#, with: "")
    #expect(try MessageCoding.decode(BusMetrics.self, from: older.utf8).counts.knocksIgnored == nil)
  }

  @Test func theProtocolsPageHasTheirFields() throws {
    let page = try ProtocolPage()
    func check(_ name: String, _ text: String, answer: Bool = false) {
      let section = page.sections[name]
      var keys: Set<String> = []
      _ = Array(text.utf8).withUnsafeBytes {
        JSONSlice.members(of: $0) { key, _ in keys.insert(String(decoding: key, as: UTF8.self)) }
      }
      #expect((answer ? section?.answerFields : section?.fields) == keys, "\(name)")
    }
    check("Presence", try text(Self.elsewhere))
    check("Claim", try text(Self.entry.claim))
    check("Endpoints", try text(Self.entry.endpoints))
    var left = Self.entry
    left.left = true
    check("Roster entry", try text(left))
    check("bus.knock", try text(Probe.Answer(presence: value, roster: [])), answer: true)
    check("bus.read-roster", try text(ReadRoster.Answer(roster: [])), answer: true)
    check("bus.hand-over", try text(HandOver(claim: Self.entry.claim)))
    check("bus.hand-over", try text(HandOver.Answer(inheritance: "")), answer: true)
    check("Journal position", try text(Invented.place(1)))
    check("bus.heartbeat", try text(Heartbeat(presence: value, leaving: true, roster: [], forgotten: [])))
    check("Forgotten node", try text(ForgottenNode(id: Self.entry.id, claim: Self.entry.claim, at: .now())))
    let cursor = ReaderCursor(reader: "r", position: Invented.place(7))
    check(
      "bus.hello",
      try text(Hello(presence: value, inbox: "i", wantsSignals: true, hearsNothing: true, cursors: [cursor])))
    check("Reader cursor", try text(cursor))
    check("bus.read-states", try text(ReadStates(topics: [])))
    check("bus.read-kept", try text(ReadKept(topics: [])))
    check("bus.read-cursors", try text(ReadCursors.Answer(cursors: [], readers: 0)), answer: true)
    let metric = Metric("lunara_x_total", "X.", .counter, labels: ["a": "b"], value: 1.5)
    check("Metric", try text(metric))
    check("bus.read-metrics", try text(ReadMetrics.Answer(metrics: [metric])), answer: true)
    check("Counts", try text(BusMeter()))
    check("bus.metrics", try text(Invented.busMetrics))
    check(
      "bus.request-handled", try text(RequestHandled(request: "", id: "", from: .web, milliseconds: 0, outcome: "")))
    check(
      "bus.read-states", String(decoding: ReadStates.Answer(now: Invented.moment, states: []).encoded(), as: UTF8.self),
      answer: true)
    let page0 = JournalPage(facts: [], through: Invented.place(0), head: 0, oldest: 1, missed: 1)
    check("bus.replay", String(decoding: try Replay.encode(page0, from: .web), as: UTF8.self), answer: true)
    #expect(page.sections["bus.replay"]?.fields == ["from", "time", "position"])
  }
}

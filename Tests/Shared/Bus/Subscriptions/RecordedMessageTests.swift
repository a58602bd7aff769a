import Messages
import Model
import Storage
import TestSupport
import Testing

@testable import Bus

/// Messages that are read back from a recording.
@Suite struct RecordedMessageTests {
  private func read(_ text: String) -> RecordedMessage? { RecordedMessage(line: Array(text.utf8)) }

  @Test func aLineOfTheTapIsRead() {
    let line =
      #"{"time":"2026-11-20T14:30:00.123456Z","node":"playback@den","class":"fact","topic":"playback.den.heard.","#
      + #""kind":"playback.heard","seq":7,"payload":{"b":[1,"}"]},"id":"f1","epoch":3,"journal":"j","new":null}"#
    #expect(
      read(line)
        == RecordedMessage(
          id: "f1", time: Invented.moment, node: Invented.den, delivery: .fact, kind: "playback.heard",
          payload: Array(#"{"b":[1,"}"]}"#.utf8)))
  }

  @Test func invalidLinesAreRefused() {
    let whole = #"{"time":"2026-11-20T14:30:00Z","node":"a@b","class":"state","kind":"a.c","payload":{}}"#
    #expect(read(whole) != nil)
    for broken in [
      "", "{}", "[]", whole.replacing("a@b", with: "ab"), whole.replacing("state", with: "rumour"),
      whole.replacing("a.c", with: "a c"), whole.replacing("a.c", with: "ac"), whole.replacing("2026", with: "x"),
      whole.replacing("payload", with: "load"), String(whole.dropLast()),
    ] { #expect(read(broken) == nil, "\(broken)") }
  }

  @Test func onlyAReplaySpeaksForOthers() throws {
    var envelope = Invented.envelope(NodeID("replay@p1") ?? .web, kind: "playback.state")
    envelope.recordedOf = Invented.den
    #expect(envelope.author == Invented.den && envelope.topic == "playback.den.state.")
    let read = try Envelope(decoding: envelope.encoded())
    #expect(read == envelope && String(decoding: read.encoded(), as: UTF8.self).contains(#","as":"playback@den","#))
    envelope.node = Invented.kitchen
    #expect(envelope.author == Invented.kitchen && envelope.topic == "playback.kitchen.state.")
  }
}

extension Nodes {
  @Suite struct ReplayedMessageTests {
    private let den = NodeID(role: "meter", name: "den") ?? .web

    private func recorded(_ delivery: Delivery, _ message: some Message, at time: Timestamp) throws -> RecordedMessage {
      RecordedMessage(
        id: "r\(time.microseconds)", time: time, node: den, delivery: delivery, kind: type(of: message).kind,
        payload: try MessageCoding.encode(message))
    }

    private func replay(_ bus: TestBus, facts: ClosedRange<Int>) async throws -> (Node, Journal) {
      let journal = try await Journal(try bus.database("replay"))
      for number in facts {
        let fact = try recorded(.fact, Struck(number: number), at: Timestamp(seconds: Int64(number)))
        try await journal.database.write { try journal.append(fact, in: $0) }
      }
      return (try await bus.node("replay@p1", tuning: .init(), journal: journal), journal)
    }

    @Test func aNodeUnderTestTakesAReplayForTheNodesThatWereRecorded() async throws {
      let bus = try TestBus()
      let reader = try await bus.node("reader@main", tuning: .init(isUnderTest: true))
      let (database, other) = (try bus.reader(), try bus.reader("other"))
      await reader.follow("meter", as: "r", in: database) { fact, transaction in
        #expect(fact.node.description == "meter@den" && fact.topic == "meter.den.struck.")
        #expect(fact.time.microseconds == Int64(fact.seq) * 1_000_000)
        try see(fact, transaction)
      }
      await reader.follow("colour", as: "r", in: other, apply: see)
      let levels = await reader.states(Level.self)
      // Facts from before the connection are fetched, those after it arrive live.
      let (node, journal) = try await replay(bus, facts: 1...3)
      #expect(try await eventually(equals: [1, 2, 3]) { try await database.seen() })
      for number in 4...5 {
        let fact = try recorded(.fact, Struck(number: number), at: Timestamp(seconds: Int64(number)))
        try await journal.database.write { try journal.append(fact, in: $0) }
      }
      #expect(try await eventually(equals: [1, 2, 3, 4, 5]) { try await database.seen() })
      await node.publish(try recorded(.state, Level(value: 8), at: Timestamp(seconds: 9)))
      for await shown in levels {
        guard let level = shown.first else { continue }
        #expect(level.value.value == 8 && level.node == den && !level.away && level.saidAt == Timestamp(seconds: 9))
        break
      }
      // A reader of another domain skips them, and its cursor advances all the same.
      let cursors = try await node.request(ReadCursors(), to: reader.id)
      #expect(cursors.readers == 2 && cursors.cursors.filter { $0.node == node.id && $0.position.seq == 5 }.count == 2)
      #expect(try await other.seen() == [])
    }

    @Test func aNodeThatIsNotUnderTestHearsNoReplay() async throws {
      let bus = try TestBus()
      let reader = try await bus.node("reader@main")
      let tested = try await bus.node("tested@main", tuning: .init(isUnderTest: true))
      let (database, other) = (try bus.reader(), try bus.reader("other"))
      await reader.follow("meter", as: "r", in: database, apply: see)
      await tested.follow("meter", as: "r", in: other, apply: see)
      let (node, _) = try await replay(bus, facts: 1...3)
      #expect(try await eventually(equals: [1, 2, 3]) { try await other.seen() })
      #expect(try await database.seen() == [])
      let presence = await node.presence()
      #expect(await reader.refusal(of: presence)?.code == "bus.notUnderTest")
      #expect(await tested.refusal(of: presence) == nil)
      #expect(await node.refusal(of: reader.presence())?.code == "bus.notUnderTest")
      #expect(await node.refusal(of: tested.presence()) == nil)
      #expect(await reader.refusal(of: tested.presence()) == nil)
      #expect(await reader.look { $0.roster.presences }.contains { $0.id.isReplay } == false)
    }

    @Test func aTapShowsAReplay() async throws {
      let bus = try TestBus()
      let tap = try await bus.node("tap@p1")
      let frames = await tap.tap()
      let (node, _) = try await replay(bus, facts: 1...1)
      #expect(
        await eventually(contains: node.id) { await tap.look { $0.roster.presences.map(\.id) } })
      await node.publish(try recorded(.state, Level(value: 8), at: Timestamp(seconds: 9)))
      for await frame in frames where frame.topic == "meter.den.level." { break }
    }
  }
}

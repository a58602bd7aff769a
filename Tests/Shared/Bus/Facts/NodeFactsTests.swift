import Messages
import Model
import Storage
import Synchronization
import TestSupport
import Testing

@testable import Bus

extension Nodes {
  @Suite struct NodeFactsTests {
    @Test(arguments: [true, false])
    func itDoesNotMatterWhetherOneFollowsBeforeOrAfterThePublisherIsThere(isFirst: Bool) async throws {
      let bus = try TestBus()
      let (source, store) = (try bus.database("source"), try bus.reader())
      let reader = try await bus.node("web@main")
      if isFirst { await reader.follow("meter", as: "r", in: store, apply: see) }
      let journal = try await Journal(source)
      try await journal.strike(1...3)
      let meter = try await Node.start(NodeID("meter@main") ?? .web, in: bus.directory, journal: journal)
      if !isFirst {
        #expect(await eventually(equals: 1) { await reader.roster.presences.count })
        await reader.follow("meter", as: "r", in: store, apply: see)
      }
      try await journal.strike(4...6)
      #expect(try await eventually(equals: Array(1...6)) { try await store.seen() })
      await meter.close()
      await reader.close()
      await source.close()
      await store.close()
    }

    @Test func aFactThatCannotBeAppliedHoldsItsReaderOnlyAndIsReportedAndShowsAsLag() async throws {
      let bus = try TestBus()
      let (source, held, free) = (try bus.database("source"), try bus.reader("held"), try bus.reader("free"))
      let journal = try await Journal(source)
      let meter = try await Node.start(NodeID("meter@main") ?? .web, in: bus.directory, journal: journal)
      let (reports, said) = AsyncStream.makeStream(of: LunaraError.self)
      let reader = try await Node.start(.web, in: bus.directory, report: { said.yield($0) })
      let isPoisoned = Mutex(true)
      await reader.follow("meter", as: "held", in: held) { fact, transaction in
        if try fact.decode(Struck.self)?.number == 4, isPoisoned.withLock({ $0 }) {
          throw LunaraError("meter.poison", "4")
        }
        try see(fact, transaction)
      }
      await reader.follow("meter", as: "free", in: free, apply: see)
      try await journal.strike(1...8)
      #expect(await reports.first { _ in true }?.code == "meter.poison")
      #expect(try await eventually(equals: Array(1...8)) { try await free.seen() })
      #expect(try await eventually(equals: [1, 2, 3]) { try await held.seen() })
      #expect(await eventually(equals: 5) { await reader.presence().lag })
      isPoisoned.withLock { $0 = false }
      #expect(try await eventually(equals: Array(1...8)) { try await held.seen() })
      #expect(await eventually(equals: 0) { await reader.presence().lag })
      await meter.close()
      await reader.close()
      for database in [source, held, free] { await database.close() }
    }

    @Test func aBurstThatSmallBuffersCannotHoldArrivesWholeAndInOrder() async throws {
      let bus = try TestBus()
      let (source, store) = (try bus.database("source"), try bus.reader())
      let journal = try await Journal(source)
      // The largest buffer that Debian's kernel allows.
      let tuning = Node.Tuning(bufferSize: 208 * 1024)
      let meter = try await bus.node("meter@main", tuning: tuning, journal: journal)
      let reader = try await bus.node("web@main", tuning: tuning)
      await reader.follow("meter", as: "r", in: store, apply: see)
      try await journal.appendBurst(in: source)
      #expect(try await eventually(atLeast: 5000) { try await store.seen().count })
      #expect(try await store.seen() == Array(1...5000))
      await meter.close()
      await reader.close()
      await source.close()
      await store.close()
    }

    @Test func aSlowReaderHoldsUpNeitherThePublisherNorAnotherReader() async throws {
      let bus = try TestBus()
      let (source, store) = (try bus.database("source"), try bus.reader())
      let journal = try await Journal(source)
      let meter = try await Node.start(NodeID("meter@main") ?? .web, in: bus.directory, journal: journal)
      let reader = try await bus.node("web@main")
      let (gate, open) = AsyncStream.makeStream(of: Void.self)
      let slow = Mutex<[Int]>([])
      await reader.follow("meter", from: .oldest) { fact in
        if slow.withLock({ $0.isEmpty }) { for await _ in gate {} }
        guard let number = try? fact.decode(Struck.self)?.number else { return }
        slow.withLock { $0.append(number) }
      }
      await reader.follow("meter", as: "quick", in: store, apply: see)
      try await journal.strike(1...50, padding: String(repeating: "x", count: 50_000))
      #expect(try await eventually(equals: Array(1...50)) { try await store.seen() })
      #expect(slow.withLock { $0.isEmpty })
      open.finish()
      #expect(await eventually(equals: Array(1...50)) { slow.withLock { $0 } })
      await meter.close()
      await reader.close()
      await source.close()
      await store.close()
    }

    @Test func pagesComeOverAConnectionOfTheirOwnThatEndsWithTheReading() async throws {
      let bus = try TestBus()
      let (source, store) = (try bus.database("source"), try bus.reader())
      let journal = try await Journal(source)
      try await journal.strike(1...1000)
      let meter = try await bus.stillNode("meter@main", journal: journal)
      await meter.serve(ReadMeter.self) { _, _ in "here" }
      let reader = try await bus.stillNode("web@main")
      await reader.follow("meter", as: "r", in: store, apply: see)
      #expect(try await eventually(equals: Array(1...1000)) { try await store.seen() })
      #expect(try await reader.request(ReadMeter(), to: meter.id) == "here")
      // The nodes' periodic work is disabled, so neither connection was closed yet.
      #expect(
        await reader.look { $0.transport.connections[meter.id].map { $0.pages?.socket.isConnected == true } ?? false })
      #expect(await reader.look { $0.transport.connections[meter.id]?.socket.isConnected ?? false })
      await reader.look { $0.closeIdlePageSockets() }
      #expect(await reader.look { $0.transport.connections[meter.id].map { $0.pages == nil } ?? false })
      #expect(try await reader.request(ReadMeter(), to: meter.id) == "here")
      try await journal.strike(1001...1003)
      #expect(try await eventually(equals: Array(1...1003)) { try await store.seen() })
      await meter.close()
      await reader.close()
      await source.close()
      await store.close()
    }

    @Test func aReaderFollowsAWipedJournalFromItsBeginning() async throws {
      let bus = try TestBus()
      let store = try bus.reader()
      let reader = try await bus.node("web@main")
      await reader.follow("meter", as: "r", in: store, apply: see)
      for round in 1...3 {
        let source = try bus.database("source\(round)")
        let journal = try await Journal(source)
        let meter = try await Node.start(NodeID("meter@main") ?? .web, in: bus.directory, journal: journal)
        try await journal.strike((round * 10)..<(round * 10 + 4 - round))
        #expect(try await eventually(equals: round * 10 + 3 - round) { try await store.seen().last })
        await meter.close()
        await source.close()
      }
      #expect(try await store.seen() == [10, 11, 12, 20, 21, 30])
      await reader.close()
      await store.close()
    }

    @Test func lostFactsAreNoticedBeforeTheNextSecond() async throws {
      let bus = try TestBus()
      let source = try bus.database("source")
      let journal = try await Journal(source)
      // All facts and states are lost; only heartbeats arrive.
      let meter = try await bus.stillNode("meter@main", journal: journal) { $0.topic.hasSuffix(".heartbeat.") }
      let reader = try await bus.stillNode("web@main")
      let (facts, heard) = AsyncStream.makeStream(of: Int.self)
      await reader.follow("meter", from: .head) { fact in
        if let number = try? fact.decode(Struck.self)?.number { heard.yield(number) }
      }
      let levels = await reader.states(Level.self)
      #expect(await eventually(equals: 1) { await reader.look { $0.facts.list.first?.loops.count } })
      var iterator = facts.makeAsyncIterator()
      for number in 1...5 {
        try await source.write { try journal.append(Struck(number: number), in: $0) }
        #expect(await iterator.next() == number)
        await meter.publish(Level(value: number))
        for await snapshot in levels where snapshot.first?.value.value == number { break }
      }
      await meter.close()
      await reader.close()
      await source.close()
    }

    @Test func whatWasCommittedBeforeTheCloseIsSaidAndKept() async throws {
      let bus = try TestBus()
      let (source, store) = (try bus.database("source"), try bus.reader())
      let reader = try await bus.node("web@main")
      await reader.follow("meter", as: "r", in: store, apply: see)
      for round in 0..<5 {
        let journal = try await Journal(source)
        let meter = try await Node.start(NodeID("meter@main") ?? .web, in: bus.directory, journal: journal)
        try await journal.strike((round * 10)..<(round * 10 + 10))
        await meter.close()
      }
      let journal = try await Journal(source)
      let meter = try await Node.start(NodeID("meter@main") ?? .web, in: bus.directory, journal: journal)
      #expect(try await eventually(equals: Array(0..<50)) { try await store.seen() })
      await meter.close()
      await reader.close()
      await source.close()
      await store.close()
    }

    @Test func aNodeWithoutAJournalSaysSo() async throws {
      let bus = try TestBus()
      let meter = try await bus.node("meter@main")
      let client = Node.client(in: bus.directory)
      let payload = try MessageCoding.encode(Replay(start: .oldest))
      #expect(
        await code { try await client.ask(kind: Replay.kind, payload: payload, to: meter.id, within: .seconds(5)) }
          == "bus.noJournal")
      await meter.close()
    }
  }
}

@Suite struct FactReaderLoopBacklogTests {
  let backlog = Machine(FactReaderLoop.Backlog())

  @Test func pendingFactsAreTakenTogetherInOrderOnce() {
    #expect(backlog { $0.removeBatch() } == nil)
    for seq in 1...3 { backlog { $0.add(Invented.fact(Int64(seq))) } }
    backlog { $0.add(head: Invented.place(3)) }
    let batch = backlog { $0.removeBatch() }
    #expect(batch?.facts.map(\.seq) == [1, 2, 3])
    #expect(batch?.head == Invented.place(3))
    #expect(batch?.isCut == false)
    #expect(backlog { $0.removeBatch() } == nil)
  }

  @Test func onlyTheNewestHeadWaits() {
    for seq in 1...1000 { backlog { $0.add(head: Invented.place(Int64(seq))) } }
    #expect(backlog { $0.removeBatch() }?.head == Invented.place(1000))
  }

  @Test func beyondTheLimitFactsAreLeftToThePublisherAndTheBatchSaysSo() {
    for seq in 1...100 { backlog { $0.add(Invented.fact(Int64(seq), size: 20_000)) } }
    let batch = backlog { $0.removeBatch() }
    #expect(batch?.isCut == true)
    #expect(batch?.facts.map(\.seq) == Array(1...26))
    backlog { $0.add(Invented.fact(101)) }
    #expect(backlog { $0.removeBatch() }?.facts.map(\.seq) == [101])
  }

  @Test func oneFactLargerThanTheLimitIsStillTaken() {
    backlog { $0.add(Invented.fact(1, size: FactReaderLoop.Backlog.sizeLimit + 1)) }
    #expect(backlog { $0.removeBatch() }?.facts.count == 1)
  }

  @Test func aHeadThatSaysNothingNewDoesNotWakeASettledReader() {
    backlog { $0.markRead(to: Invented.place(5)) }
    backlog { $0.add(head: Invented.place(5)) }
    #expect(backlog { $0.removeBatch() } == nil)
    backlog { $0.add(head: Invented.place(5, epoch: 2)) }
    #expect(backlog { $0.removeBatch() } != nil)
    backlog { $0.markRead(to: nil) }
    backlog { $0.add(head: Invented.place(5)) }
    #expect(backlog { $0.removeBatch() } != nil)
  }
}

import Messages
import Model
import Storage
import Synchronization
import TestSupport
import Testing

@testable import Bus

extension Nodes {
  /// A node that stops, or is killed, and starts again under its name.
  @Suite struct RestartTests {
    /// Ends a node as a kill does: no goodbye, stale sockets, a free name.
    private func kill(_ node: Node) async { await node.die() }

    @Test func aQuestionAskedWhileANodeIsGoneIsAnsweredByTheNewProcess() async throws {
      let bus = try TestBus()
      let asker = try await bus.node("web@main")
      for way in ["closed", "killed"] {
        let meter = try await bus.node("meter@main")
        await meter.serve(ReadMeter.self) { _, _ in "old" }
        #expect(try await asker.request(ReadMeter(), to: meter.id) == "old")
        if way == "closed" { await meter.close() } else { await kill(meter) }
        async let answer = asker.request(ReadMeter(), to: meter.id, within: .seconds(20))
        #expect(await eventually { await asker.look { $0.outgoing.table.isWaiting(for: meter.id) } })
        let again = try await bus.node("meter@main")
        await again.serve(ReadMeter.self) { _, _ in "new" }
        #expect(try await answer == "new")
        await again.close()
      }
      await asker.close()
    }

    @Test func aReadThatDiedWithItsNodeIsAnsweredByTheNewProcess() async throws {
      let bus = try TestBus()
      let meter = try await bus.node("meter@main")
      await meter.serve(ReadMeter.self) { _, _ in
        try await Task.sleep(for: .seconds(60))
        return "old"
      }
      let asker = try await bus.node("web@main")
      async let answer = asker.request(ReadMeter(), to: meter.id, within: .seconds(20))
      #expect(await eventually { await !meter.incoming.open.isEmpty })
      await kill(meter)
      let again = try await bus.node("meter@main")
      await again.serve(ReadMeter.self) { _, _ in "new" }
      #expect(try await answer == "new")
      await again.close()
      await asker.close()
    }

    @Test func aCommandThatMayHaveBeenCarriedOutIsNotCarriedOutAgain() async throws {
      let bus = try TestBus()
      let runs = Mutex(0)
      let meter = try await bus.node("meter@main")
      await meter.serve(Strike.self) { _, _ in
        runs.withLock { $0 += 1 }
        try await Task.sleep(for: .seconds(60))
        return 1
      }
      let asker = try await bus.node("web@main")
      #expect(await eventually { await asker.roster.epoch(of: meter.id) != nil })
      async let outcome = code { try await asker.request(Strike(number: 1), to: meter.id, within: .seconds(20)) }
      #expect(await eventually(equals: 1) { runs.withLock { $0 } })
      await kill(meter)
      let again = try await bus.node("meter@main")
      await again.serve(Strike.self) { _, _ in
        runs.withLock { $0 += 1 }
        return 2
      }
      #expect(await outcome == "bus.outcomeUnknown")
      #expect(runs.withLock { $0 } == 1)
      await again.close()
      await asker.close()
    }

    @Test func aCommandWhoseAnswerWasStoredWithItsEffectIsAnsweredAfterTheRestart() async throws {
      let bus = try TestBus()
      let database = try bus.reader("meter")
      let asker = try await bus.node("web@main")
      let id = RequestID.random()
      let runs = Mutex(0)
      @Sendable func strike(_ request: Strike, _ context: RequestContext) async throws -> Int {
        runs.withLock { $0 += 1 }
        try await database.write { transaction in
          try transaction.execute("INSERT INTO seen VALUES (?)", request.number)
          try context.record(request.number * 10, in: transaction)
        }
        // The kill comes between the effect and the answer.
        try await Task.sleep(for: .seconds(60))
        return 0
      }
      let meter = try await bus.node("meter@main", database: database)
      await meter.serve(Strike.self, strike)
      #expect(await eventually { await asker.roster.epoch(of: meter.id) != nil })
      async let answer = asker.request(Strike(number: 4), to: meter.id, within: .seconds(20), id: id)
      #expect(try await eventually(equals: [4]) { try await database.seen() })
      await kill(meter)
      let again = try await bus.node("meter@main", database: database)
      await again.serve(Strike.self, strike)
      #expect(try await answer == 40)
      // Another client sends the same command, without knowing of the restart.
      let client = Node.client(in: bus.directory)
      #expect(try await client.request(Strike(number: 4), to: meter.id, id: id) == 40)
      #expect(runs.withLock { $0 } == 1)
      #expect(try await database.seen() == [4])
      await again.close()
      await asker.close()
      await database.close()
    }

    @Test func aCommandThatNoProcessCanHaveGotIsCarriedOutByTheNewOne() async throws {
      let bus = try TestBus()
      let asker = try await bus.node("web@main")
      let meter = try await bus.node("meter@main")
      #expect(await eventually { await asker.roster.epoch(of: meter.id) != nil })
      await meter.die(leavingFiles: false)
      #expect(
        await eventually {
          await asker.look {
            $0.transport.connections[meter.id].map { !$0.socket.send([], header: [0x80, 0, 0, 1]) } ?? true
          }
        })
      async let answer = asker.request(Strike(number: 2), to: meter.id, within: .seconds(20))
      // The client sends the command to the run that has ended.
      #expect(
        await eventually(contains: meter.epoch) {
          await asker.look { $0.outgoing.table.pending.values.map(\.command?.target) }
        })
      let again = try await bus.node("meter@main")
      await again.serve(Strike.self) { request, _ in request.number }
      #expect(try await answer == 2)
      await again.close()
      await asker.close()
    }

    @Test func aNodeRestartedWithinItsLeaseIsHeardAndHearsAtOnce() async throws {
      let bus = try TestBus()
      let source = try bus.database("source")
      let reader = try await bus.stillNode("web@main")
      let levels = await reader.states(Level.self)
      let (facts, struck) = AsyncStream.makeStream(of: Int.self)
      await reader.follow("meter", from: .head) { fact in
        if let number = try? fact.decode(Struck.self)?.number { struck.yield(number) }
      }
      await reader.publish(Colour(name: "red"))
      var factIterator = facts.makeAsyncIterator()
      for round in 1...3 {
        let journal = try await Journal(source)
        let meter = try await bus.stillNode("meter@main", journal: journal)
        let colours = await meter.states(Colour.self)
        await meter.publish(Level(value: round))
        if round > 1 { try await journal.strike([round]) }
        for await snapshot in levels where snapshot.first?.value.value == round { break }
        for await snapshot in colours where snapshot.first?.value.name == "red" { break }
        if round > 1 { #expect(await factIterator.next() == round) }
        await kill(meter)
      }
      await reader.close()
      await source.close()
    }

    @Test func manyRestartsOfAPeerLeaveOneConnectionEachWay() async throws {
      let bus = try TestBus()
      let reader = try await bus.node("web@main")
      for round in 0..<12 {
        let meter = try await bus.node("meter@main")
        #expect(
          await eventually {
            let (out, back) = (
              await reader.look { $0.transport.subscribers.count }, await meter.look { $0.transport.subscribers.count }
            )
            return out == 1 && back == 1
          })
        #expect(await reader.look { $0.transport.connections.count } <= 1)
        if round.isMultiple(of: 2) { await meter.close() } else { await kill(meter) }
      }
      let passing = try await bus.node("tap@p1")
      #expect(await eventually { await reader.roster.peers[passing.id] != nil })
      await passing.close()
      #expect(
        await eventually {
          await reader.look { $0.roster.peers[passing.id] == nil && $0.transport.connections[passing.id] == nil }
        })
      #expect(await reader.roster.peers.count == 1)
      await reader.close()
    }

    @Test func aNodeThatStopsBeforeAnybodyHeardItIsNoticedAllTheSame() async throws {
      let bus = try TestBus()
      let reader = try await bus.stillNode("web@main")
      for _ in 0..<10 {
        let meter = try await bus.stillNode("meter@main")
        await meter.close()
        #expect(
          await eventually {
            await reader.roster.presences
          } satisfies: {
            $0.allSatisfy(\.away)
          })
      }
      await reader.close()
    }
  }
}

extension Node {
  /// Ends this node as a kill ends its process: it sends nothing, its sockets stay as files, its name is free.
  func die(leavingFiles: Bool = true) {
    isClosed = true
    journal?.sendQueue.connect(nil)
    transport.ignoreAll()
    let files = [directory.inbox(of: id), directory.requestAddress(of: id)].map { String($0.dropFirst(6)) }
    transport.close()
    peerSearch.probes = [:]
    // A killed process leaves socket files; `close` has removed them here, so they are made again.
    if leavingFiles { for file in files { TestFiles.makeStaleSocket(at: file) } }
    for loop in facts.removeAll() { Task { await loop.stop() } }
    lock = nil
  }
}

import Bus
import Messages
import Model
import Storage
import Synchronization
import TestSupport
import Testing

private struct Twice: CommandRequest {
  static let kind = "meter.twice"
  typealias Answer = Int
  var number: Int
}

extension Nodes {
  @Suite struct NodeTests {
    @Test func aReaderThatComesLateGetsTheNewestStateAtOnce() async throws {
      let bus = try TestBus()
      let meter = try await bus.node("meter@main")
      await meter.publish(Level(value: 1))
      await meter.publish(Level(value: 2))
      let reader = try await bus.node("web@main")
      var seen: [Int] = []
      for await snapshot in await reader.states(Level.self) {
        seen += snapshot.map(\.value.value)
        if seen.last == 2 { break }
      }
      #expect(seen == [2])
      await meter.close()
      await reader.close()
    }

    @Test func aStateReachesItsReadersWhenItChanges() async throws {
      let bus = try TestBus()
      let meter = try await bus.node("meter@main")
      let reader = try await bus.node("web@main")
      var iterator = await reader.states(Level.self).makeAsyncIterator()
      _ = await iterator.next()
      for value in 1...20 {
        await meter.publish(Level(value: value))
        while let snapshot = await iterator.next(), snapshot.last?.value.value != value {}
      }
      await meter.close()
      await reader.close()
    }

    @Test func aRequestIsAnsweredAndItsErrorsArriveUnchanged() async throws {
      let bus = try TestBus()
      let meter = try await bus.node("meter@main")
      await meter.serve(Twice.self) { request, _ in
        guard request.number < 100 else { throw LunaraError("meter.tooMuch", "Too much.", cause: "100") }
        return request.number * 2
      }
      let client = Node.client(in: bus.directory)
      #expect(client.nodes() == [meter.id])
      #expect(try await client.request(Twice(number: 21), to: meter.id) == 42)
      await #expect(throws: LunaraError("meter.tooMuch", "Too much.", cause: "100")) {
        _ = try await client.request(Twice(number: 100), to: meter.id)
      }
      await meter.close()
    }

    @Test func manyRequestsInFlightEachFindTheirAnswer() async throws {
      let bus = try TestBus()
      let meter = try await bus.node("meter@main")
      await meter.serve(Twice.self) { request, _ in request.number * 2 }
      let client = Node.client(in: bus.directory)
      try await withThrowingTaskGroup(of: Bool.self) { group in
        for number in 0..<300 {
          group.addTask { try await client.request(Twice(number: number), to: meter.id) == number * 2 }
        }
        for try await isRight in group { #expect(isRight) }
      }
      await meter.close()
    }

    @Test func aCommandAskedTwiceUnderOneIDIsRunOnce() async throws {
      let bus = try TestBus()
      let meter = try await bus.node("meter@main")
      let runs = Mutex(0)
      await meter.serve(Twice.self) { request, _ in
        runs.withLock { $0 += 1 }
        return request.number * 2
      }
      let client = Node.client(in: bus.directory)
      let id = RequestID.random()
      let first = try await client.request(Twice(number: 3), to: meter.id, id: id)
      let second = try await client.request(Twice(number: 3), to: meter.id, id: id)
      #expect(first == 6)
      #expect(second == 6)
      #expect(runs.withLock { $0 } == 1)
      await meter.close()
    }

    @Test func anUnreachableNodeIsATypedErrorWithinTheDeadline() async throws {
      let bus = try TestBus()
      let client = Node.client(in: bus.directory)
      await #expect {
        _ = try await client.request(Twice(number: 1), to: .library, within: .milliseconds(200))
      } throws: {
        ($0 as? LunaraError)?.code == "bus.unreachable"
      }
    }

    @Test func aNameIsHeldByOneProcessAndTheSecondIsToldThePid() async throws {
      let bus = try TestBus()
      let meter = try await bus.node("meter@main")
      await #expect { _ = try await bus.node("meter@main") } throws: {
        let error = $0 as? LunaraError
        return error?.code == "bus.nameHeld" && error?.message.contains("pid") == true
      }
      await meter.close()
      let again = try await bus.node("meter@main")
      await again.close()
    }

    @Test func factsOfBeforeAndAfterTheReaderCameTakeEffectOnceAndInOrder() async throws {
      let bus = try TestBus()
      let source = try bus.database("source")
      let journal = try await Journal(source)
      let meter = try await Node.start(
        NodeID("meter@main") ?? .web, in: bus.directory, journal: journal, report: { print("REPORT", $0) })
      for number in 1...500 {
        try await source.write { try journal.append(Struck(number: number), in: $0) }
      }
      let database = try bus.database("reader", migrations: [Migration("seen", "CREATE TABLE seen (number INTEGER)")])
      var reader = try await bus.node("scrobble@main")
      await reader.follow("meter", as: "reader", in: database, apply: record)
      for number in 501...700 {
        try await source.write { try journal.append(Struck(number: number), in: $0) }
      }
      #expect(try await eventually(atLeast: 700) { try await numbers(database).count })
      // The reader stops, misses some facts, and starts again.
      await reader.close()
      for number in 701...900 {
        try await source.write { try journal.append(Struck(number: number), in: $0) }
      }
      reader = try await bus.node("scrobble@main")
      await reader.follow("meter", as: "reader", in: database, apply: record)
      #expect(try await eventually(atLeast: 900) { try await numbers(database).count })
      #expect(try await numbers(database) == Array(1...900))
      await reader.close()
      await meter.close()
      await database.close()
      await source.close()
    }

    @Test func aNodeThatStopsIsAwayAtOnceAndBackWhenItReturns() async throws {
      let bus = try TestBus()
      let reader = try await bus.node("web@main")
      var meter = try await bus.node("meter@main")
      var iterator = await reader.presences().makeAsyncIterator()
      while let list = await iterator.next(), !list.contains(where: { $0.id == meter.id && !$0.away }) {}
      await meter.close()
      while let list = await iterator.next(), !list.contains(where: { $0.id == meter.id && $0.away }) {}
      meter = try await bus.node("meter@main")
      while let list = await iterator.next(), !list.contains(where: { $0.id == meter.id && !$0.away }) {}
      await meter.close()
      await reader.close()
    }

    @Sendable private func record(_ fact: ReceivedFact, _ transaction: Transaction) throws {
      guard let struck = try fact.decode(Struck.self) else { return }
      try transaction.execute("INSERT INTO seen VALUES (?)", struck.number)
    }

    private func numbers(_ database: Database) async throws -> [Int] {
      try await database.read { try $0.rows("SELECT number FROM seen ORDER BY rowid") { try $0.value(0) } }
    }
  }
}

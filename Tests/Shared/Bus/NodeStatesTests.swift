import Messages
import Model
import Storage
import TestSupport
import Testing

@testable import Bus

extension Nodes {
  @Suite struct NodeStatesTests {
    /// Reads snapshots until one is right.
    private func wait<S: State>(for stream: AsyncStream<[Observed<S>]>, _ isRight: ([Observed<S>]) -> Bool) async
      -> Bool
    {
      for await snapshot in stream where isRight(snapshot) { return true }
      return false
    }

    @Test func aReaderThatIsThereFirstHearsAPublisherThatComesLater() async throws {
      let bus = try TestBus()
      let reader = try await bus.node("web@main")
      let states = await reader.states(Level.self)
      let meter = try await bus.node("meter@main")
      await meter.publish(Level(value: 7))
      #expect(await wait(for: states) { $0.map(\.value.value) == [7] })
      await meter.close()
      await reader.close()
    }

    @Test func aStateThatIsYoungerThanTheLastHeartbeatIsFoundAtOnce() async throws {
      let bus = try TestBus()
      let reader = try await bus.stillNode("web@main")
      let meter = try await bus.stillNode("meter@main")
      #expect(await eventually { await !reader.roster.presences.isEmpty })
      await meter.publish(Level(value: 1))
      #expect(await wait(for: await reader.states(Level.self)) { $0.map(\.value.value) == [1] })
      await meter.close()
      await reader.close()
    }

    @Test func twoWatchersOfOneKindAndOneOfAnotherAllHear() async throws {
      let bus = try TestBus()
      let meter = try await bus.node("meter@main")
      let reader = try await bus.node("web@main")
      let (first, second) = (await reader.states(Level.self), await reader.states(Level.self))
      let other = await reader.states(Colour.self)
      await meter.publish(Level(value: 3))
      await meter.publish(Colour(name: "red"))
      #expect(await wait(for: first) { $0.first?.value.value == 3 })
      #expect(await wait(for: second) { $0.first?.value.value == 3 })
      #expect(await wait(for: other) { $0.first?.value.name == "red" })
      await meter.close()
      await reader.close()
    }

    @Test func anEqualValueIsNotSaidAgain() async throws {
      let bus = try TestBus()
      let meter = try await bus.node("meter@main")
      await meter.publish(Level(value: 3))
      await meter.publish(Level(value: 3))
      #expect(await meter.look { $0.states.own.versions.values.sorted() } == [1])
      await meter.publish(Level(value: 4))
      #expect(await meter.look { $0.states.own.versions.values.sorted() } == [2])
      await meter.close()
    }

    @Test func aStateThatIsTooLargeIsReportedAndTheOneBeforeStands() async throws {
      let bus = try TestBus()
      let (reports, said) = AsyncStream.makeStream(of: LunaraError.self)
      let meter = try await Node.start(NodeID("meter@main") ?? .web, in: bus.directory, report: { said.yield($0) })
      await meter.publish(Level(value: 1))
      await meter.publish(Level(value: 2, padding: String(repeating: "x", count: Frame.sizeLimit)))
      #expect(await reports.first { _ in true }?.code == "bus.frameTooLarge")
      let guest = Node.guest(in: bus.directory)
      #expect(try await guest.state(Level.self, of: meter.id)?.value == Level(value: 1))
      await meter.close()
    }

    @Test func statesThatDoNotFitIntoOneAnswerAreAllFetched() async throws {
      let bus = try TestBus()
      let meter = try await bus.node("meter@main")
      let padding = String(repeating: "\"\\", count: 60_000)
      await meter.publish(Level(value: 1, padding: padding))
      await meter.publish(Colour(name: padding))
      let reader = try await bus.node("web@main")
      let (levels, colours) = (await reader.states(Level.self), await reader.states(Colour.self))
      #expect(await wait(for: levels) { $0.first?.value.padding == padding })
      #expect(await wait(for: colours) { $0.first?.value.name == padding })
      await meter.close()
      await reader.close()
    }

    @Test func aFetchedStateIsAsOldAsItsPublisherSays() async throws {
      let bus = try TestBus()
      let meter = try await bus.node("meter@main")
      await meter.publish(Level(value: 1))
      let saidAt = Timestamp.now()
      #expect(await eventually { Timestamp.now() - saidAt > Milliseconds(150) })
      let reader = try await bus.node("web@main")
      for await snapshot in await reader.states(Level.self) {
        guard let observed = snapshot.first else { continue }
        #expect(observed.age >= Milliseconds(140))
        #expect(observed.age < Milliseconds(60_000))
        break
      }
      await meter.close()
      await reader.close()
    }

    @Test func whatANodeSaysAfterARestartIsNewerThanAllBefore() async throws {
      let bus = try TestBus()
      let reader = try await bus.node("web@main")
      let states = await reader.states(Level.self)
      // With a journal its numbers start at one, and a wiped one starts at one again.
      for round in 1...3 {
        let database = try bus.database("meter\(round)")
        let meter = try await bus.node("meter@main", database: database)
        for value in (6 + round)..<10 { await meter.publish(Level(value: round * 100 + value)) }
        #expect(await wait(for: states) { $0.first.map { $0.value.value == round * 100 + 9 && !$0.away } ?? false })
        await meter.close()
        await database.close()
      }
      await reader.close()
    }

    @Test func theLastWordOfAFormerRunIsNotTakenForOneOfTheNewRun() async throws {
      let bus = try TestBus()
      let reader = try await bus.node("web@main")
      let states = await reader.states(Level.self)
      var meter = try await bus.node("meter@main")
      await meter.publish(Level(value: 1))
      #expect(await wait(for: states) { $0.map(\.value.value) == [1] && !$0[0].away })
      await meter.die()
      meter = try await bus.node("meter@main")
      let (id, epoch) = (meter.id, meter.epoch)
      #expect(await eventually { await reader.roster.epoch(of: id) == epoch })
      // It is there, and has said nothing yet.
      let known = await reader.snapshot(of: Level.self)
      #expect(known.map(\.value.value) == [1] && known.map(\.away) == [true])
      await meter.publish(Level(value: 2))
      #expect(await wait(for: states) { $0.map(\.value.value) == [2] && !$0[0].away })
      await meter.close()
      await reader.close()
    }

    @Test func streamsEndWhenTheirNodeCloses() async throws {
      let bus = try TestBus()
      let node = try await bus.node("web@main")
      let (states, presences, frames) = (await node.states(Level.self), await node.presences(), await node.tap())
      async let ended = (
        states.reduce(0) { count, _ in count + 1 }, presences.reduce(0) { count, _ in count + 1 },
        frames.reduce(0) { count, _ in count + 1 }
      )
      await node.close()
      _ = await ended
      var late = await node.states(Level.self).makeAsyncIterator()
      #expect(await late.next() == nil)
      #expect(await node.look { $0.states.watchers.isEmpty })
    }

    @Test func aWatcherThatLeavesIsForgotten() async throws {
      let bus = try TestBus()
      let node = try await bus.node("web@main")
      for _ in 0..<20 {
        for await _ in await node.states(Level.self) { break }
        let frames = await node.tap()
        withExtendedLifetime(frames) {}
      }
      #expect(await eventually { await node.look { $0.states.watchers.isEmpty && $0.taps.isEmpty } })
      await node.close()
    }
  }
}

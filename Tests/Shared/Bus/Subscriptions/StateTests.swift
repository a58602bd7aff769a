import Messages
import Model
import Storage
import TestSupport
import Testing

@testable import Bus

extension Nodes {
  @Suite struct NodeStatesTests {
    /// Reads snapshots until one matches.
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
      let client = Node.client(in: bus.directory)
      #expect(try await client.state(Level.self, of: meter.id)?.value == Level(value: 1))
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
      #expect(await eventually(above: Milliseconds(150)) { Timestamp.now() - saidAt })
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
      // With a journal the numbers of states start at one, and after a wipe they start at one again.
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
      #expect(await eventually(equals: epoch) { await reader.roster.epoch(of: id) })
      // The new run is known, and has published nothing yet.
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

@Suite struct StateTableTests {
  let clock = Machine(Clock())
  let table = Machine(StateTable())

  private func apply(epoch: Int64, version: Int64, payload: String = "{}") -> Bool {
    table {
      $0.apply(
        Invented.envelope(epoch: epoch, version: version, payload: payload), topic: "t.", at: clock.state.now)
    }
  }

  @Test func statesOrderByEpochThenVersion() {
    #expect(apply(epoch: 2, version: 3))
    #expect(!apply(epoch: 2, version: 3))
    #expect(!apply(epoch: 2, version: 2))
    #expect(!apply(epoch: 1, version: 99))
    #expect(apply(epoch: 2, version: 4))
    #expect(apply(epoch: 3, version: 1))
  }

  @Test func anEqualValueGetsNoVersionAndAChangedOneTheNext() {
    #expect(table { $0.version(for: "t.", payload: Array("1".utf8)) } == 1)
    #expect(apply(epoch: 1, version: 1, payload: "1"))
    #expect(table { $0.version(for: "t.", payload: Array("1".utf8)) } == nil)
    #expect(table { $0.version(for: "t.", payload: Array("2".utf8)) } == 2)
    #expect(table { $0.version(for: "u.", payload: Array("1".utf8)) } == 3)
  }

  @Test func staleTopicsAreThoseWithNewerVersionsAndThoseNeverHeard() {
    _ = apply(epoch: 2, version: 5)
    #expect(table.state.stale(against: Invented.presence(epoch: 2, states: ["t.": 5, "u.": 1])) == ["u."])
    #expect(table.state.stale(against: Invented.presence(epoch: 2, states: ["t.": 6])) == ["t."])
    #expect(table.state.stale(against: Invented.presence(epoch: 3, states: ["t.": 1])) == ["t."])
    #expect(table.state.stale(against: Invented.presence(epoch: 1, states: ["t.": 9])) == [])
  }

  @Test func aNodeThatRunsAnewMayCountFromOneAgain() {
    _ = apply(epoch: 57, version: 9, payload: "1")
    table { $0.outrank(Invented.den) }
    #expect(!apply(epoch: 1, version: 1))
    table { $0.outrank(Invented.kitchen) }
    #expect(table.state.states(ofKind: "playback.state").count == 1)
    #expect(table.state.stale(against: Invented.presence(epoch: 1, states: ["t.": 1])) == ["t."])
    #expect(apply(epoch: 1, version: 1))
  }

  @Test func statesOfAForgottenNodeAreRemoved() {
    _ = apply(epoch: 1, version: 1)
    table { $0.forget(Invented.den) }
    #expect(table.state.versions == ["t.": 1])
    table { $0.forget(Invented.kitchen) }
    #expect(table.state.versions.isEmpty)
  }

  @Test func theAgeAtWhichAStateWasHeardIsKeptAndNeverNegative() {
    _ = table {
      $0.apply(
        Invented.envelope(version: 1), topic: "t.", at: clock.state.now, age: Milliseconds(61_000))
    }
    #expect(table.state.held["t."]?.ageWhenHeard == Milliseconds(61_000))
    _ = table { $0.apply(Invented.envelope(version: 2), topic: "t.", at: clock.state.now, age: Milliseconds(-5)) }
    #expect(table.state.held["t."]?.ageWhenHeard == .zero)
  }

  @Test func otherMessagesAreNotStoredAsStates() {
    let fact = Invented.envelope(seq: 1)
    #expect(!table { $0.apply(fact, topic: "t.", at: clock.state.now) })
  }
}

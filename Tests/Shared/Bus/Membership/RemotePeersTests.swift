import Messages
import Model
import Storage
import Synchronization
import TestSupport
import Testing

@testable import Bus

extension Nodes {
  /// Nodes on several machines, which connect over tcp.
  @Suite struct HouseholdTests {
    private func seen(_ node: Node) async -> Int? { await node.snapshot(of: Level.self).last?.value.value }

    @Test(arguments: [true, false]) func aNodeWithASeedHearsStatesAndIsHeard(isSealed: Bool) async throws {
      let household = try TestHousehold(isSealed: isSealed)
      let (attic, cellar) = (try TestBus(), try TestBus())
      let meter = try await attic.node("meter@main", network: household.network(host: "attic"))
      await meter.publish(Level(value: 1))
      let web = try await cellar.node(
        "web@main", network: household.network(host: "cellar", seeds: [household.seed]))
      let stream = await web.states(Level.self)
      #expect(await eventually(equals: 1) { await seen(web) })
      for value in 2...50 { await meter.publish(Level(value: value)) }
      #expect(await eventually(equals: 50) { await seen(web) })
      #expect(web.nodes() == [meter.id])
      #expect(await eventually(equals: [web.id]) { meter.nodes() })
      _ = stream
      await meter.close()
      #expect(await eventually(equals: true) { await web.snapshot(of: Level.self).first?.away })
      await web.close()
    }

    @Test func commandsTravelBetweenMachinesAndAreCarriedOutOnce() async throws {
      let household = try TestHousehold()
      let (attic, cellar) = (try TestBus(), try TestBus())
      let meter = try await attic.node("meter@main", network: household.network(host: "attic"))
      let strikes = Mutex(0)
      await meter.serve(Strike.self) { request, _ in
        strikes.withLock { $0 += 1 }
        return request.number
      }
      let web = try await cellar.node(
        "web@main", network: household.network(host: "cellar", seeds: [household.seed]))
      #expect(await eventually(equals: [meter.id]) { web.nodes() })
      for number in 1...50 { #expect(try await web.request(Strike(number: number), to: meter.id) == number) }
      #expect(strikes.withLock { $0 } == 50)
      await web.close()
      await meter.close()
    }

    @Test func aGuestOnAnotherMachineFindsAndAsksWhomItNeeds() async throws {
      let household = try TestHousehold()
      let (attic, cellar) = (try TestBus(), try TestBus())
      let meter = try await attic.node("meter@main", network: household.network(host: "attic"))
      await meter.serve(Strike.self) { request, _ in request.number }
      let client = Node.client(
        in: cellar.directory, network: household.network(host: nil, seeds: [household.seed]))
      await client.discover()
      #expect(client.nodes() == [meter.id])
      #expect(try await client.request(Strike(number: 7), to: meter.id) == 7)
      await client.close()
      await meter.close()
    }

    @Test func factsMissedOnAnotherMachineAreCaughtUpWithInOrder() async throws {
      let household = try TestHousehold()
      let (attic, cellar) = (try TestBus(), try TestBus())
      let database = try attic.database("meter")
      let meter = try await attic.node("meter@main", database: database, network: household.network(host: "attic"))
      let journal = try #require(meter.journal)
      for number in 1...300 {
        try await database.write { try journal.append(Struck(number: number, padding: "much to carry"), in: $0) }
      }
      let web = try await cellar.node(
        "web@main", network: household.network(host: "cellar", seeds: [household.seed]))
      let read = Mutex<[Int]>([])
      await web.follow("meter", from: .oldest) { fact in
        if let struck = try? fact.decode(Struck.self) { read.withLock { $0.append(struck.number) } }
      }
      for number in 301...400 { try await database.write { try journal.append(Struck(number: number), in: $0) } }
      #expect(await eventually(atLeast: 400) { read.withLock { $0.count } })
      #expect(read.withLock { $0 } == Array(1...400))
      await web.close()
      await meter.close()
      await database.close()
    }

    @Test func aHouseholdThatRestartsAtOnceFindsItselfWithoutSeeds() async throws {
      let household = try TestHousehold()
      let (attic, cellar) = (try TestBus(), try TestBus())
      do {
        let meter = try await attic.node("meter@main", network: household.network(host: "attic"))
        let web = try await cellar.node(
          "web@main", network: household.network(host: "cellar", seeds: [household.seed]))
        #expect(await eventually(equals: [[meter.id], [web.id]]) { [web.nodes(), meter.nodes()] })
        await web.close()
        await meter.close()
      }
      let meter = try await attic.node("meter@main", network: household.network(host: "attic"))
      let web = try await cellar.node("web@main", network: household.network(host: "cellar"))
      let stream = await web.states(Level.self)
      await meter.publish(Level(value: 9))
      #expect(await eventually(equals: 9) { await seen(web) })
      _ = stream
      await web.close()
      await meter.close()
    }

    @Test func nodesOfOneMachineMeetThereAndTellEachOtherOfTheRest() async throws {
      let household = try TestHousehold()
      let (attic, cellar) = (try TestBus(), try TestBus())
      let meter = try await attic.node("meter@main", network: household.network(host: "attic"))
      let web = try await cellar.node(
        "web@main", network: household.network(host: "cellar", seeds: [household.seed]))
      #expect(await eventually(equals: [meter.id]) { web.nodes() })
      // The router has no seed, but listens; the node beside it knows the household.
      let router = try await cellar.node("router@main", network: household.network(host: "cellar"))
      let stream = await router.states(Level.self)
      await meter.publish(Level(value: 3))
      #expect(await eventually(equals: 3) { await seen(router) })
      #expect(router.nodes() == [meter.id, web.id])
      _ = stream
      for node in [router, web, meter] { await node.close() }
    }

    @Test func aStrangerWithAnotherKeyHearsNothingAndIsNotHeard() async throws {
      let (ours, theirs) = (try TestHousehold(), try TestHousehold())
      let (attic, street) = (try TestBus(), try TestBus())
      let meter = try await attic.node("meter@main", network: ours.network(host: "attic"))
      await meter.publish(Level(value: 1))
      let stranger = try await street.node(
        "web@main", network: theirs.network(host: "street", seeds: [ours.seed]))
      let stream = await stranger.states(Level.self)
      // Several rounds of probes, each of which the other node refused.
      #expect(
        await eventually {
          let (rounds, refused) = (await stranger.look { $0.peerSearch.rounds }, await meter.meter.refusedFrames)
          return rounds >= 3 && refused >= 3
        })
      #expect(await seen(stranger) == nil)
      #expect(stranger.nodes().isEmpty)
      #expect(meter.nodes().isEmpty)
      _ = stream
      await stranger.close()
      await meter.close()
    }

    @Test func withoutAKeyNothingLeavesTheMachine() async throws {
      let bus = try TestBus()
      for network in [
        Network(listen: "tcp://0.0.0.0:\(UInt16.random(in: 20_000...50_000))"), Network(seeds: ["192.0.2.1"]),
      ] {
        await #expect { _ = try await bus.node("meter@main", network: network) } throws: {
          ($0 as? LunaraError)?.code == "bus.keyNeeded"
        }
      }
    }

    @Test(arguments: ["tcp://[::1]", "tcp://localhost", "tcp://127.0.0.1"])
    func addressesOfEitherKindAndNamesWork(listen: String) async throws {
      let household = try TestHousehold()
      let (attic, cellar) = (try TestBus(), try TestBus())
      var network = household.network(host: "attic")
      network.listen = "\(listen):\(household.base)"
      let meter = try await attic.node("meter@main", network: network)
      network = household.network(host: "cellar", seeds: ["\(listen):\(household.base)"])
      network.listen = "\(listen):\(household.base)"
      let web = try await cellar.node("web@main", network: network)
      #expect(await eventually(equals: [[meter.id], [web.id]]) { [web.nodes(), meter.nodes()] })
      await web.close()
      await meter.close()
    }
  }
}

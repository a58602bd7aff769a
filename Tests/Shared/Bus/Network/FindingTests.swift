import Model
import Synchronization
import TestSupport
import Testing

@testable import Bus

/// Finds what a test says, when it says so.
private final class TestFinder: SeedFinder {
  struct State {
    var announcement: Announcement?
    var found: (@Sendable ([String]) -> Void)?
    var isStopped = false
  }
  let state = Mutex(State())

  func start(
    _ announcement: Announcement, found: @escaping @Sendable ([String]) -> Void,
    report: @escaping @Sendable (LunaraError) -> Void
  ) { state.withLock { $0 = State(announcement: announcement, found: found) } }

  func stop() { state.withLock { $0.isStopped = true } }

  func find(_ seeds: [String]) { state.withLock { $0.found }?(seeds) }
}

extension Nodes {
  /// Seeds that are found while a node runs.
  @Suite struct FindingTests {
    @Test func aNodeWithoutSeedsMeetsWhomItsFinderFinds() async throws {
      let household = try TestHousehold()
      let (attic, cellar) = (try TestBus(), try TestBus())
      let meter = try await attic.node("meter@main", network: household.network(host: "attic"))
      let finder = TestFinder()
      var network = household.network(host: "cellar")
      network.finder = finder
      let web = try await cellar.node("web@main", network: network)
      #expect(web.nodes().isEmpty)
      finder.find(["tcp://\(household.seed)"])
      #expect(await eventually { web.nodes() == [meter.id] && meter.nodes() == [web.id] })
      // Who is not listed any more stays known: that was how they met.
      finder.find([])
      #expect(await eventually { await web.seeds.isEmpty })
      #expect(web.nodes() == [meter.id])
      await web.close()
      #expect(finder.state.withLock { $0.isStopped })
      await meter.close()
    }

    @Test func whoIsFoundWithinTheFirstSecondIsAskedForTheName() async throws {
      let household = try TestHousehold()
      let (attic, cellar) = (try TestBus(), try TestBus())
      let meter = try await attic.node("meter@main", network: household.network(host: "attic"))
      let finder = TestFinder()
      var network = household.network(host: "cellar")
      network.finder = finder
      let finding = Task {
        let isStarted = await eventually { finder.state.withLock { $0.found != nil } }
        #expect(isStarted)
        finder.find(["tcp://\(household.seed)"])
      }
      await #expect {
        _ = try await cellar.node("meter@main", network: network)
      } throws: {
        ($0 as? LunaraError)?.code == "bus.nameTaken"
      }
      await finding.value
      #expect(finder.state.withLock { $0.isStopped })
      await meter.close()
    }

    @Test func whatIsAnnouncedIsTheFirstPortWhicheverOneTheNodeHas() async throws {
      let household = try TestHousehold()
      let bus = try TestBus()
      let first = try await bus.node("meter@main", network: household.network(host: "attic"))
      let finder = TestFinder()
      var network = household.network(host: "attic")
      network.finder = finder
      let second = try await bus.node("web@main", network: network)
      let announcement = try #require(finder.state.withLock { $0.announcement })
      #expect(announcement.port == household.base)
      #expect(await second.look { $0.transport.ports?.number } == 1)
      #expect(!announcement.isReachable)
      for node in [first, second] { await node.close() }
    }

    @Test func nobodySearchesWithoutAKeyOrUnderAPassingName() async throws {
      let (open, sealed) = (try TestHousehold(isSealed: false), try TestHousehold())
      let bus = try TestBus()
      let finder = TestFinder()
      var network = open.network(host: "attic")
      network.finder = finder
      let plain = try await bus.node("meter@main", network: network)
      network = sealed.network(host: "attic")
      network.finder = finder
      let tap = try await bus.node("tap@one", network: network)
      #expect(finder.state.withLock { $0.announcement } == nil)
      for node in [plain, tap] { await node.close() }
    }

    @Test func whoLooksForOthersListensAndNeedsAKey() async throws {
      let bus = try TestBus()
      await #expect {
        _ = try await bus.node("meter@main", network: Network(finder: TestFinder()))
      } throws: {
        ($0 as? LunaraError)?.code == "bus.keyNeeded"
      }
    }
  }
}

import Model
import Synchronization
import TestSupport
import Testing

@testable import Bus

/// A seed finder that reports what a test says.
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
  @Suite struct FinderTests {
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
      #expect(await eventually(equals: [[meter.id], [web.id]]) { [web.nodes(), meter.nodes()] })
      // A node stays known after its seed is no longer listed.
      finder.find([])
      #expect(await eventually { await web.look { $0.peerSearch.seeds.isEmpty } })
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

@Suite struct SeedSilenceTests {
  private let start = ContinuousClock.now

  private func complaint(
    of peerSearch: inout PeerSearch, after seconds: Int, isAnswered: Bool = false
  ) -> LunaraError? {
    peerSearch.complaint(isAnswered: isAnswered, at: start + .seconds(seconds))
  }

  @Test func anUnansweredSeedIsReportedAfterAWhile() {
    var peerSearch = PeerSearch(seeds: ["attic"], at: start)
    let early = complaint(of: &peerSearch, after: 9)
    #expect(early == nil)
    let due = complaint(of: &peerSearch, after: 10)
    #expect(due?.code == "bus.seedsSilent")
  }

  @Test func theUnansweredSeedIsReportedOnce() {
    var peerSearch = PeerSearch(seeds: ["attic"], at: start)
    let first = complaint(of: &peerSearch, after: 10)
    let second = complaint(of: &peerSearch, after: 11)
    #expect(first != nil)
    #expect(second == nil)
  }

  @Test func nothingIsReportedWithAnAnswerOrWithoutSeeds() {
    var answered = PeerSearch(seeds: ["attic"], at: start)
    let then = complaint(of: &answered, after: 1, isAnswered: true)
    let later = complaint(of: &answered, after: 20)
    #expect(then == nil)
    #expect(later == nil)
    var alone = PeerSearch(seeds: [], at: start)
    let none = complaint(of: &alone, after: 20)
    #expect(none == nil)
  }

  @Test func anOpenConnectionWithoutAnAnswerPointsToTheKey() {
    var peerSearch = PeerSearch(seeds: ["attic"], at: start)
    peerSearch.silent = "tcp://attic:7701"
    let said = complaint(of: &peerSearch, after: 10)?.message ?? ""
    #expect(said.contains("tcp://attic:7701"))
    #expect(said.contains("same key"))
  }
}

/// The address of a machine on several networks, as given to a machine that reached it on one of them.
@Suite struct SeedTests {
  @Test(arguments: [
    ("10.0.0.1", "10.0.0.9", nil, "10.0.0.1"), ("10.0.0.1", "10.0.0.9", "tcp://*:7800", "10.0.0.1:7800"),
    ("fd00::7", "fd00::9", nil, "fd00::7"), ("fd00::7", "fd00::9", "tcp://*:7800", "[fd00::7]:7800"),
    // A client on this machine can use addresses that no other machine could.
    ("127.0.0.1", "127.0.0.1", nil, "127.0.0.1"), ("127.0.0.1", "10.0.0.9", nil, nil), ("::1", "fd00::9", nil, nil),
    ("fe80::1%eth0", "fe80::2%eth0", nil, nil), ("fe80::1", "fe80::2", nil, nil), ("?", "?", nil, nil),
    // The node does not listen on this address.
    ("10.0.0.1", "10.0.0.9", "tcp://192.168.1.10", nil), ("fd00::7", "fd00::9", "tcp://0.0.0.0", nil),
  ])
  func theAddressThatWasReachedIsNamedWhereItIsOfUse(local: String, peer: String, listen: String?, seed: String?) {
    #expect(Network(listen: listen).seed(reachedAt: local, from: peer) == seed)
  }

  @Test func aConfiguredAddressIsNotReplacedByTheReachedOne() {
    #expect(Network(advertise: "attic.example").seed(reachedAt: "10.0.0.1", from: "10.0.0.9") == nil)
  }
}

import Messages
import Model
import Synchronization
import TestSupport
import Testing

@testable import Bus

extension Nodes {
  /// Nodes whose data was lost and restored: their claims belong to another owner than before.
  @Suite struct RestoredNodeTests {
    private let household: TestHousehold
    private let (attic, cellar): (TestBus, TestBus)

    init() throws {
      household = try TestHousehold()
      (attic, cellar) = (try TestBus(), try TestBus())
    }

    /// Starts a node that the other machine hears, and ends it. Its identity wins over that of its successor.
    private func loseMeter(heardBy web: Node) async throws {
      let lost = try await attic.node("meter@main", network: household.network(host: "z-lost"))
      await lost.publish(Level(value: 1))
      #expect(await eventually(equals: 1) { await web.snapshot(of: Level.self).last?.value.value })
      await lost.close()
      #expect(await eventually(equals: true) { await web.snapshot(of: Level.self).first?.away })
    }

    private func hears(_ web: Node, _ value: Int) async -> Bool {
      await eventually {
        let level = await web.snapshot(of: Level.self).last
        return level?.value.value == value && level?.away == false
      }
    }

    @Test func aRestoredNodeThatKnowsNobodyIsHeardByThoseThatKnewItsFormerSelf() async throws {
      let web = try await cellar.node("web@main", network: household.network(host: "cellar", seeds: [household.seed]))
      let stream = await web.states(Level.self)
      try await loseMeter(heardBy: web)
      let restored = try await attic.node("meter@main", network: household.network(host: "a-restored"))
      await restored.serve(Strike.self) { request, _ in request.number }
      await restored.publish(Level(value: 2))
      #expect(await hears(web, 2))
      #expect(try await web.request(Strike(number: 3), to: restored.id) == 3)
      #expect(await restored.look { $0.ownership.claim.term } == 1)
      _ = stream
      for node in [restored, web] { await node.close() }
    }

    @Test func aRestoredNodeIsFoundAtAnotherPortOfItsMachine() async throws {
      func start(_ name: String) async throws -> Node {
        try await attic.node(name, network: household.network(host: "attic-\(name)"))
      }
      let former = [try await start("router@main"), try await start("scrobble@main")]
      let web = try await cellar.node("web@main", network: household.network(host: "cellar", seeds: [household.seed]))
      let stream = await web.states(Level.self)
      try await loseMeter(heardBy: web)
      for node in former { await node.close() }
      // At the former port of the node another one answers now. The seed's machine is searched at three of its ports
      // only, every 30 s.
      var others: [Node] = []
      for name in ["router@main", "scrobble@main", "library@main", "playback@den", "nowplaying@main"] {
        others.append(try await start(name))
      }
      let restored = try await attic.node("meter@main", network: household.network(host: "a-restored"))
      await restored.publish(Level(value: 2))
      #expect(await hears(web, 2))
      _ = stream
      for node in others + [restored, web] { await node.close() }
    }

    /// The network of a node whose host has the data of other hosts. It greets all nodes of the test directly: one that
    /// only another node tells of is greeted after up to 30 s.
    private func network(_ host: String, restoredFrom former: String..., takesOver: Bool = false) -> Network {
      let seeds = (0..<3).map { "127.0.0.1:\(household.base + UInt16(2 * $0))" }
      var network = household.network(host: host, seeds: seeds, takesOver: takesOver)
      network.formerIdentities = former
      return network
    }

    private func isRefused(_ start: () async throws -> Node) async throws -> Bool {
      do {
        await (try await start()).close()
        return false
      } catch let error as LunaraError where error.code == "bus.nameTaken" {
        return true
      }
    }

    @Test func aFormerSelfThatIsRunningStandsDownForTheRestoredNode() async throws {
      let web = try await cellar.node("web@main", network: household.network(host: "cellar"))
      let (stream, hall) = (await web.states(Level.self), try TestBus())
      let former = try await attic.node("meter@main", network: network("z-former"))
      let told = Mutex<LunaraError?>(nil)
      await former.onDisplaced { error in told.withLock { $0 = error } }
      await former.publish(Level(value: 1))
      #expect(await hears(web, 1))
      let restored = try await hall.node("meter@main", network: network("a-restored", restoredFrom: "z-former"))
      await restored.publish(Level(value: 2))
      #expect(await hears(web, 2))
      #expect(await eventually(equals: "bus.nameTaken") { told.withLock { $0?.code } })
      await former.close()
      // A restart of the former self does not change that.
      #expect(try await isRefused { try await attic.node("meter@main", network: network("z-former")) })
      #expect(await restored.look { $0.ownership.claim.term == 1 && $0.ownership.status == .holder })
      _ = stream
      for node in [restored, web] { await node.close() }
    }

    @Test func aFormerSelfThatTookItsNameBackKeepsIt() async throws {
      let web = try await cellar.node("web@main", network: household.network(host: "cellar"))
      let hall = try TestBus()
      var former = try await attic.node("meter@main", network: network("z-former"))
      let restored = try await hall.node("meter@main", network: network("a-restored", restoredFrom: "z-former"))
      #expect(await eventually { await former.look { $0.ownership.status == .displaced } })
      for node in [former, restored] { await node.close() }
      former = try await attic.node("meter@main", network: network("z-former", takesOver: true))
      #expect(await eventually { web.nodes() == [former.id] && !web.isMissing(former.id) })
      #expect(
        try await isRefused {
          try await hall.node("meter@main", network: network("a-restored", restoredFrom: "z-former"))
        })
      #expect(await former.look { $0.ownership.status == .holder })
      for node in [former, web] { await node.close() }
    }

    @Test func twoNodesThatContinueEachOtherDoNotRaiseTheirTermsForEver() async throws {
      let web = try await cellar.node("web@main", network: household.network(host: "cellar"))
      let hall = try TestBus()
      let first = try await attic.node("meter@main", network: network("first", restoredFrom: "second"))
      let second = try await hall.node("meter@main", network: network("second", restoredFrom: "first"))
      #expect(
        await eventually {
          let isHolder = [await first.look { $0.ownership.status }, await second.look { $0.ownership.status }]
          return isHolder.count { $0 == .holder } == 1
        })
      for node in [first, second, web] { await node.close() }
    }

    @Test func aNodeWithoutAJournalContinuesTheOneOfTheHostWhoseDataItHas() async throws {
      let web = try await cellar.node("web@main", network: household.network(host: "cellar", seeds: [household.seed]))
      let stream = await web.states(Level.self)
      try await loseMeter(heardBy: web)
      let endpoints = try #require(await web.endpoints)
      let place = try #require(Network.place(endpoints.inbox))
      var network = household.network(host: "a-restored", seeds: ["\(place.host):\(place.port)"])
      network.formerIdentities = ["z-lost"]
      let restored = try await attic.node("meter@main", network: network)
      await restored.publish(Level(value: 2))
      #expect(await hears(web, 2))
      _ = stream
      for node in [restored, web] { await node.close() }
    }
  }
}

import Messages
import Model
import Synchronization
import TestSupport
import Testing

@testable import Bus

extension Nodes {
  /// Nodes that cannot be reached from other machines, and the limit on answers to probes.
  @Suite struct ReachabilityTests {
    @Test func whoCannotBeReachedBackIsToldSoByWhomItAsks() async throws {
      let household = try TestHousehold()
      let (attic, cellar) = (try TestBus(), try TestBus())
      let meter = try await attic.node("meter@main", network: household.network(host: "attic"))
      var network = household.network(host: "cellar", seeds: [household.seed])
      // Nobody listens at this address, as behind a firewall.
      network.advertise = "127.0.0.1:\(household.base + 50)"
      let told = Mutex<[LunaraError]>([])
      let web = try await cellar.node(
        "web@main", network: network, report: { error in told.withLock { $0.append(error) } })
      let stream = await web.states(Level.self)
      #expect(
        await eventually(within: .seconds(20)) {
          told.withLock { $0.contains { $0.code == "bus.inboxUnreachable" } }
        })
      let address = try #require(await web.endpoints).inbox
      #expect(told.withLock { $0.first { $0.code == "bus.inboxUnreachable" }?.message.contains(address) } == true)
      #expect(await meter.look { $0.membership.failedHellos[web.id] ?? 0 } > 4)
      _ = stream
      for node in [web, meter] { await node.close() }
    }

    @Test func aReachableNodeIsNeverReportedAsUnreachable() async throws {
      let household = try TestHousehold()
      let (attic, cellar) = (try TestBus(), try TestBus())
      let meter = try await attic.node("meter@main", network: household.network(host: "attic"))
      let web = try await cellar.node(
        "web@main", network: household.network(host: "cellar", seeds: [household.seed]))
      let stream = await web.states(Level.self)
      await meter.publish(Level(value: 1))
      #expect(await eventually(equals: 1) { await web.snapshot(of: Level.self).last?.value.value })
      #expect(await meter.look { $0.membership.failedHellos.isEmpty })
      _ = stream
      for node in [web, meter] { await node.close() }
    }

    @Test func aProbeThatAStrangerRepeatsIsAnsweredSoOftenAndNoMore() async throws {
      let household = try TestHousehold()
      let (attic, cellar) = (try TestBus(), try TestBus())
      let meter = try await attic.node("meter@main", network: household.network(host: "attic"))
      let web = try await cellar.node("web@main", network: household.network(host: "cellar"))
      let requests = try #require(await meter.endpoints).requests
      // A probe that a node of the household once sent can be decrypted by every node, at any time.
      let probe = try #require(
        await web.look { node -> [UInt8]? in
          let question = node.envelope(Probe.kind, Array("{}".utf8), id: .random(), within: .seconds(1))
          return try? node.remotePeers.sealer?.seal(
            Frame(topic: "bus.knock.", body: question.encoded()), as: .question, to: nil)
        })
      let connection = try Socket(.connection)
      _ = try connection.connect(requests)
      #expect(
        await eventually {
          for number in 0..<100 { _ = connection.send(probe, header: (UInt32(number) | 0x8000_0000).bytes) }
          return await meter.meter.knocksIgnored ?? 0 > 100
        })
      // After the flood, a probe from a new node is answered.
      let router = try await cellar.node(
        "router@main", network: household.network(host: "cellar", seeds: [household.seed]))
      #expect(await eventually { router.nodes().contains(meter.id) && meter.nodes().contains(router.id) })
      for node in [router, web, meter] { await node.close() }
    }
  }
}

@Suite struct ProbeLimitTests {
  private let start = ContinuousClock.now

  private func answered(_ limit: inout ProbeLimit, _ probes: Int, at now: ContinuousClock.Instant) -> Int {
    (0..<probes).count { _ in limit.allows(at: now) }
  }

  @Test func aBurstOfProbesIsAnsweredUpToTheLimit() {
    var limit = ProbeLimit(at: start)
    #expect(answered(&limit, 1000, at: start) == 200)
    #expect(answered(&limit, 1000, at: start) == 0)
  }

  @Test func aHundredProbesASecondAreAlwaysAnswered() {
    var limit = ProbeLimit(at: start)
    _ = answered(&limit, 1000, at: start)
    for second in 1...60 { #expect(answered(&limit, 1000, at: start + .seconds(second)) == 100) }
  }

  @Test func aQuietTimeRefillsTheLimitCompletely() {
    var limit = ProbeLimit(at: start)
    _ = answered(&limit, 1000, at: start)
    #expect(answered(&limit, 1000, at: start + .milliseconds(9)) == 0)
    #expect(answered(&limit, 1000, at: start + .seconds(3600)) == 200)
  }
}

import Glibc
import Messages
import Model
import Synchronization
import TestSupport
import Testing

@testable import Bus

/// A fake name server that does not answer until it is told to.
private final class NameServer: Sendable {
  private let hosts = Mutex<[String]?>(nil)
  /// The names it was asked for.
  let asked = Mutex<[String]>([])

  /// The settings of a node that uses this name server.
  var tuning: Node.Tuning {
    Node.Tuning(resolve: { [self] name in
      asked.withLock { $0.append(name) }
      while true {
        if let hosts = hosts.withLock({ $0 }) { return hosts }
        usleep(500)
      }
    })
  }

  /// Answers from now on.
  func answer(_ hosts: [String]) { self.hosts.withLock { $0 = hosts } }
}

extension Nodes {
  /// Machines whose addresses are host names.
  @Suite struct NameResolverTests {
    /// Starts a node that advertises a host name.
    private func named(_ household: TestHousehold, host: String) -> Network {
      var network = household.network(host: host)
      network.advertise = "attic.example:\(household.base)"
      return network
    }

    @Test func aNameServerThatHangsHoldsNoNodeUpAndWhatItKnewAtLastIsDialled() async throws {
      let household = try TestHousehold()
      let (attic, cellar) = (try TestBus(), try TestBus())
      let server = NameServer()
      let meter = try await attic.node("meter@main", network: named(household, host: "attic"))
      await meter.serve(ReadMeter.self) { _, _ in "here" }
      let web = try await cellar.node(
        "web@main", tuning: server.tuning, network: household.network(host: "cellar", seeds: [household.seed]))
      // The connection to the seed is open, and the host name that it advertised is being resolved.
      #expect(await eventually(equals: ["attic.example"]) { server.asked.withLock { $0 } })
      #expect(await web.presence().id == web.id)
      async let answer = web.request(ReadMeter(), to: meter.id, within: .seconds(20))
      #expect(await eventually { await web.look { $0.outgoing.table.isWaiting(for: meter.id) } })
      server.answer(["127.0.0.1"])
      #expect(try await answer == "here")
      let stream = await web.states(Level.self)
      await meter.publish(Level(value: 5))
      #expect(await eventually(equals: 5) { await web.snapshot(of: Level.self).last?.value.value })
      _ = stream
      #expect(
        await eventually { await web.look { $0.transport.remotePublishers[meter.id]?.socket.isConnected == true } })
      await web.close()
      await meter.close()
    }

    @Test func theAddressesOfANamedMachineAreThoseOfAPeer() async throws {
      let household = try TestHousehold()
      let (attic, cellar) = (try TestBus(), try TestBus())
      let server = NameServer()
      server.answer(["127.0.0.1", "192.0.2.7", "2001:db8:1:2::5"])
      let meter = try await attic.node("meter@main", network: named(household, host: "attic"))
      let web = try await cellar.node(
        "web@main", tuning: server.tuning, network: household.network(host: "cellar", seeds: [household.seed]))
      #expect(await eventually { web.nodes() == [meter.id] && web.isPeerHost("192.0.2.7") })
      // A machine takes other addresses of its IPv6 network from time to time.
      #expect(web.isPeerHost("2001:db8:1:2:a1b2:c3d4:e5f6:1") && web.isPeerHost("::ffff:192.0.2.7"))
      #expect(!web.isPeerHost("192.0.2.8") && !web.isPeerHost("2001:db8:1:3::5") && !web.isPeerHost("attic.example"))
      for node in [web, meter] { await node.close() }
    }

    @Test func aNodeClosesWhileANameIsLookedUp() async throws {
      let household = try TestHousehold()
      let (attic, cellar) = (try TestBus(), try TestBus())
      let server = NameServer()
      let meter = try await attic.node("meter@main", network: named(household, host: "attic"))
      let web = try await cellar.node(
        "web@main", tuning: server.tuning, network: household.network(host: "cellar", seeds: [household.seed]))
      #expect(await eventually { server.asked.withLock { !$0.isEmpty } })
      // This ends before the name server has answered.
      await web.close()
      server.answer([])
      await meter.close()
    }

    @Test func aNameThatNobodyKnowsIsSaidToBeOutOfReach() async throws {
      let household = try TestHousehold()
      let (attic, cellar) = (try TestBus(), try TestBus())
      let server = NameServer()
      server.answer([])
      let told = Mutex<Set<String>>([])
      var network = named(household, host: "attic")
      network.seeds = [household.seed]
      let web = try await cellar.node("web@main", tuning: server.tuning, network: household.network(host: "cellar"))
      let meter = try await attic.node("meter@main", network: network) { error in
        told.withLock { _ = $0.insert(error.code) }
      }
      #expect(await eventually(contains: "bus.inboxUnreachable") { told.withLock { $0 } })
      // The node that listens is found by the other one all the same.
      #expect(meter.nodes() == [web.id])
      await web.close()
      await meter.close()
    }
  }
}

import Bus
import Messages
import Model
import Synchronization
import TestSupport
import Testing

/// A state that is kept for a successor.
private struct Tuned: State {
  static let kind = "meter.tuned"
  static let isKept = true
  var to: Int
}

extension Nodes {
  /// Two machines that claim one name.
  @Suite struct TakeOverTests {
    private func code(_ error: any Error) -> String { (error as? LunaraError)?.code ?? "\(error)" }

    @Test func anotherMachineIsToldWhoHoldsTheName() async throws {
      let household = try TestHousehold()
      let (attic, cellar) = (try TestBus(), try TestBus())
      let meter = try await attic.node("meter@main", network: household.network(host: "attic"))
      await #expect {
        _ = try await cellar.node("meter@main", network: household.network(host: "cellar", seeds: [household.seed]))
      } throws: {
        code($0) == "bus.nameTaken" && "\($0)".contains("127.0.0.1")
      }
      await meter.close()
    }

    @Test func aNeighbourThatStartsAtTheSameTimeDoesNotSettleWhoseTheNameIs() async throws {
      let household = try TestHousehold()
      let (attic, cellar) = (try TestBus(), try TestBus())
      let meter = try await attic.node("meter@main", network: household.network(host: "attic"))
      let network = household.network(host: "cellar", seeds: [household.seed])
      async let neighbour = cellar.node("web@main", network: network)
      await #expect {
        _ = try await cellar.node("meter@main", network: network)
      } throws: {
        code($0) == "bus.nameTaken"
      }
      await (try await neighbour).close()
      await meter.close()
    }

    @Test func aHolderThatIsAwayKeepsItsName() async throws {
      let household = try TestHousehold()
      let (attic, cellar, hall) = (try TestBus(), try TestBus(), try TestBus())
      let web = try await hall.node("web@main", network: household.network(host: "hall"))
      let meter = try await attic.node(
        "meter@main", network: household.network(host: "attic", seeds: [household.seed]))
      var presences = await web.presences().makeAsyncIterator()
      #expect(await eventually(equals: [meter.id]) { web.nodes() })
      await meter.close()
      while let seen = await presences.next(), seen.first?.away != true {}
      await #expect {
        _ = try await cellar.node("meter@main", network: household.network(host: "cellar", seeds: [household.seed]))
      } throws: {
        code($0) == "bus.nameTaken" && "\($0)".contains("away")
      }
      // A restart of the same node is no conflict.
      let again = try await attic.node(
        "meter@main", network: household.network(host: "attic", seeds: [household.seed]))
      await again.close()
      await web.close()
    }

    @Test func whoTakesOverInheritsAndTheFormerHolderStops() async throws {
      let household = try TestHousehold()
      let (attic, cellar, hall) = (try TestBus(), try TestBus(), try TestBus())
      let web = try await hall.node("web@main", network: household.network(host: "hall"))
      let old = try await attic.node(
        "meter@main", network: household.network(host: "attic", seeds: [household.seed]))
      await old.publish(Level(value: 1))
      let displaced = Mutex<LunaraError?>(nil)
      await old.onDisplaced { error in displaced.withLock { $0 = error } }
      await old.onHandOver { "the queue" }
      await old.serve(Strike.self) { request, _ in request.number }
      let stream = await web.states(Level.self)
      #expect(await eventually(equals: 1) { await web.snapshot(of: Level.self).last?.value.value })

      let new = try await cellar.node(
        "meter@main", network: household.network(host: "cellar", seeds: [household.seed], takesOver: true))
      #expect(await new.handoverData == "the queue")
      #expect(await eventually(equals: "bus.nameTaken") { displaced.withLock { $0?.code } })
      await new.publish(Level(value: 2))
      #expect(await eventually(equals: [2]) { await web.snapshot(of: Level.self).map(\.value.value) })
      await old.close()
      // The displaced node cannot come back by itself; the new holder can.
      await #expect {
        _ = try await attic.node("meter@main", network: household.network(host: "attic", seeds: [household.seed]))
      } throws: {
        code($0) == "bus.nameTaken"
      }
      await new.close()
      let again = try await cellar.node(
        "meter@main", network: household.network(host: "cellar", seeds: [household.seed]))
      #expect(await again.handoverData == nil)
      await again.close()
      _ = stream
      await web.close()
    }

    @Test func theLastStateOfADeadHolderIsKeptByItsPeers() async throws {
      let household = try TestHousehold()
      let (attic, cellar, hall) = (try TestBus(), try TestBus(), try TestBus())
      var web = try await hall.node("web@main", network: household.network(host: "hall"))
      let old = try await attic.node(
        "meter@main", network: household.network(host: "attic", seeds: [household.seed]))
      let stream = await web.states(Tuned.self)
      await old.publish(Tuned(to: 440))
      #expect(await eventually(equals: 440) { await web.snapshot(of: Tuned.self).last?.value.to })
      _ = stream
      await old.close()
      // The state is on the peers' disks, so it survives their restart.
      await web.close()
      web = try await hall.node("web@main", network: household.network(host: "hall"))
      let new = try await cellar.node(
        "meter@main", network: household.network(host: "cellar", seeds: [household.seed], takesOver: true))
      #expect(await new.hasTakenOver)
      #expect(await new.lastKnown(Tuned.self)?.to == 440)
      #expect(await new.lastKnown(Level.self) == nil)
      await new.close()
      await web.close()
    }

    @Test func aNameIsTakenFromADeadHolder() async throws {
      let household = try TestHousehold()
      let (attic, cellar, hall) = (try TestBus(), try TestBus(), try TestBus())
      let web = try await hall.node("web@main", network: household.network(host: "hall"))
      let old = try await attic.node(
        "meter@main", network: household.network(host: "attic", seeds: [household.seed]))
      #expect(await eventually(equals: [old.id]) { web.nodes() })
      await old.close()
      let new = try await cellar.node(
        "meter@main", network: household.network(host: "cellar", seeds: [household.seed], takesOver: true))
      await new.publish(Level(value: 2))
      let stream = await web.states(Level.self)
      #expect(await eventually(equals: [2]) { await web.snapshot(of: Level.self).map(\.value.value) })
      // The former holder comes back and finds its name taken.
      await #expect {
        _ = try await attic.node("meter@main", network: household.network(host: "attic", seeds: [household.seed]))
      } throws: {
        code($0) == "bus.nameTaken"
      }
      _ = stream
      await new.close()
      await web.close()
    }
  }
}

import Messages
import Model
import TestSupport
import Testing

@testable import Bus

extension Nodes {
  /// Known problems of nanomsg; each test shows that one does no harm.
  @Suite struct HazardTests {
    @Test func aMessageOverTheLibrarysLimitDoesNotWedgeAReader() async throws {
      let bus = try TestBus()
      let reader = try await bus.node("web@main")
      let meter = try await bus.node("meter@main")
      let levels = await reader.states(Level.self)
      #expect(await eventually(equals: 1) { await meter.look { $0.transport.subscribers.count } })
      await meter.publish(Level(value: 1))
      for await snapshot in levels where snapshot.first?.value.value == 1 { break }
      for round in 2...4 {
        // No node sends such a message; a foreign program may.
        await meter.look { $0.transport.publisher?.send([UInt8](repeating: 97, count: (1 << 20) + 1)) }
        await meter.publish(Level(value: round))
        for await snapshot in levels where snapshot.first?.value.value == round { break }
      }
      await meter.close()
      await reader.close()
    }

    @Test func aQuestionOverTheLibrarysLimitDoesNotWedgeARequestSocket() async throws {
      let bus = try TestBus()
      let meter = try await bus.node("meter@main")
      await meter.serve(ReadMeter.self) { _, _ in "fine" }
      let asker = try await bus.node("web@main")
      #expect(try await asker.request(ReadMeter(), to: meter.id) == "fine")
      for _ in 0..<3 {
        await asker.look {
          _ = $0.transport.connections[meter.id]?.socket.send(
            [UInt8](repeating: 97, count: (1 << 20) + 1), header: [0x80, 0, 0, 1])
        }
        #expect(try await asker.request(ReadMeter(), to: meter.id, within: .seconds(40)) == "fine")
      }
      await meter.close()
      await asker.close()
    }

    @Test func aBoundNameIsFreeAgainAfterAKill() async throws {
      let bus = try TestBus()
      for _ in 0..<3 {
        let node = try await bus.node("meter@main")
        await node.die()
      }
      let node = try await bus.node("meter@main")
      let client = Node.client(in: bus.directory)
      #expect(try await client.request(ReadPresence(), to: node.id).id == node.id)
      await node.close()
    }
  }
}

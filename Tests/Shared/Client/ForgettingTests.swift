import Bus
import Client
import Messages
import Model
import TestSupport
import Testing

/// Rooms that are gone for good.
@Suite(.timeLimit(.minutes(1)))
struct ForgettingTests {
  private let attic = RoomName(from: "attic")

  /// Returns the rooms whose nodes another node knows.
  private func known(to node: Node) async -> [String] {
    for await presences in await node.presences() {
      return presences.map(\.id).filter { $0.role == "playback" }.map(\.name)
    }
    return []
  }

  @Test func aRoomThatIsStoppedIsForgottenByAllAndARunningOneIsNot() async throws {
    let bus = try TestBus()
    let (web, router) = (try await bus.node("web@main"), try await bus.node("router@main"))
    let room = try await bus.node("playback@attic")
    for node in [web, router] { #expect(await eventually { await known(to: node) == ["attic"] }) }
    let client = Client(node: web)
    let running = await #expect(throws: LunaraError.self) { try await client.forget(attic) }
    #expect(running?.code == "bus.nodeAlive")
    await room.close()
    #expect(
      await eventually {
        do { try await client.forget(attic) } catch { return false }
        return true
      })
    #expect(await eventually { await known(to: router).isEmpty })
    let unknown = await #expect(throws: LunaraError.self) { try await client.forget(attic) }
    #expect(unknown?.code == "client.roomUnknown")
    // It is listed again when it runs again.
    let again = try await bus.node("playback@attic")
    #expect(await eventually { await known(to: router) == ["attic"] })
    for node in [again, web, router] { await node.close() }
  }
}

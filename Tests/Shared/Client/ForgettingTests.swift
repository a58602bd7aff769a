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

  private func isAway(_ name: String, for node: Node) async -> Bool {
    for await presences in await node.presences() {
      return presences.first { $0.id.description == name }?.away == true
    }
    return false
  }

  @Test func aRoomThatIsStoppedIsForgottenByAllAndARunningOneIsNot() async throws {
    let bus = try TestBus()
    let (web, router) = (try await bus.node("web@main"), try await bus.node("router@main"))
    let room = try await bus.node("playback@attic")
    for node in [web, router] { #expect(await eventually(equals: ["attic"]) { await known(to: node) }) }
    let client = Client(node: web)
    let running = await #expect(throws: LunaraError.self) { try await client.forget(attic) }
    #expect(running?.code == "bus.nodeAlive")
    await room.close()
    #expect(
      await eventually {
        do { try await client.forget(attic) } catch { return false }
        return true
      })
    #expect(await eventually(equals: []) { await known(to: router) })
    let unknown = await #expect(throws: LunaraError.self) { try await client.forget(attic) }
    #expect(unknown?.code == "client.roomUnknown")
    // It is listed again when it runs again.
    let again = try await bus.node("playback@attic")
    #expect(await eventually(equals: ["attic"]) { await known(to: router) })
    for node in [again, web, router] { await node.close() }
  }

  @Test func aMachineThatWasOffDoesNotBringAForgottenRoomBack() async throws {
    let household = try TestHousehold()
    let (here, there, gone) = (try TestBus(), try TestBus(), try TestBus())
    let web = try await here.node("web@main", network: household.network(host: "here"))
    let network = household.network(host: "there", seeds: [household.seed])
    var router = try await there.node("router@main", network: network)
    func room() async throws -> Node {
      try await gone.node("playback@attic", network: household.network(host: "gone", seeds: [household.seed]))
    }
    var attic = try await room()
    #expect(await eventually(equals: [[attic.id, web.id], [attic.id, router.id]]) { [router.nodes(), web.nodes()] })
    for node in [web, router] { #expect(await eventually(equals: ["attic"]) { await known(to: node) }) }
    await attic.close()
    for node in [web, router] { #expect(await eventually { await isAway("playback@attic", for: node) }) }
    await router.close()
    let client = Client(node: Node.client(in: here.directory), isClientOnly: true)
    #expect(try await client.forget(self.attic) == [])
    #expect(await known(to: web).isEmpty)
    // The other machine has the room in its files, and is told when it is back.
    router = try await there.node("router@main", network: network)
    #expect(await eventually(equals: [[web.id], [router.id]]) { [router.nodes(), web.nodes()] })
    #expect(await known(to: web).isEmpty)
    #expect(await eventually(equals: []) { await known(to: router) })
    attic = try await room()
    for node in [web, router] { #expect(await eventually(equals: ["attic"]) { await known(to: node) }) }
    for node in [attic, web, router] { await node.close() }
  }

  @Test func servicesThatDoNotAnswerAreNamed() async throws {
    let bus = try TestBus()
    let web = try await bus.node("web@main")
    let client = Client(node: Node.client(in: bus.directory), isClientOnly: true)
    // A program that holds its name and does not answer.
    let library = try NodeLock(of: .library, in: bus.directory)
    let room = try await bus.node("playback@attic")
    #expect(await eventually(equals: ["attic"]) { await known(to: web) })
    await room.close()
    #expect(await eventually { await isAway("playback@attic", for: web) })
    #expect(try await client.forget(attic) == [.library])
    let unknown = await #expect(throws: LunaraError.self) { try await client.forget(attic) }
    #expect(unknown?.code == "client.roomUnknown" && unknown?.message.contains("library@main") == true)
    await web.close()
    let unheard = await #expect(throws: LunaraError.self) { try await client.forget(attic) }
    #expect(unheard?.code == "client.forgetUnheard" && unheard?.message.contains("library@main") == true)
    library.release()
  }
}

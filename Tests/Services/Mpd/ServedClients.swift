import Bus
import Client
import HTTP
import Messages
import Model
import ServiceKit
import Synchronization
import System
import TestSupport

@testable import Mpd

/// The service on a bus of its own, with a library, a router and a room that keep a queue in memory, and a real port.
final class ServedClients: Sendable {
  struct Room {
    var items: [QueueItem] = []
    var revision: Int64 = 1
    var current: Int?
    var state = PlaybackState.idle
    var modes = Playback.Modes()
    var volume = 50
  }

  let bus: TestBus
  let server: MPDServer
  let household: Household
  let room: Node
  let port: UInt16
  let library: Node
  private let node: Node
  private let router: Node
  private let work: Task<Void, Never>
  private let kitchen = Mutex(Room())

  static let tracks = [
    track(1, "One", artist: "Ann", album: "First", year: 1999),
    track(2, "Two", artist: "Ann", album: "First", year: 1999),
    track(3, "Three", artist: "Bo", album: "Second"),
  ]

  init(password: String? = nil) async throws {
    bus = try TestBus()
    library = try await bus.node("library@main")
    room = try await bus.node("playback@kitchen")
    router = try await bus.node("router@main")
    node = try await bus.node("mpd@main")
    let client = Client(node: node)
    household = Household(
      client: client, preferred: RoomName(from: "kitchen"),
      pictures: Pictures(client: client, host: "host-1", http: HTTPClient(userAgent: "Lunara tests")))
    server = try await MPDServer(
      household: household, access: Access(password: password), host: "127.0.0.1", port: 0, log: .quiet)
    port = await server.port
    work = Task { [household] in await household.follow { _ in } }
    await library.serve(Library.ListTracks.self) { _, _ in Library.Page(items: Self.tracks, next: nil) }
    await library.publish(
      Library.CatalogueState(generation: 1, albums: 2, tracks: 3, sources: []))
    await room.serve(Playback.ReadQueue.self) { [self] _, _ in queueState }
    await room.serve(Playback.Transport.self) { [self] request, _ in await transport(request.action) }
    await room.serve(Playback.EditQueue.self) { [self] request, _ in try await edit(request.edit) }
    await router.serve(Router.Play.self) { [self] request, _ in await play(request) }
    await publish()
  }

  /// Connects a client and reads the greeting, once the service knows the room.
  func client() async throws -> MPDTestClient {
    let isKnown = await eventually { await household.receivedState(of: RoomName(from: "kitchen")) != nil }
    let client = try await MPDTestClient(port: port)
    let greeting = await client.answer()
    guard isKnown, greeting == ["OK MPD 0.23.5"] else {
      throw LunaraError("test.notReady", "The service does not serve clients: \(greeting)")
    }
    return client
  }

  func close() async {
    work.cancel()
    await server.stop()
    await work.value
    // The handlers of the others hold this object, so they would never end by themselves, and sockets are limited.
    for node in [node, room, router, library] { await node.close() }
  }

  /// Changes the room as a person at another program does.
  func change(_ body: (inout Room) -> Void) async {
    kitchen.withLock { body(&$0) }
    await publish()
  }

  var items: [QueueItem] { kitchen.withLock { $0.items } }

  private var queueState: Playback.QueueState {
    kitchen.withLock {
      Playback.QueueState(
        revision: $0.revision, count: $0.items.count, current: $0.current, first: 0, items: $0.items)
    }
  }

  private var state: Playback.RoomState {
    kitchen.withLock { room in
      var state = roomState(
        room.state, item: room.current.map { room.items[$0] }, revision: room.revision)
      state.modes = room.modes
      state.volume = room.volume
      return state
    }
  }

  private func publish() async {
    await room.publish(queueState)
    await room.publish(state)
  }

  private func transport(_ action: Playback.Transport.Action) async -> Playback.RoomState {
    kitchen.withLock { room in
      switch action {
      case .jump(let index, _): (room.current, room.state) = (index, .playing)
      case .resume: (room.current, room.state) = (room.current ?? 0, .playing)
      case .pause: room.state = .paused
      case .volume(let volume): room.volume = volume
      case .repeats(let repeats): room.modes.repeats = repeats
      case .stopAfterCurrent(let stops): room.modes.stopsAfterCurrent = stops
      default: break
      }
    }
    await publish()
    return state
  }

  private func edit(_ edit: Playback.EditQueue.Edit) async throws -> Playback.QueueSummary {
    kitchen.withLock { room in
      switch edit {
      case .clear: (room.items, room.current) = ([], nil)
      case .remove(let index, _): room.items.remove(at: index)
      case .removeAll(let ranges, _):
        for range in ranges.reversed() { room.items.removeSubrange(range.from...range.to) }
      case .move(let from, let to, _): room.items.insert(room.items.remove(at: from), at: to)
      default: break
      }
      if let current = room.current, current >= room.items.count { room.current = nil }
      room.revision += 1
    }
    await publish()
    let state = queueState
    return Playback.QueueSummary(revision: state.revision, count: state.count, current: state.current)
  }

  private func play(_ request: Router.Play) async -> Router.Played {
    kitchen.withLock { room in
      for id in request.ids {
        guard let track = Self.tracks.first(where: { $0.id.playable == id }) else { continue }
        room.items.append(queueItem(EntryID.random().rawValue, track))
      }
      room.revision += 1
    }
    await publish()
    let state = queueState
    return Router.Played(
      room: RoomName(from: "kitchen"), tracks: request.ids.count,
      queue: Playback.QueueSummary(revision: state.revision, count: state.count, current: state.current))
  }
}

import Bus
import Messages
import Model
import ServiceKit
import Synchronization
import TestSupport
import Testing

@testable import lunara_nowplaying

/// The service between a bus with a room on one side and a desktop on the other.
@Suite(.timeLimit(.minutes(1)))
struct NowPlayingTests {
  @Test func playPauseReachesTheRoomAndItsStateComesBack() async throws {
    let stage = try await House()
    let kitchen = try await stage.room("kitchen")
    await kitchen.publish(roomState(.playing, item: item(1)))
    await kitchen.publish(queueState(current: 0, count: 3))
    try await stage.desktopShows("kitchen", "PlaybackStatus", "s \"Playing\"")
    #expect(try await stage.desktop.playerctl("lunara.kitchen", "play-pause") == "")
    #expect(stage.heard.withLock { $0 } == [.toggle])
    try await stage.desktopShows("kitchen", "PlaybackStatus", "s \"Paused\"")
    await stage.close()
  }

  @Test func theCoverComesFromTheLibraryEvenWhenThatStartsLater() async throws {
    let stage = try await House()
    let kitchen = try await stage.room("kitchen")
    await kitchen.publish(roomState(.playing, item: item(1)))
    try await stage.desktopShows("kitchen", "PlaybackStatus", "s \"Playing\"")
    let library = try await stage.bus.node("library@main")
    await library.serve(Library.LocateArt.self) { request, _ in
      #expect(request.id == ArtID(source: "files", native: "c1") && request.host == "host-1" && request.size == 1024)
      return .file(LocalPath("/art/a cover.jpg"))
    }
    let found = try await eventually {
      try await stage.desktop.playerctl("lunara.kitchen", "metadata", "mpris:artUrl") == "file:///art/a%20cover.jpg"
    }
    #expect(found)
    await library.close()
    await stage.close()
  }

  @Test func aMediaAddressIsNotShownToTheDesktop() async throws {
    let stage = try await House()
    let (asked, continuation) = AsyncStream.makeStream(of: Void.self)
    let library = try await stage.bus.node("library@main")
    await library.serve(Library.LocateArt.self) { _, _ in
      continuation.yield()
      return .url("http://host/art?secret=1", headers: [:])
    }
    let kitchen = try await stage.room("kitchen")
    await kitchen.publish(roomState(.playing, item: item(1)))
    for await _ in asked { break }
    try await stage.desktopShows("kitchen", "PlaybackStatus", "s \"Playing\"")
    #expect(try await !stage.desktop.property("Metadata", of: "kitchen").contains("secret"))
    await library.close()
    await stage.close()
  }

  @Test func aRoomThatLeavesTheBusLeavesTheDesktop() async throws {
    let stage = try await House()
    let kitchen = try await stage.room("kitchen")
    await kitchen.publish(roomState(.playing, item: item(1)))
    try await stage.desktopShows("kitchen", "PlaybackStatus", "s \"Playing\"")
    await kitchen.close()
    #expect(try await eventually { try await stage.desktop.players() == [] })
    await stage.close()
  }

  @Test func whenTheServiceStopsItsPlayersAreGone() async throws {
    let stage = try await House()
    let kitchen = try await stage.room("kitchen")
    await kitchen.publish(roomState(.playing, item: item(1)))
    try await stage.desktopShows("kitchen", "PlaybackStatus", "s \"Playing\"")
    await stage.close()
    #expect(try await stage.desktop.players() == [])
  }
}

/// A bus with the service on it, and a desktop.
private final class House: Sendable {
  let bus: TestBus
  let desktop: PrivateBus
  /// What the room was told.
  let heard = Mutex<[Playback.Transport.Action]>([])
  private let node: Node
  private let work: Task<Void, Never>

  init() async throws {
    bus = try TestBus()
    desktop = try await PrivateBus.start()
    node = try await bus.node("nowplaying@main")
    let service = NowPlaying(
      node: node, host: "host-1", log: .quiet, busAddress: desktop.address,
      coverPauses: Array(repeating: .milliseconds(20), count: 400))
    work = Task { await service.run() }
  }

  /// A room that does what it is told and says so.
  func room(_ name: String) async throws -> Node {
    let node = try await bus.node("playback@\(name)")
    await node.serve(Playback.Transport.self) { [weak self, weak node] request, _ in
      self?.heard.withLock { $0.append(request.action) }
      let state = roomState(request.action == .toggle ? .paused : .playing, item: item(1))
      await node?.publish(state)
      return state
    }
    return node
  }

  func desktopShows(_ room: String, _ property: String, _ value: String) async throws {
    let shown = try await eventually { try await desktop.property(property, of: room) == value }
    #expect(shown, "\(property) of \(room) never became \(value)")
  }

  func close() async {
    work.cancel()
    await work.value
    await node.close()
  }
}

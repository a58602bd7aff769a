import Bus
import Messages
import Model
import ServiceKit
import Synchronization
import TestSupport
import Testing

@testable import lunara_router

/// The router on a bus with a library and rooms.
@Suite(.timeLimit(.minutes(1)))
struct RouterRequestHandlerTests {
  @Test func anAlbumGoesToTheOnlyRoomInParts() async throws {
    let fixture = try await TestRouter()
    try await fixture.library(tracks: 250)
    let den = try await fixture.room("den")
    let played = try await fixture.ask(Router.Play(ids: [fixture.album], startAt: 120))
    #expect(played.room == RoomName(from: "den") && played.tracks == 250)
    #expect(played.queue.count == 250)
    let loads = den.loads.withLock { $0 }
    #expect(loads.map(\.load.items.count) == [100, 100, 50])
    #expect(loads.map(\.load.part) == [0, 1, 2] && loads.map(\.load.isLast) == [false, false, true])
    #expect(loads.allSatisfy { $0.load.startAt == 120 && $0.load.mode == .now && $0.load.load == loads[0].load.load })
    #expect(loads.flatMap(\.load.items).map(\.track.title) == (0..<250).map { "Track \($0)" })
    #expect(loads[0].load.items[0].origin == QueueItem.Origin(node: "web@main", place: fixture.album.description))
    await fixture.close()
  }

  @Test func anIntentHandledAgainAsksTheRoomUnderTheSameIDs() async throws {
    let fixture = try await TestRouter()
    try await fixture.library(tracks: 150)
    let den = try await fixture.room("den")
    let handler = RouterRequestHandler(node: fixture.router, log: .quiet)
    let context = RequestContext(id: RequestID("intent"), from: .web)
    for _ in 0..<2 {
      _ = try await handler.play(Router.Play(ids: [fixture.album], shuffle: true), asked: context)
    }
    // The second time the room's node answers from its command log, so that the room handles each id only once.
    #expect(den.loads.withLock { $0.map(\.id) } == ["intent.0", "intent.1"])
    #expect(Set(den.loads.withLock { $0.flatMap(\.load.items).map(\.entry) }).count == 150)
    await fixture.close()
  }

  @Test func moreThanAQueueTakesIsRefusedBeforeItIsReadWhereThatIsKnown() async throws {
    let fixture = try await TestRouter()
    try await fixture.library(tracks: 3)
    let den = try await fixture.room("den")
    let states = await fixture.router.states(Library.CatalogueState.self)
    let library = try #require(fixture.libraryNode)
    await library.publish(
      Library.CatalogueState(generation: 1, albums: 1, tracks: PlayPlan.trackLimit + 1, sources: []))
    let everything = Router.Play(ids: [PlayPlan.everything])
    for await observed in states where observed.contains(where: { $0.value.tracks > 3 }) { break }
    #expect(await fixture.refusal(of: everything)?.code == "router.tooMany")
    #expect(den.loads.withLock { $0.isEmpty })
    // A request with ids is handled all the same.
    #expect(try await fixture.ask(Router.Play(ids: [fixture.album])).tracks == 3)
    await fixture.close()
  }

  @Test func describedTracksFollowAndAreLookedForByTheirDescriptions() async throws {
    let fixture = try await TestRouter()
    try await fixture.library(tracks: 3)
    let den = try await fixture.room("den")
    let away = DescribedTrack(title: "Away", artist: "Nobody", isrc: "GBAYE0601498")
    #expect(try await fixture.ask(Router.Play(ids: [fixture.album], described: [away])).tracks == 4)
    let item = try #require(den.loads.withLock { $0.last?.load.items.last })
    #expect(item.described == away && item.track == away.track && item.path == nil && item.origin.place == nil)
    let nameless = DescribedTrack(title: "Away", artist: "")
    #expect(await fixture.refusal(of: Router.Play(ids: [], described: [nameless]))?.code == "router.badDescription")
    let many = [DescribedTrack](repeating: away, count: Router.Play.describedLimit + 1)
    #expect(await fixture.refusal(of: Router.Play(ids: [], described: many))?.code == "router.tooMany")
    let library = try #require(fixture.libraryNode)
    await library.serve(Library.LocateTrack.self) { request, _ in
      .url("http://h/\(request.described?.title ?? "")", headers: [:])
    }
    let resolve = Router.Resolve(track: item.track.id, host: "host-2", described: item.described)
    #expect(try await fixture.asker.request(resolve, to: .router) == .url("http://h/Away", headers: [:]))
    await fixture.close()
  }

  @Test func aDescribedTrackThatIsNotInTheLibraryIsAskedOfTheResolver() async throws {
    let fixture = try await TestRouter()
    try await fixture.library(tracks: 3)
    let library = try #require(fixture.libraryNode)
    await library.serve(Library.LocateTrack.self) { request, _ in
      throw LunaraError("library.notHere", "It is not here.")
    }
    let away = DescribedTrack(title: "Away", artist: "Nobody")
    let resolve = Router.Resolve(track: away.track.id, host: "h", described: away, failed: ["one"])
    await #expect(throws: LunaraError.self) { _ = try await fixture.asker.request(resolve, to: .router) }
    let resolver = try await fixture.bus.node("resolver@main")
    await resolver.serve(Resolver.Locate.self) { request, _ in
      .url("https://p/\(request.described.title)/\(request.failed?.joined() ?? "")", headers: [:])
    }
    #expect(
      await eventually(equals: .url("https://p/Away/one", headers: [:])) {
        (try? await fixture.asker.request(resolve, to: .router))
      })
    // Without plugins that are switched on, that is said, and why the library has nothing.
    await resolver.serve(Resolver.Locate.self) { _, _ in throw LunaraError("resolver.noPlugins", "None.") }
    do {
      _ = try await fixture.asker.request(resolve, to: .router)
      #expect(Bool(false))
    } catch {
      let error = LunaraError(error)
      #expect(error.code == "resolver.noPlugins" && error.cause?.isEmpty == false)
    }
    // A person's choice comes before the library, and a preview has nothing in its place.
    await library.serve(Library.LocateTrack.self) { _, _ in .url("http://library", headers: [:]) }
    func located(_ choice: ChosenSource?, failed: [String]? = nil) async throws -> Library.Locator {
      var wanted = away
      wanted.choice = choice
      return try await fixture.asker.request(
        Router.Resolve(track: away.track.id, host: "h", described: wanted, failed: failed), to: .router)
    }
    await resolver.serve(Resolver.Locate.self) { request, _ in
      .url("https://\(request.described.choice?.plugin ?? "none")", headers: [:])
    }
    #expect(try await located(nil) == .url("http://library", headers: [:]))
    #expect(try await located(ChosenSource(plugin: "one")) == .url("https://one", headers: [:]))
    #expect(try await located(ChosenSource(plugin: "one"), failed: ["one"]) == .url("http://library", headers: [:]))
    await resolver.serve(Resolver.Locate.self) { _, _ in throw LunaraError("resolver.noPreview", "None.") }
    #expect(try await located(ChosenSource(plugin: "one")) == .url("http://library", headers: [:]))
    await #expect(throws: LunaraError.self) { _ = try await located(ChosenSource(plugin: "one", isPreview: true)) }
    await library.serve(Library.LocateTrack.self) { _, _ in throw LunaraError("library.notHere", "It is not here.") }
    // A track of the library is nobody else's.
    let own = Router.Resolve(track: TrackID(source: "files", native: "t1"), host: "h")
    await #expect(throws: LunaraError.self) { _ = try await fixture.asker.request(own, to: .router) }
    await resolver.close()
    await fixture.close()
  }

  @Test func severalIDsPlayInTheirOrderEachWithItsPlace() async throws {
    let fixture = try await TestRouter()
    try await fixture.library(tracks: 3)
    let den = try await fixture.room("den")
    let other = PlayableID(source: "files", native: "a2")
    _ = try await fixture.ask(Router.Play(ids: [other, fixture.album], mode: .later))
    let load = try #require(den.loads.withLock { $0.first?.load })
    #expect(load.mode == .later)
    #expect(
      load.items.map(\.origin.place) == Array(repeating: "files:a2", count: 3) + Array(repeating: "files:a1", count: 3))
    #expect(Set(load.items.map(\.entry)).count == 6)
    await fixture.close()
  }

  @Test func withTwoRoomsOneMustBeNamed() async throws {
    let fixture = try await TestRouter()
    try await fixture.library(tracks: 3)
    let den = try await fixture.room("den")
    let bath = try await fixture.room("bath")
    let error = await fixture.refusal(of: Router.Play(ids: [fixture.album]))
    #expect(error?.code == "client.roomNeeded")
    #expect(error?.message.contains("bath, den") == true)
    #expect(try await fixture.ask(Router.Play(ids: [fixture.album], room: RoomName(from: "bath"))).tracks == 3)
    #expect(den.loads.withLock { $0.count } == 0 && bath.loads.withLock { $0.count } == 1)
    #expect(
      await fixture.refusal(of: Router.Play(ids: [fixture.album], room: RoomName(from: "attic")))?.code
        == "client.roomUnknown")
    await fixture.close()
  }

  @Test func ofTwoRoomsTheOneThatPlaysIsMeant() async throws {
    let fixture = try await TestRouter()
    try await fixture.library(tracks: 3)
    let (den, bath) = (try await fixture.room("den"), try await fixture.room("bath"))
    await den.node.publish(Self.state(of: "den", .paused))
    await bath.node.publish(Self.state(of: "bath", .playing))
    #expect(try await fixture.ask(Router.Play(ids: [fixture.album])).room == RoomName(from: "bath"))
    await fixture.close()
  }

  private static func state(of room: String, _ state: PlaybackState) -> Playback.RoomState {
    Playback.RoomState(
      room: RoomName(from: room), state: state, item: nil,
      position: Position(offset: .zero, rate: 0, takenAt: Timestamp(seconds: 1_700_000_000)), duration: nil, volume: 50,
      queueRevision: 1)
  }

  @Test func aRoomThatLeftIsAway() async throws {
    let fixture = try await TestRouter()
    try await fixture.library(tracks: 3)
    _ = try await fixture.room("den")
    let bath = try await fixture.room("bath")
    for await presences in await fixture.router.presences()
    where presences.contains(where: { $0.id == bath.node.id }) { break }
    await bath.node.close()
    for await presences in await fixture.router.presences() where presences.contains(where: \.away) { break }
    let error = await fixture.refusal(of: Router.Play(ids: [fixture.album], room: RoomName(from: "bath")))
    #expect(error?.code == "client.roomAway")
    #expect(try await fixture.ask(Router.Play(ids: [fixture.album])).room == RoomName(from: "den"))
    await fixture.close()
  }

  @Test func aLibraryThatLeftIsNotWaitedFor() async throws {
    let fixture = try await TestRouter()
    try await fixture.library(tracks: 3)
    _ = try await fixture.room("den")
    #expect(try await fixture.ask(Router.Play(ids: [fixture.album])).tracks == 3)
    await fixture.libraryNode?.close()
    for await presences in await fixture.router.presences()
    where presences.contains(where: { $0.id == .library && $0.away }) { break }
    // The client waits for 5 s at most, so this error came at once.
    let error = await fixture.refusal(of: Router.Play(ids: [fixture.album]))
    #expect(error?.code == "bus.unreachable" && error?.message.contains("library@main") == true)
    await fixture.close()
  }

  @Test func anEmptyAlbumIsNothingToPlay() async throws {
    let fixture = try await TestRouter()
    try await fixture.library(tracks: 0)
    let den = try await fixture.room("den")
    #expect(await fixture.refusal(of: Router.Play(ids: [fixture.album]))?.code == "router.nothingToPlay")
    #expect(den.loads.withLock { $0.count } == 0)
    await fixture.close()
  }

  @Test func theLibrarysErrorComesBackUnchanged() async throws {
    let fixture = try await TestRouter()
    let refused = LunaraError("library.unknownID", "There is no files:a1.", cause: "looked everywhere")
    let library = try await fixture.bus.node("library@main")
    await library.serve(Library.ListPlayable.self) { _, _ in throw refused }
    await library.serve(Library.LocateTrack.self) { _, _ in throw refused }
    _ = try await fixture.room("den")
    #expect(await fixture.refusal(of: Router.Play(ids: [fixture.album])) == refused)
    let resolve = Router.Resolve(track: anyTrack(1).track.id, host: "host-2")
    let error = await #expect(throws: LunaraError.self) { try await fixture.asker.request(resolve, to: .router) }
    #expect(error == refused)
    await library.close()
    await fixture.close()
  }

  @Test func resolveAsksTheLibraryForTheAskingHost() async throws {
    let fixture = try await TestRouter()
    let library = try await fixture.bus.node("library@main")
    await library.serve(Library.LocateTrack.self) { request, _ in
      .url("http://library/\(request.id)?for=\(request.host)", headers: ["A": "b"])
    }
    let locator = try await fixture.asker.request(
      Router.Resolve(track: anyTrack(1).track.id, host: "host-2"), to: .router)
    #expect(locator == .url("http://library/files:t1?for=host-2", headers: ["A": "b"]))
    await library.close()
    await fixture.close()
  }
}

/// A bus with the router and a client.
private final class TestRouter: Sendable {
  /// A room that records its loads.
  final class Room: Sendable {
    let node: Node
    let loads = Mutex<[(id: String, load: Playback.Load)]>([])

    init(_ node: Node) { self.node = node }
  }

  let bus: TestBus
  let router: Node
  let asker: Node
  let album = PlayableID(source: "files", native: "a1")
  private let others = Mutex<[Node]>([])
  private let libraries = Mutex<[Node]>([])

  var libraryNode: Node? { libraries.withLock { $0.first } }

  init() async throws {
    bus = try TestBus()
    router = try await bus.node("router@main")
    asker = try await bus.node("web@main")
    await RouterRequestHandler(node: router, log: .quiet).start()
  }

  /// A library that has `count` tracks under every id, in pages of 100.
  func library(tracks count: Int) async throws {
    let node = try await bus.node("library@main")
    others.withLock { $0.append(node) }
    libraries.withLock { $0.append(node) }
    await node.serve(Library.ListPlayable.self) { request, _ in
      let first = request.after.flatMap { Int($0) } ?? 0
      let end = min(count, first + 100)
      return Library.PlayablePage(tracks: (first..<end).map(anyTrack), next: end < count ? "\(end)" : nil)
    }
  }

  func room(_ name: String) async throws -> Room {
    let room = Room(try await bus.node("playback@\(name)"))
    others.withLock { $0.append(room.node) }
    await room.node.serve(Playback.Load.self) { [room] load, context in
      let count = room.loads.withLock {
        $0.append((context.id.text, load))
        return $0.map(\.load.items.count).reduce(0, +)
      }
      return Playback.QueueSummary(revision: 1, count: count, current: load.isLast ? load.startAt : nil)
    }
    return room
  }

  func ask(_ intent: Router.Play) async throws -> Router.Played { try await asker.request(intent, to: .router) }

  func refusal(of intent: Router.Play) async -> LunaraError? {
    await #expect(throws: LunaraError.self) { try await ask(intent) }
  }

  func close() async {
    for node in others.withLock({ $0 }) + [asker, router] { await node.close() }
  }
}

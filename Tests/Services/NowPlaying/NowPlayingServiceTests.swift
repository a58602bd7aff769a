import Bus
import Glibc
import HTTP
import Messages
import Model
import Synchronization
import TestSupport
import Testing

@testable import lunara_nowplaying

/// The service between a bus with a room on one side and a desktop on the other.
@Suite(.timeLimit(.minutes(5)))
struct NowPlayingServiceTests {
  @Test func playPauseReachesTheRoomAndItsStateComesBack() async throws {
    let fixture = try await NowPlayingFixture()
    let kitchen = try await fixture.room("kitchen")
    await kitchen.publish(roomState(.playing, item: item(1)))
    await kitchen.publish(queueState(current: 0, count: 3))
    try await fixture.desktopShows("kitchen", "PlaybackStatus", "s \"Playing\"")
    #expect(try await fixture.desktop.playerctl("lunara.kitchen", "play-pause") == "")
    #expect(fixture.heard.withLock { $0 } == [.toggle])
    try await fixture.desktopShows("kitchen", "PlaybackStatus", "s \"Paused\"")
    await fixture.close()
  }

  @Test func theCoverComesFromTheLibraryEvenWhenThatStartsLater() async throws {
    let fixture = try await NowPlayingFixture()
    let kitchen = try await fixture.room("kitchen")
    await kitchen.publish(roomState(.playing, item: item(1)))
    try await fixture.desktopShows("kitchen", "PlaybackStatus", "s \"Playing\"")
    let library = try await fixture.library { request in
      #expect(request.id == ArtID(source: "files", native: "c1") && request.host == "host-1" && request.size == 1024)
      return .file(LocalPath(try fixture.picture("a cover")))
    }
    let file = try await fixture.cover(of: "kitchen")
    #expect(text(of: file) == "a cover" && file.hasPrefix(fixture.covers))
    await kitchen.publish(roomState(.idle, item: nil))
    #expect(try await eventually(equals: nil) { try await fixture.coverURL(of: "kitchen") })
    #expect(await eventually { access(fixture.covers, F_OK) != 0 })
    await library.close()
    await fixture.close()
  }

  @Test func theCoverOfALibraryOnAnotherHostIsFetchedAndItsAddressNotShown() async throws {
    let fixture = try await NowPlayingFixture()
    let server = try HTTPServer(address: "127.0.0.1", port: 0) { request in
      let key = request.headers.first { $0.0.lowercased() == "x-key" }?.1 ?? ""
      return HTTPServerResponse(text: "\(key) \(request.path) \(request.query["secret"] ?? "")")
    }
    let library = try await fixture.library { _ in
      .url("http://127.0.0.1:\(server.port)/art?secret=1", headers: ["X-Key": "k"])
    }
    let kitchen = try await fixture.room("kitchen")
    await kitchen.publish(roomState(.playing, item: item(1)))
    let file = try await fixture.cover(of: "kitchen")
    #expect(text(of: file) == "k /art 1")
    #expect(try await !fixture.desktop.property("Metadata", of: "kitchen").contains("secret"))
    await library.close()
    await fixture.close()
    await server.stop()
  }

  @Test func aCoverThatComesTooLateIsNeitherShownNorKept() async throws {
    let fixture = try await NowPlayingFixture()
    let gate = Gate()
    let library = try await fixture.library { request in
      if request.id.native == "slow" { await gate.wait() }
      return .file(LocalPath(try fixture.picture(request.id.native)))
    }
    let kitchen = try await fixture.room("kitchen")
    var slow = item(1)
    slow.track.art = ArtID(source: "files", native: "slow")
    await kitchen.publish(roomState(.playing, item: slow))
    #expect(await eventually { await gate.hasWaiting })
    await kitchen.publish(roomState(.playing, item: item(2)))
    let file = try await fixture.cover(of: "kitchen")
    await gate.open()
    // The third cover's request is answered after the second one's late answer.
    var third = item(3)
    third.track.art = ArtID(source: "files", native: "c3")
    await kitchen.publish(roomState(.playing, item: third))
    let shows = try await eventually {
      try await fixture.coverURL(of: "kitchen").map { $0 != "file://\(file)" } ?? false
    }
    #expect(shows)
    #expect(text(of: try await fixture.cover(of: "kitchen")) == "c3")
    #expect(await eventually(equals: 1) { fixture.coverFiles().count })
    await library.close()
    await fixture.close()
    #expect(access(fixture.covers, F_OK) != 0)
  }

  @Test func whatOnlyTheLibraryKnowsComesWithTheCoverInOneSignal() async throws {
    let fixture = try await NowPlayingFixture()
    let library = try await fixture.library { _ in .file(LocalPath(try fixture.picture("c"))) }
    let kitchen = try await fixture.room("kitchen")
    await kitchen.publish(roomState(.idle, item: nil))
    try await fixture.desktopShows("kitchen", "PlaybackStatus", "s \"Stopped\"")
    let monitor = try await SignalMonitor.start(on: fixture.desktop)
    await kitchen.publish(roomState(.playing, item: item(1)))
    #expect(try await monitor.nextChangedProperties().contains("PlaybackStatus"))
    let whole = try await monitor.nextChange()
    guard case .object(let values)? = whole.payload.data.dropFirst().first, let metadata = values["Metadata"]?["data"]
    else { throw TestProcess.Failure(what: "\(whole) instead of metadata") }
    #expect(metadata["xesam:useCount"]?["data"] == .number(12))
    #expect(metadata["xesam:userRating"]?["data"] == .number(0.8))
    #expect(metadata["xesam:lastUsed"]?["data"] == .string("2023-11-14T22:13:20.000000Z"))
    #expect(metadata["mpris:artUrl"] != nil)
    await kitchen.publish(roomState(.paused, item: item(1)))
    let paused = try await monitor.nextChange()
    guard case .object(let changed)? = paused.payload.data.dropFirst().first else {
      throw TestProcess.Failure(what: "\(paused) instead of a pause")
    }
    #expect(Array(changed.keys) == ["PlaybackStatus"])
    await library.close()
    await fixture.close()
  }

  @Test func aTrackOfAnAccountThatSignsOutIsCleared() async throws {
    let fixture = try await NowPlayingFixture()
    let library = try await fixture.library { _ in .file(LocalPath(try fixture.picture("c"))) }
    let kitchen = try await fixture.room("kitchen")
    await kitchen.publish(roomState(.paused, item: item(1)))
    _ = try await fixture.cover(of: "kitchen")
    let source = Library.SourceStatus(
      name: "files", kind: "plex", health: "signed-out", lastRefreshed: nil, albums: 1, tracks: 1, problemCount: 0,
      problems: [])
    await library.publish(Library.CatalogueState(generation: 1, albums: 1, tracks: 1, sources: [source]))
    try await fixture.desktopShows("kitchen", "PlaybackStatus", "s \"Stopped\"")
    #expect(try await fixture.coverURL(of: "kitchen") == nil)
    #expect(try await fixture.desktop.property("Metadata", of: "kitchen").contains(TrackPath.none))
    #expect(await eventually { access(fixture.covers, F_OK) != 0 })
    await library.close()
    await fixture.close()
  }

  @Test func severalServicesShowTheSameRoomsUnderDifferentNames() async throws {
    let fixture = try await NowPlayingFixture()
    let kitchen = try await fixture.room("kitchen")
    await kitchen.publish(roomState(.playing, item: item(1)))
    try await fixture.desktopShows("kitchen", "PlaybackStatus", "s \"Playing\"")
    let other = try await NowPlayingFixture(beside: fixture)
    #expect(try await eventually(equals: 2) { try await fixture.desktop.players().count })
    await fixture.close()
    #expect(try await eventually(equals: 1) { try await fixture.desktop.players().count })
    await other.close()
    #expect(fixture.heard.withLock { $0 } == [])
  }

  @Test func aRoomThatLeavesTheBusLeavesTheDesktop() async throws {
    let fixture = try await NowPlayingFixture()
    let kitchen = try await fixture.room("kitchen")
    await kitchen.publish(roomState(.playing, item: item(1)))
    try await fixture.desktopShows("kitchen", "PlaybackStatus", "s \"Playing\"")
    await kitchen.close()
    #expect(try await eventually(equals: []) { try await fixture.desktop.players() })
    await fixture.close()
  }

  @Test func whenTheServiceStopsItsPlayersAreGone() async throws {
    let fixture = try await NowPlayingFixture()
    let kitchen = try await fixture.room("kitchen")
    await kitchen.publish(roomState(.playing, item: item(1)))
    try await fixture.desktopShows("kitchen", "PlaybackStatus", "s \"Playing\"")
    await fixture.close()
    #expect(try await fixture.desktop.players() == [])
  }
}

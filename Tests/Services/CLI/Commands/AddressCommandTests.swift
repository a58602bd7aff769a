import Bus
import Messages
import Model
import Synchronization
import Testing

@testable import lunara

/// Commands that take addresses of services.
@Suite(.timeLimit(.minutes(1))) struct AddressCommandTests {
  private static let address = "https://music.example/album/7"

  /// A router that notes the titles of described tracks, and a resolver that opens one address.
  private func household(tracks count: Int) async throws -> (CommandFixture, Node) {
    let fixture = try CommandFixture()
    let library = try await fixture.library()
    try await fixture.room("kitchen")
    let router = try await fixture.add("router@main")
    await router.serve(Router.Play.self) { request, _ in
      let described = request.described ?? []
      fixture.record(
        "\(request.mode.rawValue) \(request.ids.count) + \(described.count) \(described.first?.title ?? "-")…\(described.last?.title ?? "-")"
      )
      return Router.Played(
        room: request.room ?? RoomName(from: "x"), tracks: request.ids.count + described.count,
        queue: .init(revision: 4, count: 5, current: 0))
    }
    let resolver = try await fixture.add("resolver@main")
    await resolver.serve(Resolver.OpenAddress.self) { request, _ in
      guard request.address == Self.address else { throw LunaraError("resolver.unknownAddress", "Nothing opens it.") }
      return Resolver.OpenedAddress(
        plugin: .init(id: "tape", name: "Tape"), kind: .album, title: "Seven", artist: "Ada",
        tracks: (1...count).map { DescribedTrack(title: "T\($0)", artist: "Ada") })
    }
    return (fixture, library)
  }

  @Test func whatAnAddressNamesIsPlayedAndQueued() async throws {
    let (fixture, _) = try await household(tracks: 3)
    #expect(await fixture.run("play", Self.address).0 == .done)
    let (status, printed) = await fixture.run("queue", "add", Self.address, "files:a3", "--next")
    #expect(status == .done && printed.output == "4 tracks next, in kitchen\n")
    #expect(fixture.asked.withLock { $0 } == ["now 0 + 3 T1…T3", "next 1 + 3 T1…T3"])
    #expect(await fixture.run("play", "https://other.example/").0 != .done)
    await fixture.close()
  }

  @Test func aLongAlbumIsLoadedInPartsThatStayInOrder() async throws {
    let (fixture, _) = try await household(tracks: 450)
    #expect(await fixture.run("play", Self.address).0 == .done)
    #expect(await fixture.run("play", Self.address, "--next").0 == .done)
    #expect(
      fixture.asked.withLock { $0 } == [
        "now 0 + 200 T1…T200", "later 0 + 200 T201…T400", "later 0 + 50 T401…T450", "next 0 + 50 T401…T450",
        "next 0 + 200 T201…T400", "next 0 + 200 T1…T200",
      ])
    await fixture.close()
  }

  @Test func whatAnAddressNamesIsAddedToAPlaylist() async throws {
    let (fixture, library) = try await household(tracks: 2)
    let id = PlaylistID(source: "lunara", native: "p4")
    await library.serve(Library.AddToPlaylist.self) { request, _ in
      fixture.record("\(request.id) \(request.ids.count) \(request.described?.map(\.title) ?? [])")
      return Playlist(id: id, title: "Sunday", trackCount: 2, duration: .zero)
    }
    let (status, printed) = await fixture.run("playlists", "add", "lunara:p4", Self.address)
    #expect(status == .done && printed.output.contains("Sunday · 2 tracks"))
    #expect(fixture.asked.withLock { $0 } == [#"lunara:p4 0 ["T1", "T2"]"#])
    await fixture.close()
  }
}

import Bus
import Messages
import Model
import Synchronization
import TestSupport
import Testing

@testable import lunara

/// The commands of kept albums, with a room that gives prepared answers.
@Suite(.timeLimit(.minutes(2))) struct OfflineCommandTests {
  private static let state = Playback.OfflineState(
    albums: 2, whole: 1, bytes: 4_200_000, limit: 64_000_000_000, free: 70_000_000_000)

  private static let albums = [
    Playback.OfflineAlbum(
      id: AlbumID(source: "files", native: "a1"), title: "Night Lines", artist: "Nova", state: .whole, tracks: 3,
      kept: 3, bytes: 3_000_000, size: 3_000_000, isPinned: true, addedAt: Sample.moment),
    Playback.OfflineAlbum(
      id: AlbumID(source: "files", native: "a2"), title: "Tram", artist: "Nova", state: .failed, tracks: 4, kept: 1,
      bytes: 1_200_000, size: 2_400_000, addedAt: Sample.moment,
      problem: LunaraError("playback.offlineFull", "There is no room.")),
  ]

  /// A household with a room that keeps two albums.
  private func household(_ asked: Asked, library: Bool = true) async throws -> CommandFixture {
    let fixture = try CommandFixture()
    if library { _ = try await fixture.library() }
    let node = try await fixture.add("playback@den")
    @Sendable func record(_ request: some Message) throws {
      let text = String(decoding: try MessageCoding.encode(request), as: UTF8.self)
      asked.texts.withLock { $0.append(text) }
    }
    await node.serve(Playback.ListOffline.self) { _, _ in
      Playback.OfflinePage(albums: Self.albums, state: Self.state)
    }
    await node.serve(Playback.AddOffline.self) { request, _ in
      try record(request)
      return Playback.OfflineChange(changed: 1, unchanged: 1)
    }
    await node.serve(Playback.RemoveOffline.self) { request, _ in
      try record(request)
      return Playback.OfflineChange(changed: 1, unchanged: 0)
    }
    await node.serve(Playback.SetOffline.self) { request, _ in
      try record(request)
      return Self.state
    }
    await node.serve(Playback.SetOfflineConnection.self) { request, _ in
      try record(request)
      var state = Self.state
      state.connection = request.connection
      return state
    }
    await node.serve(Playback.PlayOffline.self) { request, _ in
      try record(request)
      return Router.Played(room: RoomName(from: "den"), tracks: 3, queue: .init(revision: 4, count: 3, current: 0))
    }
    return fixture
  }

  private final class Asked: Sendable {
    let texts = Mutex<[String]>([])
    var last: String? { texts.withLock { $0.last } }
  }

  @Test func theListSaysHowFarEachAlbumIs() async throws {
    let fixture = try await household(Asked())
    let (status, printed) = await fixture.run("offline")
    #expect(status == .done)
    for word in ["Night Lines", "3.0 MB", "whole", "pinned", "failed 50 %", "There is no room."] {
      #expect(printed.output.contains(word), "\(word)")
    }
    #expect(printed.errors.contains("4.2 MB of at most 64 GB"))
    let (_, json) = await fixture.run("offline", "list", "--json")
    #expect(
      json.output.hasPrefix(
        #"[{"id":"files:a1","title":"Night Lines","artist":"Nova","art":null,"room":"den","state":"whole","bytes":3000000,"size":3000000,"progress":1,"#
      ))
    await fixture.close()
  }

  @Test func albumsAreAddedByTitleAndRemovedWithoutTheLibrary() async throws {
    let asked = Asked()
    let fixture = try await household(asked)
    let (status, printed) = await fixture.run("offline", "add", "Night", "Lines", "--pin")
    #expect(status == .done && printed.output == "1 album to keep in den, 1 there already\n")
    #expect(asked.last == #"{"ids":["files:a4"],"isPinned":true}"#)
    #expect(await fixture.run("offline", "add", "files:a1", "--pin", "--unpin").0 == .wrongUsage)
    await fixture.close()

    let alone = try await household(asked, library: false)
    #expect(await alone.run("offline", "remove", "tram").0 == .done)
    #expect(asked.last == #"{"ids":["files:a2"]}"#)
    #expect(await alone.run("offline", "remove", "Nowhere").0 == .failed)
    #expect(await alone.run("offline", "remove", "--all").0 == .done && asked.last == "{}")
    #expect(await alone.run("offline", "remove").0 == .wrongUsage)
    await alone.close()
  }

  @Test func theSpaceIsSetInUnitsOfDisks() async throws {
    let asked = Asked()
    let fixture = try await household(asked)
    #expect(await fixture.run("offline", "space", "64GB").0 == .done && asked.last == #"{"limit":64000000000}"#)
    #expect(await fixture.run("offline", "space", "auto").0 == .done && asked.last == "{}")
    #expect(await fixture.run("offline", "space", "much").0 == .wrongUsage)
    #expect(await fixture.run("offline", "space").0 == .done)
    await fixture.close()
    #expect(DiskSize.bytes("1.5 TB") == 1_500_000_000_000 && DiskSize.bytes("500m") == 500_000_000)
    #expect(DiskSize.text(999) == "999 B" && DiskSize.text(1_250_000_000) == "1.3 GB")
  }

  @Test func theConnectionsAreChosenByName() async throws {
    let asked = Asked()
    let fixture = try await household(asked)
    let (status, printed) = await fixture.run("offline", "network", "wifi")
    #expect(status == .done && asked.last == #"{"connection":"wifi"}"#)
    #expect(printed.output == "Wi-Fi and cables that do not cost by volume.\n")
    let (_, json) = await fixture.run("offline", "network", "any", "--json")
    #expect(json.output.contains(#""connection":"any""#))
    #expect(await fixture.run("offline", "network", "gsm").0 == .wrongUsage)
    let (_, usual) = await fixture.run("offline", "network")
    #expect(usual.output == "Any connection that does not cost by volume.\n")
    await fixture.close()
  }

  @Test func withoutRouterAndLibraryAKeptAlbumPlays() async throws {
    let asked = Asked()
    let fixture = try await household(asked, library: false)
    let (status, printed) = await fixture.run("play", "files:a1", "--from", "2")
    #expect(status == .done && printed.output == "3 tracks now, in den\n")
    #expect(asked.last == #"{"mode":"now","names":["files:a1"],"startAt":1}"#)
    await fixture.close()
  }
}

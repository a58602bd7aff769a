import Messages
import Model
import Storage
import TestSupport
import Testing

@testable import lunara_library

/// Whose copy is shown is for the person to say.
@Suite(.timeLimit(.minutes(2)))
struct SourceOrderTests {
  private func server(_ machine: String, _ fill: (inout FakeServer.Contents) -> Void) -> FakeServer {
    var contents = FakeServer.Contents()
    contents.machine = machine
    fill(&contents)
    return FakeServer(contents)
  }

  private func order(_ names: [String], on shelf: Shelf) async throws -> [String] {
    let time = shelf.time
    return try await shelf.database.write { try Catalogue.order(sources: names, now: time, journal: nil, $0) }
  }

  private func sources(of title: String, on shelf: Shelf) async throws -> [String] {
    try await shelf.tracks(of: shelf.album(title)).map(\.id.source)
  }

  /// Two servers with one album of the same quality, and one each of their own.
  private func shelf() async throws -> Shelf {
    let shelf = try Shelf()
    try await shelf.refresh(
      server("m1") {
        $0.album(100, "Blue", tracks: 2, format: "flac")
        $0.album(200, "One", tracks: 1)
      })
    try await shelf.refresh(
      server("m2") {
        $0.album(100, "Blue", tracks: 2, format: "flac")
        $0.album(300, "Two", tracks: 1)
      }, "subsonic")
    return shelf
  }

  @Test func theFirstSourceOfTheOrderIsShown() async throws {
    let shelf = try await shelf()
    #expect(try await sources(of: "Blue", on: shelf) == ["plex", "plex"])
    let generation = try await shelf.state().generation
    #expect(try await order(["subsonic"], on: shelf) == ["subsonic", "plex"])
    #expect(try await sources(of: "Blue", on: shelf) == ["subsonic", "subsonic"])
    #expect(try await shelf.album("Blue").art?.source == "subsonic")
    #expect(try await shelf.state().sources.map(\.name) == ["subsonic", "plex"])
    // Whoever keeps what was shown hears of it.
    #expect(try await shelf.state().generation == generation + 1)
    try await shelf.expectWholeIndex()
    try await shelf.expectSameFromScratch()
    // And back.
    #expect(try await order(["plex", "subsonic", "plex"], on: shelf) == ["plex", "subsonic"])
    #expect(try await sources(of: "Blue", on: shelf) == ["plex", "plex"])
    try await shelf.expectSameFromScratch()
  }

  @Test func theSameOrderChangesNothing() async throws {
    let shelf = try await shelf()
    let generation = try await shelf.state().generation
    #expect(try await order(["plex"], on: shelf) == ["plex", "subsonic"])
    #expect(try await shelf.state().generation == generation)
  }

  @Test func anUnknownNameChangesNothing() async throws {
    let shelf = try await shelf()
    #expect(await refusal { _ = try await order(["subsonic", "emby"], on: shelf) } == "library.unknownSource")
    #expect(try await sources(of: "Blue", on: shelf) == ["plex", "plex"])
  }

  @Test func aLosslessCopyComesFirstWhateverTheOrder() async throws {
    let shelf = try Shelf()
    try await shelf.refresh(server("m1") { $0.album(100, "Blue", tracks: 2) })
    try await shelf.refresh(server("m2") { $0.album(100, "Blue", tracks: 2, format: "flac") }, "subsonic")
    _ = try await order(["plex"], on: shelf)
    #expect(try await sources(of: "Blue", on: shelf) == ["subsonic", "subsonic"])
  }

  @Test func theOrderIsKeptByTheNextRefresh() async throws {
    let shelf = try await shelf()
    _ = try await order(["subsonic"], on: shelf)
    try await shelf.refresh(
      server("m1") {
        $0.album(100, "Blue", tracks: 2, format: "flac")
        $0.album(200, "One", tracks: 2)
      })
    #expect(try await sources(of: "Blue", on: shelf) == ["subsonic", "subsonic"])
  }
}

import Messages
import Model
import Storage
import TestSupport
import Testing

@testable import Catalogue

/// A person chooses the order of sources, which decides whose copy is shown.
@Suite(.timeLimit(.minutes(2)))
struct SourceOrderTests {
  private func server(_ machine: String, _ fill: (inout FakeServer.Contents) -> Void) -> FakeServer {
    var contents = FakeServer.Contents()
    contents.machine = machine
    fill(&contents)
    return FakeServer(contents)
  }

  private func order(_ names: [String], on catalogue: TestCatalogue) async throws -> [String] {
    let time = catalogue.time
    return try await catalogue.database.write { try Catalogue.order(sources: names, now: time, .to(nil), $0) }
  }

  private func sources(of title: String, on catalogue: TestCatalogue) async throws -> [String] {
    try await catalogue.tracks(of: catalogue.album(title)).map(\.id.source)
  }

  /// Two servers with one album of the same quality in common, and one album each of their own.
  private func catalogue() async throws -> TestCatalogue {
    let catalogue = try TestCatalogue()
    try await catalogue.refresh(
      server("m1") {
        $0.album(100, "Blue", tracks: 2, format: "flac")
        $0.album(200, "One", tracks: 1)
      })
    try await catalogue.refresh(
      server("m2") {
        $0.album(100, "Blue", tracks: 2, format: "flac")
        $0.album(300, "Two", tracks: 1)
      }, "subsonic")
    return catalogue
  }

  @Test func theFirstSourceOfTheOrderIsShown() async throws {
    let catalogue = try await catalogue()
    #expect(try await sources(of: "Blue", on: catalogue) == ["plex", "plex"])
    let generation = try await catalogue.state().generation
    #expect(try await order(["subsonic"], on: catalogue) == ["subsonic", "plex"])
    #expect(try await sources(of: "Blue", on: catalogue) == ["subsonic", "subsonic"])
    #expect(try await catalogue.album("Blue").art?.source == "subsonic")
    #expect(try await catalogue.state().sources.map(\.name) == ["subsonic", "plex"])
    // The generation changes, so that clients read the album again.
    #expect(try await catalogue.state().generation == generation + 1)
    try await catalogue.expectWholeIndex()
    try await catalogue.expectSameFromScratch()
    // The order is set back.
    #expect(try await order(["plex", "subsonic", "plex"], on: catalogue) == ["plex", "subsonic"])
    #expect(try await sources(of: "Blue", on: catalogue) == ["plex", "plex"])
    try await catalogue.expectSameFromScratch()
  }

  @Test func theSameOrderChangesNothing() async throws {
    let catalogue = try await catalogue()
    let generation = try await catalogue.state().generation
    #expect(try await order(["plex"], on: catalogue) == ["plex", "subsonic"])
    #expect(try await catalogue.state().generation == generation)
  }

  @Test func anUnknownNameChangesNothing() async throws {
    let catalogue = try await catalogue()
    #expect(await refusal { _ = try await order(["subsonic", "emby"], on: catalogue) } == "library.unknownSource")
    #expect(try await sources(of: "Blue", on: catalogue) == ["plex", "plex"])
  }

  @Test func aLosslessCopyComesFirstWhateverTheOrder() async throws {
    let catalogue = try TestCatalogue()
    try await catalogue.refresh(server("m1") { $0.album(100, "Blue", tracks: 2) })
    try await catalogue.refresh(server("m2") { $0.album(100, "Blue", tracks: 2, format: "flac") }, "subsonic")
    _ = try await order(["plex"], on: catalogue)
    #expect(try await sources(of: "Blue", on: catalogue) == ["subsonic", "subsonic"])
  }

  @Test func theOrderIsKeptByTheNextRefresh() async throws {
    let catalogue = try await catalogue()
    _ = try await order(["subsonic"], on: catalogue)
    try await catalogue.refresh(
      server("m1") {
        $0.album(100, "Blue", tracks: 2, format: "flac")
        $0.album(200, "One", tracks: 2)
      })
    #expect(try await sources(of: "Blue", on: catalogue) == ["subsonic", "subsonic"])
  }
}

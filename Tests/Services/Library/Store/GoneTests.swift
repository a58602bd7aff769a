import Messages
import Model
import Storage
import Testing

@testable import lunara_library

/// Which tracks of a queue are no more.
@Suite(.timeLimit(.minutes(2)))
struct GoneTests {
  private func gone(
    _ tracks: [TrackID], _ catalogue: TestCatalogue, answering: Set<String> = ["files", "plex"]
  ) async throws -> [String] {
    try await catalogue.database.read {
      try Catalogue.removedTracks(Library.ListRemovedTracks(tracks: tracks), answering: answering, $0).tracks.map(\.description)
    }
  }

  private func ids(_ catalogue: TestCatalogue) async throws -> [TrackID] { try await catalogue.tracks().map(\.id).sorted() }

  @Test func whatAHealthySourceLostIsGoneAndWhatOthersHaveIsNot() async throws {
    let catalogue = try TestCatalogue()
    for name in ["a", "b", "c", "d", "e"] { try catalogue.tree.album(name, ["ALBUM=\(name)", "ARTIST=Joni"]) }
    try await catalogue.refresh()
    let tracks = try await ids(catalogue)
    let lost = try await catalogue.tracks(of: catalogue.album("b")).map(\.id)
    #expect(try await gone(tracks, catalogue).isEmpty)
    for number in 1...3 { try catalogue.tree.remove("b/0\(number).flac") }
    try await catalogue.refresh()
    #expect(try await Set(gone(tracks, catalogue)) == Set(lost.map(\.description)))
    // The source does not answer just now: that is no word on what it has.
    #expect(try await gone(tracks, catalogue, answering: ["plex"]).isEmpty)
  }

  @Test func whatTheServerNumbersAnewIsNotGone() async throws {
    let catalogue = try TestCatalogue()
    let server = FakeServer()
    server.change { contents in
      for number in 1...6 { contents.album(number * 100, "Album \(number)") }
    }
    try await catalogue.refresh(server)
    let tracks = try await ids(catalogue)
    for (guids, files) in [(false, true), (true, false), (false, false)] {
      server.change { $0.renumber(by: 5000, guids: guids, files: files) }
      try await catalogue.refresh(server)
      #expect(try await gone(tracks, catalogue).isEmpty)
    }
    server.change { $0.remove(15_300) }
    try await catalogue.refresh(server)
    #expect(try await gone(tracks, catalogue).count == 3)
  }

  @Test func aTrackWhoseCopyStaysIsNotGone() async throws {
    let catalogue = try TestCatalogue()
    for number in 1...3 {
      try catalogue.tree.flac(
        "blue/\(number).flac",
        [
          "ALBUM=Blue", "ALBUMARTIST=Joni", "ARTIST=Joni", "DATE=1971", "TITLE=Song \(number) of Blue",
          "TRACKNUMBER=\(number)",
        ], seconds: 180)
    }
    try catalogue.tree.album("other", ["ALBUM=Other", "ARTIST=Nick"])
    try await catalogue.refresh()
    let server = FakeServer()
    server.change { $0.album(100, "Blue") }
    try await catalogue.refresh(server)
    let files = try await catalogue.tracks(of: catalogue.album("Blue")).map(\.id)
    for number in 1...3 { try catalogue.tree.remove("blue/\(number).flac") }
    try await catalogue.refresh(accepting: true)
    #expect(files.count == 3 && files.allSatisfy { $0.source == "files" })
    #expect(try await gone(files, catalogue).isEmpty)
  }

  @Test func aSourceThatAPersonTookAwayTakesItsTracksAlong() async throws {
    let catalogue = try TestCatalogue()
    let server = FakeServer()
    server.change { $0.album(100, "Blue") }
    try await catalogue.refresh(server)
    let tracks = try await ids(catalogue)
    try await catalogue.database.write {
      try Catalogue.remove(source: "plex", now: Timestamp(seconds: 1_800_000_000), journal: nil, $0)
    }
    #expect(try await gone(tracks, catalogue, answering: []).count == 3)
  }

  @Test func whatThisCatalogueNeverNumberedIsNotGone() async throws {
    let catalogue = try TestCatalogue()
    try catalogue.tree.album("a", ["ALBUM=A", "ARTIST=Joni"])
    try await catalogue.refresh()
    let foreign = ["files:t999", "attic:t888", "plex:4711", "files:a1", "files:t"].compactMap { TrackID($0) }
    #expect(foreign.count == 5)
    #expect(try await gone(foreign, catalogue).isEmpty)
  }

  @Test func tooManyAtOnceAreRefused() async throws {
    let catalogue = try TestCatalogue()
    let tracks = Array(repeating: TrackID(source: "files", native: "t1"), count: 501)
    await #expect { try await gone(tracks, catalogue) } throws: { LunaraError($0).code == "library.tooManyIDs" }
  }
}

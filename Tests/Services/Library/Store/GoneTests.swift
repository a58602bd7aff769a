import Messages
import Model
import Storage
import Testing

@testable import lunara_library

/// Which tracks of a queue are no more.
@Suite(.timeLimit(.minutes(2)))
struct GoneTests {
  private func gone(
    _ tracks: [TrackID], _ shelf: Shelf, answering: Set<String> = ["files", "plex"]
  ) async throws -> [String] {
    try await shelf.database.read {
      try Catalogue.gone(Library.ListGone(tracks: tracks), answering: answering, $0).tracks.map(\.description)
    }
  }

  private func ids(_ shelf: Shelf) async throws -> [TrackID] { try await shelf.tracks().map(\.id).sorted() }

  @Test func whatAHealthySourceLostIsGoneAndWhatOthersHaveIsNot() async throws {
    let shelf = try Shelf()
    for name in ["a", "b", "c", "d", "e"] { try shelf.tree.album(name, ["ALBUM=\(name)", "ARTIST=Joni"]) }
    try await shelf.refresh()
    let tracks = try await ids(shelf)
    let lost = try await shelf.tracks(of: shelf.album("b")).map(\.id)
    #expect(try await gone(tracks, shelf).isEmpty)
    for number in 1...3 { try shelf.tree.remove("b/0\(number).flac") }
    try await shelf.refresh()
    #expect(try await Set(gone(tracks, shelf)) == Set(lost.map(\.description)))
    // The source does not answer just now: that is no word on what it has.
    #expect(try await gone(tracks, shelf, answering: ["plex"]).isEmpty)
  }

  @Test func whatTheServerNumbersAnewIsNotGone() async throws {
    let shelf = try Shelf()
    let server = FakeServer()
    server.change { contents in
      for number in 1...6 { contents.album(number * 100, "Album \(number)") }
    }
    try await shelf.refresh(server)
    let tracks = try await ids(shelf)
    for (guids, files) in [(false, true), (true, false), (false, false)] {
      server.change { $0.renumber(by: 5000, guids: guids, files: files) }
      try await shelf.refresh(server)
      #expect(try await gone(tracks, shelf).isEmpty)
    }
    server.change { $0.remove(15_300) }
    try await shelf.refresh(server)
    #expect(try await gone(tracks, shelf).count == 3)
  }

  @Test func aTrackWhoseCopyStaysIsNotGone() async throws {
    let shelf = try Shelf()
    for number in 1...3 {
      try shelf.tree.flac(
        "blue/\(number).flac",
        [
          "ALBUM=Blue", "ALBUMARTIST=Joni", "ARTIST=Joni", "DATE=1971", "TITLE=Song \(number) of Blue",
          "TRACKNUMBER=\(number)",
        ], seconds: 180)
    }
    try shelf.tree.album("other", ["ALBUM=Other", "ARTIST=Nick"])
    try await shelf.refresh()
    let server = FakeServer()
    server.change { $0.album(100, "Blue") }
    try await shelf.refresh(server)
    let files = try await shelf.tracks(of: shelf.album("Blue")).map(\.id)
    for number in 1...3 { try shelf.tree.remove("blue/\(number).flac") }
    try await shelf.refresh(accepting: true)
    #expect(files.count == 3 && files.allSatisfy { $0.source == "files" })
    #expect(try await gone(files, shelf).isEmpty)
  }

  @Test func aSourceThatAPersonTookAwayTakesItsTracksAlong() async throws {
    let shelf = try Shelf()
    let server = FakeServer()
    server.change { $0.album(100, "Blue") }
    try await shelf.refresh(server)
    let tracks = try await ids(shelf)
    try await shelf.database.write {
      try Catalogue.remove(source: "plex", now: Timestamp(seconds: 1_800_000_000), journal: nil, $0)
    }
    #expect(try await gone(tracks, shelf, answering: []).count == 3)
  }

  @Test func whatThisCatalogueNeverNumberedIsNotGone() async throws {
    let shelf = try Shelf()
    try shelf.tree.album("a", ["ALBUM=A", "ARTIST=Joni"])
    try await shelf.refresh()
    let foreign = ["files:t999", "attic:t888", "plex:4711", "files:a1", "files:t"].compactMap { TrackID($0) }
    #expect(foreign.count == 5)
    #expect(try await gone(foreign, shelf).isEmpty)
  }

  @Test func tooManyAtOnceAreRefused() async throws {
    let shelf = try Shelf()
    let tracks = Array(repeating: TrackID(source: "files", native: "t1"), count: 501)
    await #expect { try await gone(tracks, shelf) } throws: { LunaraError($0).code == "library.tooManyIDs" }
  }
}

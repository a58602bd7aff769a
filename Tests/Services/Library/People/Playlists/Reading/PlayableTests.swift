import Messages
import Model
import Storage
import TestSupport
import Testing

@testable import Catalogue
@testable import People

/// The tracks that a playable id stands for.
@Suite(.timeLimit(.minutes(2)))
struct PlayableTests {
  private func catalogue() async throws -> TestCatalogue {
    let catalogue = try TestCatalogue()
    try catalogue.tree.album("b", ["ALBUM=Later", "ALBUMARTIST=Joni", "ARTIST=Joni", "DATE=1990"])
    try catalogue.tree.album("a", ["ALBUM=Undated", "ALBUMARTIST=Joni", "ARTIST=Joni"])
    try catalogue.tree.album("c", ["ALBUM=Early", "ALBUMARTIST=Joni", "ARTIST=Joni", "DATE=1970"])
    try catalogue.tree.album("d", ["ALBUM=Other", "ALBUMARTIST=Nick", "ARTIST=Nick"])
    try await catalogue.refresh()
    return catalogue
  }

  private func list(_ catalogue: TestCatalogue, _ ids: [String], after: String? = nil) async throws
    -> Library.PlayablePage
  {
    let ids = try ids.map { try #require(PlayableID($0)) }
    return try await catalogue.database.read {
      try Catalogue.playable(Library.ListPlayable(ids: ids, after: after), host: "here", $0)
    }
  }

  @Test func idsOfAllKindsKeepTheirOrder() async throws {
    let catalogue = try await catalogue()
    let early = try await catalogue.album("Early")
    let other = try await catalogue.tracks(of: catalogue.album("Other"))
    let page = try await list(catalogue, [other[2].id.description, early.id.description, other[0].id.description])
    #expect(
      page.tracks.map(\.track.title) == [
        "Song 3 of d", "Song 1 of c", "Song 2 of c", "Song 3 of c", "Song 1 of d",
      ])
    #expect(page.next == nil)
    #expect(page.tracks.allSatisfy { $0.host == "here" })
    #expect(page.tracks[0].path?.bytes == catalogue.tree.path("d/03.flac"))
  }

  @Test func anArtistIsTheAlbumsByYear() async throws {
    let catalogue = try await catalogue()
    let joni = try #require(try await catalogue.artists().first { $0.name == "Joni" })
    let page = try await list(catalogue, [joni.id.description])
    #expect(page.tracks.map(\.track.album) == ["Early", "Later", "Undated"].flatMap { [$0, $0, $0] })
  }

  @Test func aSearchPlaysAllHitsOfTheFirstKindWithAny() async throws {
    let catalogue = try TestCatalogue()
    for number in 1...130 {
      try catalogue.tree.flac(
        "x/\(number).flac", ["ALBUM=Tram Lines", "ARTIST=Ada", "TITLE=Stop \(number)", "TRACKNUMBER=\(number)"])
    }
    try catalogue.tree.flac("y/1.flac", ["ALBUM=Tram Stops", "ARTIST=Bob", "TITLE=One", "TRACKNUMBER=1"])
    try await catalogue.refresh()
    func titles(_ words: String) async throws -> [String] {
      var titles: [String] = []
      var after: String?
      repeat {
        let page = try await list(catalogue, ["library:search:\(words)"], after: after)
        titles += page.tracks.map(\.track.title)
        after = page.next
      } while after != nil
      return titles
    }
    let found = try await titles("stop")
    #expect(Set(found) == Set((1...130).map { "Stop \($0)" }) && found.count == 130)
    #expect(Array(found.prefix(100)) == (try await catalogue.search("stop", limit: 100).tracks.map(\.title)))
    #expect(try await titles("tram").count == 131)
    #expect(try await titles("tram bob") == ["One"])
    #expect(try await titles("ada").count == 130)
    for words in ["nothing", "", "…"] {
      let error = await #expect(throws: LunaraError.self) { try await titles(words) }
      #expect(error?.code == "library.unknownID")
    }
  }

  @Test func manyTracksComeInPagesWithoutGapOrRepeat() async throws {
    let catalogue = try TestCatalogue()
    for number in 1...130 {
      try catalogue.tree.flac("x/\(number).flac", ["ALBUM=X", "ARTIST=A", "TITLE=\(number)", "TRACKNUMBER=\(number)"])
    }
    try await catalogue.refresh()
    let album = try await catalogue.album("X").id.description
    let ids = [album, "files:t1", album]
    var titles: [String] = []
    var after: String?
    repeat {
      let page = try await list(catalogue, ids, after: after)
      #expect(page.tracks.count <= 100)
      titles += page.tracks.map(\.track.title)
      after = page.next
    } while after != nil
    let once = (1...130).map(String.init)
    let single = try #require(try await catalogue.tracks().first { $0.id.native == "t1" }).title
    #expect(titles == once + [single] + once)
  }

  @Test func aCursorThatNoPageGaveIsAnsweredWithAPageOrRefused() async throws {
    let catalogue = try await catalogue()
    let id = try await catalogue.album("Early").id.description
    for place in [[Int64(-1), 0, 0], [.min, .min, .min]] {
      let page = try await list(catalogue, [id], after: Cursor("playable", place).text)
      #expect(page.tracks.count == 3 && page.next == nil)
    }
    #expect(try await list(catalogue, [id], after: Cursor("playable", [Int64.max, 0, 0]).text).tracks.isEmpty)
  }

  @Test(arguments: ["files:a99", "files:t99", "files:r99", "files:x1", "plex:a1", "files:a", "files:a-1", "files:1"])
  func anUnknownIDIsRefusedAndNamed(_ id: String) async throws {
    let catalogue = try await catalogue()
    await #expect { try await list(catalogue, ["files:a1", id]) } throws: { error in
      let error = error as? LunaraError
      return error?.code == "library.unknownID" && error?.message.contains(id) == true
    }
  }

  @Test func tooManyIDsAreRefused() async throws {
    let catalogue = try await catalogue()
    await #expect { try await list(catalogue, Array(repeating: "files:t1", count: 2001)) } throws: {
      ($0 as? LunaraError)?.code == "library.tooManyIDs"
    }
  }

  @Test func anIDOfAnotherKindIsNamedAsWhatItIs() async throws {
    let catalogue = try await catalogue()
    func message(_ body: @Sendable @escaping (ReadTransaction) throws -> Void) async -> String? {
      let error = await #expect(throws: LunaraError.self) { try await catalogue.database.read { try body($0) } }
      return error?.code == "library.unknownID" ? error?.message : nil
    }
    let (track, artist) = (try #require(AlbumID("files:t1")), try #require(AlbumID("files:r1")))
    #expect(
      await message { _ = try Catalogue.album(Library.ReadAlbum(id: track), $0) }
        == "files:t1 is a track, not an album.")
    #expect(
      await message { _ = try Catalogue.album(Library.ReadAlbum(id: artist), $0) }
        == "files:r1 is an artist, not an album.")
  }

  @Test func anAlbumThatIsNotThereIsRefused() async throws {
    let catalogue = try await catalogue()
    for id in ["files:a99", "files:t1", "plex:a1"] {
      let request = Library.ReadAlbum(id: try #require(AlbumID(id)))
      await #expect { try await catalogue.database.read { try Catalogue.album(request, $0) } } throws: {
        ($0 as? LunaraError)?.code == "library.unknownID"
      }
    }
  }
}

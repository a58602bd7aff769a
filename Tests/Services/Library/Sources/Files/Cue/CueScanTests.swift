import Messages
import Model
import Storage
import TestSupport
import Testing

@testable import Catalogue
@testable import People

/// Albums in one file with a CUE sheet, from the folder to the rooms.
@Suite(.timeLimit(.minutes(2)))
struct CueScanTests {
  private func sheet(_ file: String = "image.flac", _ titles: [String] = ["One", "Two", "Three"]) -> String {
    let head = "PERFORMER \"Joni Mitchell\"\nTITLE \"Blue\"\nREM DATE 1971\nREM GENRE Folk\nFILE \"\(file)\" WAVE\n"
    return titles.enumerated().reduce(head) { text, title in
      text + "TRACK 0\(title.offset + 1) AUDIO\nTITLE \"\(title.element)\"\nINDEX 01 0\(title.offset * 3):00:00\n"
    }
  }

  /// A catalogue of one image of ten minutes, with its sheet.
  private func catalogue(_ tags: [String] = [], sheet: String? = nil) async throws -> TestCatalogue {
    let catalogue = try TestCatalogue()
    try catalogue.tree.flac("blue/image.flac", tags, seconds: 600, quality: .init(digest: 5))
    try catalogue.tree.write(Array((sheet ?? self.sheet()).utf8), to: "blue/image.cue")
    try await catalogue.refresh()
    return catalogue
  }

  private func copies(_ catalogue: TestCatalogue) async throws -> [Catalogue.TrackCopy] {
    let tracks = try await catalogue.tracks()
    return try await catalogue.database.read { transaction in
      try tracks.flatMap { try Catalogue.copies(of: $0.id, transaction) }
    }
  }

  @Test func aSheetMakesTracksOfOneFile() async throws {
    let catalogue = try await catalogue()
    let tracks = try await catalogue.tracks()
    #expect(tracks.map(\.title) == ["One", "Two", "Three"] && tracks.map(\.number) == [1, 2, 3])
    #expect(tracks.map(\.duration) == [180_000, 180_000, 240_000].map { Milliseconds($0) })
    #expect(tracks.allSatisfy { $0.artist == "Joni Mitchell" && $0.album == "Blue" && $0.year == 1971 })
    let album = try await catalogue.album("Blue")
    #expect(album.trackCount == 3 && album.duration == Milliseconds(600_000) && album.genres == ["Folk"])
    let segments = try await copies(catalogue).map(\.segment)
    #expect(segments.map { $0?.start } == [0, 180 * 44_100, 360 * 44_100])
    #expect(segments.map { $0?.end } == [180 * 44_100, 360 * 44_100, nil])
    #expect(Set(segments.map { $0?.file }).count == 1 && segments.allSatisfy { $0?.isPlayable == true })
    // Nothing is lost between the tracks.
    for (one, next) in zip(segments, segments.dropFirst()) { #expect(one?.end == next?.start) }
    let playable = try await catalogue.database.read {
      try Catalogue.playable(.init(ids: [album.id.playable]), host: "h", $0).tracks
    }
    #expect(playable.map(\.segment) == segments)
    #expect(Set(playable.map { $0.path?.bytes }) == [catalogue.tree.path("blue/image.flac")])
    #expect(try await catalogue.search("three").tracks.count == 1)
    #expect(try await catalogue.problems() == [])
    try await catalogue.expectWholeIndex()
    #expect(try await catalogue.refresh() == [0, 0, 3, 0])
  }

  @Test func aSheetThatLeadsOutOfTheMusicFoldersIsNotRead() async throws {
    let catalogue = try TestCatalogue()
    try catalogue.tree.flac("blue/image.flac", ["TITLE=Whole"], seconds: 600, quality: .init(digest: 5))
    try catalogue.tree.write(Array(sheet().utf8), to: Array(catalogue.tree.beside("secret").utf8))
    try catalogue.tree.link("blue/image.cue", to: catalogue.tree.beside("secret"))
    try await catalogue.refresh()
    #expect(try await catalogue.tracks().map(\.title) == ["Whole"])
    #expect(try await catalogue.status().problems.first?.message.contains("leads out of the music folders") == true)
  }

  @Test func aMendedSheetKeepsTheIdsOfItsTracks() async throws {
    let catalogue = try await catalogue()
    let before = try await catalogue.tracks()
    let mended = sheet("image.flac", ["One", "Second", "Third", "Fourth"]).replacing("03:00:00", with: "02:30:00")
    try catalogue.tree.write(Array(mended.utf8), to: "blue/image.cue")
    #expect(try await catalogue.refresh() == [1, 3, 0, 0])
    let after = try await catalogue.tracks()
    #expect(after.map(\.title) == ["One", "Second", "Third", "Fourth"])
    #expect(after.prefix(3).map(\.id) == before.map(\.id) && after[0].duration == Milliseconds(150_000))
    try catalogue.tree.write(Array(sheet("image.flac", ["One", "Two"]).utf8), to: "blue/image.cue")
    #expect(try await catalogue.refresh() == [0, 2, 0, 2])
    #expect(try await catalogue.tracks().map(\.id) == before.prefix(2).map(\.id))
    try await catalogue.expectWholeIndex()
  }

  @Test func aSheetThatGoesAndComesBackBringsTheSameTracks() async throws {
    let catalogue = try await catalogue(["TITLE=Whole", "ALBUM=Blue", "ARTIST=Joni Mitchell"])
    let before = try await catalogue.tracks()
    let album = try await catalogue.album("Blue")
    try catalogue.tree.move("blue/image.cue", to: "blue/image.txt")
    #expect(try await catalogue.refresh() == [1, 0, 0, 3])
    let whole = try await catalogue.tracks()
    #expect(whole.map(\.title) == ["Whole"] && whole[0].duration == Milliseconds(600_000))
    try await catalogue.expectWholeIndex()
    try catalogue.tree.move("blue/image.txt", to: "blue/image.cue")
    #expect(try await catalogue.refresh() == [3, 0, 0, 1])
    #expect(try await catalogue.tracks().map(\.id) == before.map(\.id))
    #expect(try await catalogue.album("Blue").id == album.id)
    try catalogue.tree.remove("blue/image.cue")
    try await catalogue.refresh()
    #expect(try await catalogue.tracks().map(\.id) == whole.map(\.id))
    try await catalogue.expectWholeIndex()
  }

  @Test func anImageThatMovesWithItsSheetKeepsItsTracks() async throws {
    let catalogue = try await catalogue()
    try catalogue.tree.album("other", ["ALBUM=Other", "ARTIST=B"])
    try await catalogue.refresh()
    let (before, album) = (try await catalogue.tracks(), try await catalogue.album("Blue"))
    try catalogue.tree.move("blue", to: "deep/blue")
    try await catalogue.refresh()
    #expect(try await catalogue.tracks().map(\.id) == before.map(\.id))
    #expect(try await catalogue.album("Blue").id == album.id)
    try await catalogue.expectWholeIndex()
    // Away and back, as on another disk.
    try catalogue.tree.move("deep/blue", to: "../away")
    try await catalogue.refresh()
    #expect(try await catalogue.albums().map(\.title) == ["Other"])
    try catalogue.tree.move("../away", to: "blue")
    try await catalogue.refresh()
    #expect(try await catalogue.tracks().map(\.id) == before.map(\.id))
    #expect(try await catalogue.album("Blue").id == album.id)
    try await catalogue.expectWholeIndex()
  }

  @Test func aSheetInTheTagsComesBeforeOneBesideTheFile() async throws {
    let embedded = sheet("whatever.wav", ["Inside", "Inside too"])
    let catalogue = try await catalogue(["CUESHEET=\(embedded)"])
    #expect(try await catalogue.tracks().map(\.title) == ["Inside", "Inside too"])
  }

  @Test(arguments: [
    (
      "FILE \"image.wav\" WAVE\nTRACK 01 AUDIO\nTITLE \"A\"\nINDEX 01 00:00:00\nTRACK 02 AUDIO\nINDEX 01 01:00:00",
      "A,Track 2"
    ),
    (
      "FILE \"IMAGE.FLAC\" WAVE\nTRACK 01 AUDIO\nINDEX 01 00:02:00\nTRACK 02 AUDIO\nINDEX 01 01:00:00",
      "Track 1,Track 2"
    ),
    (
      "FILE \"other.flac\" WAVE\nTRACK 03 AUDIO\nINDEX 01 00:00:00\nTRACK 04 AUDIO\nINDEX 01 01:00:00",
      "Track 3,Track 4"
    ),
    ("FILE \"image.flac\" WAVE\nTRACK 01 AUDIO\nINDEX 01 00:00:00\nTRACK 02 MODE1/2352\nINDEX 01 01:00:00", "Track 1"),
  ])
  func filesAreFoundAsSheetsNameThem(_ sheet: String, _ titles: String) async throws {
    let catalogue = try await catalogue(sheet: sheet)
    #expect(try await catalogue.tracks().map(\.title).joined(separator: ",") == titles)
    #expect(try await catalogue.problems() == [])
  }

  @Test(arguments: [
    ("FILE \"image.flac\" WAVE\nTRACK 01 AUDIO\nINDEX 01 00:00:00\nTRACK 02 AUDIO\nINDEX 01 10:00:01", "line 4"),
    (
      "FILE \"../x/image.flac\" WAVE\nTRACK 01 AUDIO\nINDEX 01 00:00:00\nTRACK 02 AUDIO\nINDEX 01 01:00:00",
      "another folder"
    ),
    (
      "FILE \"a.flac\" WAVE\nTRACK 01 AUDIO\nINDEX 01 00:00:00\nFILE \"b.flac\" WAVE\nTRACK 02 AUDIO\nINDEX 01 00:00:00",
      "beside it"
    ),
    ("FILE \"image.flac\" WAVE\nTRACK 01 AUDIO\nINDEX 01 00:99:00", "line 3"), ("nothing", "no tracks"),
  ])
  func aBrokenSheetIsAProblemAndTheFilePlaysWhole(_ sheet: String, _ reason: String) async throws {
    let catalogue = try await catalogue(["TITLE=Whole", "ALBUM=Blue", "ARTIST=J"], sheet: sheet)
    #expect(try await catalogue.tracks().map(\.title) == ["Whole"])
    let problem = try #require(try await catalogue.status().problems.first)
    #expect(problem.code == "library.cueBroken" && problem.message.contains(reason), "\(problem.message)")
    #expect(problem.message.contains("blue/image.cue"))
    // The problem stays as long as the sheet does.
    #expect(try await catalogue.refresh() == [0, 0, 1, 0])
    #expect(try await catalogue.problems() == ["library.cueBroken"])
    try catalogue.tree.write(Array(self.sheet().utf8), to: "blue/image.cue")
    try await catalogue.refresh()
    #expect(try await catalogue.tracks().count == 3)
    #expect(try await catalogue.problems() == [])
  }

  @Test func aSheetOfSeveralFilesCutsEach() async throws {
    let catalogue = try TestCatalogue()
    for side in ["a", "b"] { try catalogue.tree.flac("lp/\(side).flac", [], seconds: 300) }
    let text =
      "TITLE LP\nPERFORMER P\nFILE a.flac WAVE\nTRACK 01 AUDIO\nINDEX 01 00:00:00\nTRACK 02 AUDIO\nINDEX 01 02:00:00\n"
      + "FILE b.flac WAVE\nTRACK 03 AUDIO\nINDEX 01 00:00:00\nTRACK 04 AUDIO\nINDEX 01 01:00:00\n"
    try catalogue.tree.write(Array(text.utf8), to: "lp/lp.cue")
    #expect(try await catalogue.refresh() == [4, 0, 0, 0])
    let tracks = try await catalogue.tracks(of: catalogue.album("LP"))
    #expect(tracks.map(\.number) == [1, 2, 3, 4])
    #expect(tracks.map(\.duration) == [120_000, 180_000, 60_000, 240_000].map { Milliseconds($0) })
  }

  @Test func aSheetWithAFileForEachTrackOnlyAddsTags() async throws {
    let catalogue = try TestCatalogue()
    try catalogue.tree.flac("x/1.flac", [], seconds: 60)
    try catalogue.tree.flac("x/2.flac", ["TITLE=Own"], seconds: 61)
    let text =
      "TITLE Set\nPERFORMER P\nFILE 1.flac WAVE\nTRACK 01 AUDIO\nTITLE First\nINDEX 01 00:00:00\n"
      + "TRACK 02 AUDIO\nTITLE Second\nINDEX 00 00:59:00\nFILE 2.flac WAVE\nINDEX 01 00:00:00\n"
    try catalogue.tree.write(Array(text.utf8), to: "x/x.cue")
    #expect(try await catalogue.refresh() == [2, 0, 0, 0])
    let tracks = try await catalogue.tracks(of: catalogue.album("Set"))
    #expect(tracks.map(\.title) == ["First", "Own"] && tracks.map(\.number) == [1, 2])
    #expect(try await copies(catalogue).allSatisfy { $0.segment == nil })
    #expect(try await catalogue.problems() == [])
  }

  @Test func anImageAndSingleFilesOfOneAlbumAreOneAlbum() async throws {
    let catalogue = try await catalogue()
    let tags = ["ALBUM=Blue", "ARTIST=Joni Mitchell", "ALBUMARTIST=Joni Mitchell", "DATE=1971"]
    for (index, title) in ["One", "Two", "Three"].enumerated() {
      try catalogue.tree.flac(
        "single/\(index).flac", tags + ["TITLE=\(title)", "TRACKNUMBER=\(index + 1)"], seconds: index == 2 ? 240 : 180)
    }
    try await catalogue.refresh()
    #expect(try await catalogue.albums().map(\.trackCount) == [3])
    #expect(try await copies(catalogue).count == 6)
    try await catalogue.expectWholeIndex()
  }

  @Test func theTracksOfAnImageAreListedInItsFolderPageByPage() async throws {
    let catalogue = try await catalogue()
    let path = LocalPath(bytes: catalogue.tree.path("blue"))
    var (titles, after): ([String], String?) = ([], nil)
    for _ in 0..<5 {
      let page = try await catalogue.database.read { [after] in
        try Catalogue.folder(.init(path: path, after: after, limit: 2), roots: [catalogue.tree.root], $0)
      }
      titles += page.tracks.map(\.track.title)
      after = page.next
      if after == nil { break }
    }
    #expect(titles == ["One", "Two", "Three"])
  }
}

extension CueScanTests {
  /// The rows of the moved image get the numbers of the former ones, which were the last.
  @Test func anImageThatMovesKeepsItsTracks() async throws {
    let catalogue = try await catalogue()
    let before = try await catalogue.tracks()
    for place in ["green", "x/red"] {
      try catalogue.tree.move(place == "green" ? "blue" : "green", to: place)
      try await catalogue.refresh(accepting: true)
      #expect(try await catalogue.tracks() == before)
    }
  }
}

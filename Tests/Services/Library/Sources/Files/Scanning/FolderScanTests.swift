import Glibc
import Messages
import Model
import Storage
import System
import TestSupport
import Testing

@testable import Catalogue
@testable import Records
@testable import Sources

/// Scans of real folders with links, odd names and broken files.
@Suite(.timeLimit(.minutes(2)))
struct FolderScanTests {
  private let tags = ["ALBUM=X", "ARTIST=A"]

  @Test func linksInACircleEnd() async throws {
    let catalogue = try TestCatalogue()
    try catalogue.tree.album("x", tags)
    try catalogue.tree.link("x/loop", to: "..")
    try catalogue.tree.link("self", to: "self")
    #expect(try await catalogue.refresh() == [3, 0, 0, 0])
  }

  @Test func aLinkedFolderIsReadOnceUnderItsRealName() async throws {
    let catalogue = try TestCatalogue()
    try catalogue.tree.album("z/real", tags)
    try catalogue.tree.link("a", to: "z/real")
    try await catalogue.refresh()
    let path = try await catalogue.database.read { try Catalogue.path(of: try #require(TrackID("files:t1")), $0) }
    #expect(path.bytes == catalogue.tree.path("z/real/01.flac"))
    #expect(try await catalogue.refresh() == [0, 0, 3, 0])
  }

  @Test func linksOutOfTheFolderAreFollowed() async throws {
    let catalogue = try TestCatalogue()
    let outside = Array(catalogue.tree.beside("outside").utf8)
    try catalogue.tree.write(FLACFile.bytes(tags, seconds: 5), to: FilePath.join(outside, Array("1.flac".utf8)))
    try catalogue.tree.link("in", to: "../outside")
    try catalogue.tree.link("single/2.flac", to: "../../outside/1.flac")
    // The file was found in its own folder already; the link is only another name for it.
    #expect(try await catalogue.refresh() == [1, 0, 0, 0])
    #expect(try await catalogue.refresh() == [0, 0, 1, 0])
  }

  @Test func aHardLinkIsAFileOfItsOwn() async throws {
    let catalogue = try TestCatalogue()
    try catalogue.tree.album("x", tags, tracks: 1)
    try await catalogue.refresh()
    try #require(link(catalogue.tree.path("x/01.flac").cString, catalogue.tree.path("x/02.flac").cString) == 0)
    // Another name changes the status of the first, so that is read once more.
    #expect(try await catalogue.refresh() == [1, 1, 0, 0])
    #expect(try await catalogue.refresh() == [0, 0, 2, 0])
  }

  @Test func tagsThatWereEditedWithSizeAndTimeKeptAreRead() async throws {
    let catalogue = try TestCatalogue()
    let name = "x/01.flac"
    try catalogue.tree.flac(name, tags + ["TITLE=First"])
    try catalogue.tree.set(modified: 1_700_000_000, of: name)
    try await catalogue.refresh()
    let before = FileStamp(try FileStatus(LocalPath(bytes: catalogue.tree.path(name)), followingLinks: false))
    try catalogue.tree.flac(name, tags + ["TITLE=Fresh"])
    try catalogue.tree.set(modified: 1_700_000_000, of: name)
    let after = FileStamp(try FileStatus(LocalPath(bytes: catalogue.tree.path(name)), followingLinks: false))
    #expect(after == before && !after.hasContents(of: before))
    #expect(try await catalogue.refresh() == [0, 1, 0, 0])
    #expect(try await catalogue.tracks().map(\.title) == ["Fresh"])
    #expect(try await catalogue.refresh() == [0, 0, 1, 0])
  }

  @Test func aFirstScanOrdersArrivalsByTheTimesOfFiles() async throws {
    let catalogue = try TestCatalogue()
    let years = ["Old": 1_300_000_000, "Middle": 1_500_000_000, "New": 1_700_000_000, "Unset": 0]
    for (title, time) in years {
      try catalogue.tree.flac("\(title)/1.flac", ["ALBUM=\(title)", "ARTIST=A", "TITLE=T"])
      try catalogue.tree.set(modified: time, of: "\(title)/1.flac")
    }
    try await catalogue.refresh()
    #expect(try await catalogue.albums(.added).map(\.title) == ["Unset", "New", "Middle", "Old"])
    #expect(try await catalogue.album("Old").addedAt == Timestamp(seconds: 1_300_000_000))
    // Music that is found later arrived with the scan that found it.
    try catalogue.tree.flac("Later/1.flac", ["ALBUM=Later", "ARTIST=A", "TITLE=T"])
    try catalogue.tree.set(modified: 1_200_000_000, of: "Later/1.flac")
    try await catalogue.refresh()
    #expect(try await catalogue.album("Later").addedAt == Timestamp(seconds: 1_800_000_000))
  }

  @Test func discsBesideEachOtherAreOneAlbum() async throws {
    let catalogue = try TestCatalogue()
    for (folder, title) in [
      ("A/Box (Disc 1)", "Box"), ("A/Box (Disc 2)", "Box"), ("A/Set/Set CD1", "Set"), ("A/Set/Set CD2", "Set"),
      ("A/LP5", "LP5"),
    ] {
      for track in 1...2 {
        try catalogue.tree.flac(
          "\(folder)/\(track).flac",
          ["ALBUM=\(title)", "ARTIST=A", "ALBUMARTIST=A", "TITLE=\(folder) \(track)", "TRACKNUMBER=\(track)"])
      }
    }
    try await catalogue.refresh()
    let albums = try await catalogue.albums()
    #expect(albums.map(\.title) == ["Box", "LP5", "Set"])
    for album in albums {
      let places = try await catalogue.tracks(of: album).map { "\($0.disc).\($0.number ?? 0)" }
      #expect(places == (album.title == "LP5" ? ["1.1", "1.2"] : ["1.1", "1.2", "2.1", "2.2"]))
    }
    // A part that changes leaves the other in place.
    try catalogue.tree.flac(
      "A/Box (Disc 2)/3.flac", ["ALBUM=Box", "ARTIST=A", "ALBUMARTIST=A", "TITLE=More", "TRACKNUMBER=3"])
    #expect(try await catalogue.refresh() == [1, 0, 10, 0])
    #expect(try await catalogue.album("Box").trackCount == 5)
  }

  @Test func pipesSocketsAndBrokenLinksAreNoMusic() async throws {
    let catalogue = try TestCatalogue()
    try catalogue.tree.album("x", tags)
    try #require(mkfifo(catalogue.tree.path("x/pipe.flac").cString, 0o600) == 0)
    try catalogue.tree.make(folder: catalogue.tree.path("x/folder.flac"))
    try catalogue.tree.link("x/nowhere.flac", to: "missing")
    #expect(try await catalogue.refresh() == [3, 0, 0, 0])
    #expect(try await catalogue.problems() == [])
  }

  @Test func hiddenFilesAndOtherFilesArePassedOver() async throws {
    let catalogue = try TestCatalogue()
    try catalogue.tree.album("x", tags)
    try catalogue.tree.flac("x/._01.flac", tags)
    try catalogue.tree.flac(".hidden/1.flac", tags)
    try catalogue.tree.write(Array("text".utf8), to: "x/notes.txt")
    #expect(try await catalogue.refresh() == [3, 0, 0, 0])
  }

  @Test func namesThatAreNoTextWork() async throws {
    let catalogue = try TestCatalogue()
    let folder = FilePath.join(catalogue.tree.root, Array("caf".utf8) + [0xE9])
    let name = [0xFF, 0xFE] + Array(".flac".utf8)
    try catalogue.tree.write(FLACFile.bytes([], seconds: 5), to: FilePath.join(folder, name))
    try catalogue.tree.write(Array("no music".utf8), to: FilePath.join(folder, [0x80] + Array(".flac".utf8)))
    #expect(try await catalogue.refresh() == [1, 0, 0, 0])
    let track = try #require(try await catalogue.tracks().first)
    #expect(track.title == "\u{FFFD}\u{FFFD}" && track.album == "caf\u{FFFD}")
    let path = try await catalogue.database.read { try Catalogue.path(of: track.id, $0) }
    #expect(path.bytes == FilePath.join(folder, name))
    let broken = try #require(try await catalogue.status().problems.first)
    #expect(broken.code == "library.fileBroken" && broken.message.contains("caf\u{FFFD}/\u{FFFD}.flac"))
    #expect(try await catalogue.refresh() == [0, 0, 1, 0])
  }

  @Test func aLargeFolderIsReadWhole() async throws {
    let catalogue = try TestCatalogue()
    for number in 1...500 { try catalogue.tree.flac("all/\(number).flac", tags + ["TRACKNUMBER=\(number)"]) }
    #expect(try await catalogue.refresh() == [500, 0, 0, 0])
    #expect(try await catalogue.album("X").trackCount == 500)
    try await catalogue.expectWholeIndex()
  }

  @Test func brokenFilesAreNamedAndLeftOutUntilTheyAreWhole() async throws {
    let catalogue = try TestCatalogue()
    try catalogue.tree.album("x", tags)
    let whole = try catalogue.tree.bytes(of: "x/01.flac")
    try catalogue.tree.write([], to: "x/empty.flac")
    try catalogue.tree.write(Array(whole.prefix(30)), to: "x/cut.flac")
    try catalogue.tree.write((0..<5000).map { UInt8(truncatingIfNeeded: $0 &* 31) }, to: "x/noise.mp3")
    try catalogue.tree.write(Array("<html>".utf8), to: "x/page.m4a")
    #expect(try await catalogue.refresh() == [3, 0, 0, 0])
    var status = try await catalogue.status()
    #expect(status.problemCount == 4 && status.problems.allSatisfy { $0.code == "library.fileBroken" })
    for name in ["empty.flac", "cut.flac", "noise.mp3", "page.m4a"] {
      #expect(status.problems.contains { $0.message.contains(name) }, "\(name)")
    }
    // Broken files that did not change are not read again, and are still named.
    #expect(try await catalogue.refresh() == [0, 0, 3, 0])
    #expect(try await catalogue.status().problemCount == 4)
    try catalogue.tree.write(whole, to: "x/cut.flac")
    try catalogue.tree.remove("x/page.m4a")
    #expect(try await catalogue.refresh() == [1, 0, 3, 0])
    status = try await catalogue.status()
    #expect(status.problemCount == 2)
  }

  @Test func atMostTenProblemsAreShownAndAllAreCounted() async throws {
    let catalogue = try TestCatalogue()
    for number in 1...15 { try catalogue.tree.flac("x/\(number).flac", []) }
    try catalogue.tree.write([], to: "x/zz.flac")
    try await catalogue.refresh()
    let status = try await catalogue.status()
    #expect(status.problemCount == 16 && status.problems.count == 10)
    // Files that cannot be played are listed before files without tags.
    #expect(status.problems[0].code == "library.fileBroken")
  }

  @Test func musicIsNeverWritten() async throws {
    let catalogue = try TestCatalogue()
    try catalogue.tree.album("x", tags, picture: [1, 2, 3])
    let before = try (1...3).map { try catalogue.tree.bytes(of: "x/0\($0).flac") }
    try await catalogue.refresh()
    #expect(try (1...3).map { try catalogue.tree.bytes(of: "x/0\($0).flac") } == before)
  }

  @Test func progressReachesItsTotal() async throws {
    let catalogue = try TestCatalogue()
    for number in 1...100 { try catalogue.tree.flac("x/\(number).flac", tags) }
    let progress = RefreshProgress()
    _ = try await catalogue.source().refresh(accepting: [], progress: progress)
    #expect(progress.done == 100 && progress.total == 100 && progress.isTotalKnown)
  }
}

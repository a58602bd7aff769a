import Glibc
import Messages
import Model
import Storage
import TestSupport
import Testing

@testable import lunara_library

/// What a walk meets on real disks.
@Suite(.timeLimit(.minutes(2)))
struct FolderScanTests {
  private let tags = ["ALBUM=X", "ARTIST=A"]

  @Test func linksInACircleEnd() async throws {
    let shelf = try Shelf()
    try shelf.tree.album("x", tags)
    try shelf.tree.link("x/loop", to: "..")
    try shelf.tree.link("self", to: "self")
    #expect(try await shelf.refresh() == [3, 0, 0, 0])
  }

  @Test func aLinkedFolderIsReadOnceUnderItsRealName() async throws {
    let shelf = try Shelf()
    try shelf.tree.album("z/real", tags)
    try shelf.tree.link("a", to: "z/real")
    try await shelf.refresh()
    let path = try await shelf.database.read { try Catalogue.place(of: try #require(TrackID("files:t1")), $0) }
    #expect(path.bytes == shelf.tree.path("z/real/01.flac"))
    #expect(try await shelf.refresh() == [0, 0, 3, 0])
  }

  @Test func linksLeadOutOfTheFolder() async throws {
    let shelf = try Shelf()
    let outside = Array(shelf.tree.beside("outside").utf8)
    try shelf.tree.write(FLACFile.bytes(tags, seconds: 5), to: FilePath.join(outside, Array("1.flac".utf8)))
    try shelf.tree.link("in", to: "../outside")
    try shelf.tree.link("single/2.flac", to: "../../outside/1.flac")
    // The file was found in its folder already; the link to it is only another name.
    #expect(try await shelf.refresh() == [1, 0, 0, 0])
    #expect(try await shelf.refresh() == [0, 0, 1, 0])
  }

  @Test func aHardLinkIsAFileOfItsOwn() async throws {
    let shelf = try Shelf()
    try shelf.tree.album("x", tags, tracks: 1)
    try await shelf.refresh()
    try #require(link(shelf.tree.path("x/01.flac").cString, shelf.tree.path("x/02.flac").cString) == 0)
    #expect(try await shelf.refresh() == [1, 0, 1, 0])
    #expect(try await shelf.refresh() == [0, 0, 2, 0])
  }

  @Test func pipesSocketsAndBrokenLinksAreNoMusic() async throws {
    let shelf = try Shelf()
    try shelf.tree.album("x", tags)
    try #require(mkfifo(shelf.tree.path("x/pipe.flac").cString, 0o600) == 0)
    try shelf.tree.make(folder: shelf.tree.path("x/folder.flac"))
    try shelf.tree.link("x/nowhere.flac", to: "missing")
    #expect(try await shelf.refresh() == [3, 0, 0, 0])
    #expect(try await shelf.problems() == [])
  }

  @Test func hiddenFilesAndOtherFilesArePassedOver() async throws {
    let shelf = try Shelf()
    try shelf.tree.album("x", tags)
    try shelf.tree.flac("x/._01.flac", tags)
    try shelf.tree.flac(".hidden/1.flac", tags)
    try shelf.tree.write(Array("text".utf8), to: "x/notes.txt")
    #expect(try await shelf.refresh() == [3, 0, 0, 0])
  }

  @Test func namesThatAreNoTextWork() async throws {
    let shelf = try Shelf()
    let folder = FilePath.join(shelf.tree.root, Array("caf".utf8) + [0xE9])
    let name = [0xFF, 0xFE] + Array(".flac".utf8)
    try shelf.tree.write(FLACFile.bytes([], seconds: 5), to: FilePath.join(folder, name))
    try shelf.tree.write(Array("no music".utf8), to: FilePath.join(folder, [0x80] + Array(".flac".utf8)))
    #expect(try await shelf.refresh() == [1, 0, 0, 0])
    let track = try #require(try await shelf.tracks().first)
    #expect(track.title == "\u{FFFD}\u{FFFD}" && track.album == "caf\u{FFFD}")
    let path = try await shelf.database.read { try Catalogue.place(of: track.id, $0) }
    #expect(path.bytes == FilePath.join(folder, name))
    let broken = try #require(try await shelf.status().problems.first)
    #expect(broken.code == "library.fileBroken" && broken.message.contains("caf\u{FFFD}/\u{FFFD}.flac"))
    #expect(try await shelf.refresh() == [0, 0, 1, 0])
  }

  @Test func aLargeFolderIsReadWhole() async throws {
    let shelf = try Shelf()
    for number in 1...500 { try shelf.tree.flac("all/\(number).flac", tags + ["TRACKNUMBER=\(number)"]) }
    #expect(try await shelf.refresh() == [500, 0, 0, 0])
    #expect(try await shelf.album("X").trackCount == 500)
    try await shelf.expectWholeIndex()
  }

  @Test func brokenFilesAreNamedAndLeftOutUntilTheyAreWhole() async throws {
    let shelf = try Shelf()
    try shelf.tree.album("x", tags)
    let whole = try shelf.tree.bytes(of: "x/01.flac")
    try shelf.tree.write([], to: "x/empty.flac")
    try shelf.tree.write(Array(whole.prefix(30)), to: "x/cut.flac")
    try shelf.tree.write((0..<5000).map { UInt8(truncatingIfNeeded: $0 &* 31) }, to: "x/noise.mp3")
    try shelf.tree.write(Array("<html>".utf8), to: "x/page.m4a")
    #expect(try await shelf.refresh() == [3, 0, 0, 0])
    var status = try await shelf.status()
    #expect(status.problemCount == 4 && status.problems.allSatisfy { $0.code == "library.fileBroken" })
    for name in ["empty.flac", "cut.flac", "noise.mp3", "page.m4a"] {
      #expect(status.problems.contains { $0.message.contains(name) }, "\(name)")
    }
    // They are not read again, and still named.
    #expect(try await shelf.refresh() == [0, 0, 3, 0])
    #expect(try await shelf.status().problemCount == 4)
    try shelf.tree.write(whole, to: "x/cut.flac")
    try shelf.tree.remove("x/page.m4a")
    #expect(try await shelf.refresh() == [1, 0, 3, 0])
    status = try await shelf.status()
    #expect(status.problemCount == 2)
  }

  @Test func atMostTenProblemsAreShownAndAllAreCounted() async throws {
    let shelf = try Shelf()
    for number in 1...15 { try shelf.tree.flac("x/\(number).flac", []) }
    try shelf.tree.write([], to: "x/zz.flac")
    try await shelf.refresh()
    let status = try await shelf.status()
    #expect(status.problemCount == 16 && status.problems.count == 10)
    // What cannot be played comes before what merely has no tags.
    #expect(status.problems[0].code == "library.fileBroken")
  }

  @Test func musicIsNeverWritten() async throws {
    let shelf = try Shelf()
    try shelf.tree.album("x", tags, picture: [1, 2, 3])
    let before = try (1...3).map { try shelf.tree.bytes(of: "x/0\($0).flac") }
    try await shelf.refresh()
    #expect(try (1...3).map { try shelf.tree.bytes(of: "x/0\($0).flac") } == before)
  }

  @Test func progressReachesItsTotal() async throws {
    let shelf = try Shelf()
    for number in 1...100 { try shelf.tree.flac("x/\(number).flac", tags) }
    let progress = RefreshProgress()
    _ = try await shelf.source().refresh(accepting: [], progress: progress)
    #expect(progress.done == 100 && progress.total == 100 && progress.isTotalKnown)
  }
}

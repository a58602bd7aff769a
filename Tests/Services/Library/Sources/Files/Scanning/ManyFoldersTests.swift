import Messages
import Model
import Storage
import System
import TestSupport
import Testing

@testable import Records
@testable import Sources

/// Scans in which so many folders changed that they are written in portions.
@Suite(.timeLimit(.minutes(3)))
struct ManyFoldersTests {
  private static let albums = 450

  private func add(_ numbers: Range<Int>, _ mood: String, to catalogue: TestCatalogue) throws {
    for number in numbers {
      let artist = "Artist \(number / 4)"
      let tags = ["ALBUM=Album \(number)", "ARTIST=\(artist)", "ALBUMARTIST=\(artist)", "MOOD=\(mood)"]
      try catalogue.tree.album("x\(number)", tags, tracks: 2)
    }
  }

  private func catalogue() async throws -> TestCatalogue {
    let catalogue = try TestCatalogue()
    try add(0..<Self.albums, "quiet", to: catalogue)
    #expect(try await catalogue.refresh() == [Self.albums * 2, 0, 0, 0])
    return catalogue
  }

  /// The tracks by the paths of their files.
  private func ids(_ catalogue: TestCatalogue) async throws -> [String: Int64] {
    try await catalogue.database.read { transaction in
      let rows = try transaction.rows("SELECT d.path, f.name, f.track FROM files f JOIN folders d ON d.id = f.folder") {
        row in
        let path = FilePath.join(try row.value(0), try row.value(1))
        return (LocalPath(bytes: path).description, try row.value(2) as Int64)
      }
      return Dictionary(rows) { $1 }
    }
  }

  @Test func filesThatWereAllTaggedAnewKeepTheirIDs() async throws {
    let catalogue = try await catalogue()
    let before = try await ids(catalogue)
    try add(0..<Self.albums, "loud", to: catalogue)
    #expect(try await catalogue.refresh() == [0, Self.albums * 2, 0, 0])
    #expect(try await ids(catalogue) == before)
    let moods: [String] = try await catalogue.database.read {
      try $0.values("SELECT DISTINCT name FROM album_tags WHERE folded IN ('quiet', 'loud')")
    }
    #expect(moods == ["loud"])
    try await catalogue.expectWholeIndex()
    #expect(try await catalogue.refresh() == [0, 0, Self.albums * 2, 0])
  }

  @Test func movesAndDeletionsAmongThemAreFound() async throws {
    let catalogue = try await catalogue()
    let before = try await ids(catalogue)
    try add(10..<Self.albums, "loud", to: catalogue)
    try catalogue.tree.move("x3", to: "y3")
    try catalogue.tree.remove("x20/02.flac")
    try add(Self.albums..<Self.albums + 1, "new", to: catalogue)
    #expect(try await catalogue.refresh() == [2, Self.albums * 2 - 20 - 1 + 2, 18, 1])
    let after = try await ids(catalogue)
    let old = before.first { $0.key.contains("/x3/01.flac") }
    #expect(old != nil && after.first { $0.key.contains("/y3/01.flac") }?.value == old?.value)
    #expect(after.count == Self.albums * 2 + 1)
    try await catalogue.expectWholeIndex()
  }

  @Test func aLargeFolderThatWasAddedIsShownBeforeItIsReadWhole() async throws {
    let catalogue = try await catalogue()
    let first = Self.albums * 2
    try add(Self.albums..<Self.albums * 2, "new", to: catalogue)
    let progress = RefreshProgress()
    let stopping = Task {
      while try await catalogue.state().tracks == first { try await Task.sleep(for: .milliseconds(1)) }
      progress.stop()
    }
    let counts = try await catalogue.source().refresh(accepting: .wholeScan, progress: progress)
    try await stopping.value
    let written = try await catalogue.state().tracks
    #expect(counts == nil && written > first && written < first * 2)
    #expect(try await catalogue.refresh().last == 0)
    #expect(try await catalogue.state().tracks == first * 2)
    try await catalogue.expectWholeIndex()
    #expect(try await catalogue.refresh() == [0, 0, first * 2, 0])
  }

  @Test func foldersThatWereAddedAreNotTakenForMissingOnes() async throws {
    let catalogue = try await catalogue()
    try add(Self.albums..<Self.albums * 2, "new", to: catalogue)
    #expect(try await catalogue.refresh() == [Self.albums * 2, 0, Self.albums * 2, 0])
    // Most of them would be held back from being deleted, as they are so many.
    let lost: Int? = try await catalogue.database.read { try $0.value("SELECT sum(held + deleted) FROM runs") }
    #expect(lost == 0)
  }
}

import Glibc
import Messages
import Model
import TestSupport
import Testing

@testable import Records
@testable import Sources

/// Cases in which missing files or folders must not delete tracks from the catalogue.
@Suite(.timeLimit(.minutes(2)))
struct DeletionTests {
  private func catalogue(albums: Int) async throws -> TestCatalogue {
    let catalogue = try TestCatalogue()
    for number in 0..<albums {
      try catalogue.tree.album("a\(number)", ["ALBUM=Album \(number)", "ARTIST=A"], tracks: 2)
    }
    try await catalogue.refresh()
    return catalogue
  }

  @Test func aVanishedRootDeletesNothing() async throws {
    let catalogue = try await catalogue(albums: 2)
    try catalogue.tree.remove(catalogue.tree.root)
    #expect(try await catalogue.refresh() == [0, 0, 0, 0])
    #expect(try await catalogue.albums().count == 2)
    let status = try await catalogue.status()
    #expect(status.problems.map(\.code) == ["library.folderMissing"])
    #expect(status.problems[0].message.contains(String(decoding: catalogue.tree.root, as: UTF8.self)))
    #expect(catalogue.source().health(status, nil) == "unreachable")
  }

  @Test func anEmptyRootDeletesNothingUnlessThatIsAccepted() async throws {
    let catalogue = try await catalogue(albums: 2)
    for number in 0..<2 { try catalogue.tree.remove("a\(number)") }
    try await catalogue.refresh()
    #expect(try await catalogue.albums().count == 2)
    #expect(try await catalogue.problems() == ["library.folderEmpty"])
    #expect(try await catalogue.refresh(accepting: true) == [0, 0, 0, 4])
    #expect(try await catalogue.albums().isEmpty)
    #expect(try await catalogue.artists().isEmpty)
    try await catalogue.expectWholeIndex()
  }

  @Test func aLossOfAQuarterAndFiveAlbumsStopsAndAsks() async throws {
    let catalogue = try await catalogue(albums: 12)
    for number in 0..<5 { try catalogue.tree.remove("a\(number)") }
    try catalogue.tree.flac("new.flac", ["TITLE=New", "ALBUM=New", "ARTIST=B"])
    #expect(try await catalogue.refresh() == [1, 0, 14, 0])
    #expect(try await catalogue.albums().count == 13)
    let problem = try #require(try await catalogue.status().problems.first)
    #expect(problem.code == "library.deletionsHeld")
    #expect(problem.message.contains("10 tracks") && problem.message.contains("5 whole albums"))
    // The deletion is held until a person accepts it.
    #expect(try await catalogue.refresh() == [0, 0, 15, 0])
    #expect(try await catalogue.refresh(accepting: true) == [0, 0, 15, 10])
    #expect(try await catalogue.albums().count == 8)
    #expect(try await catalogue.problems() == [])
    try await catalogue.expectWholeIndex()
  }

  @Test func aSmallLossIsDeletedAtOnce() async throws {
    let catalogue = try await catalogue(albums: 12)
    for number in 0..<3 { try catalogue.tree.remove("a\(number)") }
    #expect(try await catalogue.refresh() == [0, 0, 18, 6])
    #expect(try await catalogue.problems() == [])
  }

  @Test func withoutAnyFolderSetNothingIsDeleted() async throws {
    let catalogue = try await catalogue(albums: 1)
    #expect(try await catalogue.refresh([]) == [0, 0, 0, 0])
    #expect(try await catalogue.albums().count == 1)
    #expect(try await catalogue.problems().contains("library.noFolders"))
  }

  @Test func aRootThatIsMissingBesideOthersKeepsWhatItHeld() async throws {
    let catalogue = try await catalogue(albums: 2)
    let other = Array(catalogue.tree.beside("other").utf8)
    try catalogue.tree.make(folder: other)
    try catalogue.tree.write(
      FLACFile.bytes(["ALBUM=Other", "ARTIST=B", "TITLE=x"], seconds: 5), to: FilePath.join(other, Array("x.flac".utf8))
    )
    let both = [catalogue.tree.root, other]
    #expect(try await catalogue.refresh(both) == [1, 0, 4, 0])
    try catalogue.tree.remove(other)
    #expect(try await catalogue.refresh(both) == [0, 0, 4, 0])
    #expect(try await catalogue.albums().count == 3)
    #expect(catalogue.source(both).health(try await catalogue.status(), nil) == "ready")
    // A folder that was taken out of the settings is deleted from the catalogue.
    #expect(try await catalogue.refresh([catalogue.tree.root]) == [0, 0, 4, 1])
    #expect(try await catalogue.albums().count == 2)
  }

  @Test func aFolderThatCannotBeReadKeepsWhatItHeld() async throws {
    let catalogue = try await catalogue(albums: 1)
    // A path over the kernel's limit can be made step by step, and not opened by its name.
    let name = String(repeating: "d", count: 250)
    var names: [String] = []
    while names.count * 251 < 4300 { names.append(name) }
    #expect(makeChain(names, in: catalogue.tree.root))
    defer { removeChain(names, in: catalogue.tree.root) }
    #expect(try await catalogue.refresh() == [0, 0, 2, 0])
    let problem = try #require(try await catalogue.status().problems.first)
    #expect(problem.code == "library.folderUnreadable")
    #expect(problem.message.contains(name))
  }

  private func makeChain(_ names: [String], in root: [UInt8]) -> Bool {
    var folder = open(root.cString, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    for name in names {
      guard folder >= 0, mkdirat(folder, name, 0o755) == 0 else { return false }
      let next = openat(folder, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
      close(folder)
      folder = next
    }
    close(folder)
    return folder >= 0
  }

  /// Removes the folders from the innermost outwards, since no path reaches it.
  private func removeChain(_ names: [String], in root: [UInt8]) {
    var folders = [open(root.cString, O_RDONLY | O_DIRECTORY | O_CLOEXEC)]
    for name in names.dropLast() {
      folders.append(openat(folders[folders.count - 1], name, O_RDONLY | O_DIRECTORY | O_CLOEXEC))
    }
    for (folder, name) in zip(folders, names).reversed() {
      unlinkat(folder, name, AT_REMOVEDIR)
      close(folder)
    }
  }

  @Test func aBrokenCopyOverAKnownFileKeepsTheTrack() async throws {
    let catalogue = try await catalogue(albums: 1)
    let before = try await catalogue.tracks()
    let whole = try catalogue.tree.bytes(of: "a0/01.flac")
    try catalogue.tree.write(Array(whole.prefix(20)), to: "a0/01.flac")
    #expect(try await catalogue.refresh() == [0, 0, 2, 0])
    #expect(try await catalogue.tracks() == before)
    #expect(try await catalogue.problems() == ["library.fileBroken"])
    try catalogue.tree.write(whole, to: "a0/01.flac")
    #expect(try await catalogue.refresh() == [0, 1, 1, 0])
    #expect(try await catalogue.problems() == [])
  }

  @Test func aStoppedRefreshChangesNothing() async throws {
    let catalogue = try await catalogue(albums: 1)
    try catalogue.tree.album("more", ["ALBUM=More", "ARTIST=A"])
    let progress = RefreshProgress()
    progress.stop()
    #expect(try await catalogue.source().refresh(accepting: [], progress: progress) == nil)
    #expect(try await catalogue.albums().count == 1)
    #expect(try await catalogue.refresh() == [3, 0, 2, 0])
  }
}

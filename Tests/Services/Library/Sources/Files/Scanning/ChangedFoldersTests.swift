import Messages
import Model
import TestSupport
import Testing

@testable import Catalogue
@testable import Records
@testable import Sources

/// Refreshes that visit only the folders in which changes were reported.
@Suite(.timeLimit(.minutes(3)))
struct ChangedFoldersTests {
  /// Refreshes only these folders; those after `below` with everything below them. Returns the numbers of new, changed,
  /// unchanged and deleted tracks; nil where a scan of all folders has to decide.
  private func refresh(
    _ catalogue: TestCatalogue, _ folders: [String], below: [String] = []
  ) async throws -> [Int]? {
    var changes = ChangedFolders()
    for folder in folders { changes.insert(catalogue.tree.path(folder)) }
    for folder in below { changes.insert(catalogue.tree.path(folder), withSubfolders: true) }
    do {
      return try await catalogue.source().refresh(only: changes, progress: RefreshProgress()).map {
        [$0.new, $0.changed, $0.unchanged, $0.deleted]
      }
    } catch is UncertainScan {
      return nil
    }
  }

  /// A catalogue of the albums `a0` to `a5`, of three tracks each.
  private func filled() async throws -> TestCatalogue {
    let catalogue = try TestCatalogue()
    for number in 0..<6 {
      try catalogue.tree.album("a\(number)", ["ALBUM=Album \(number)", "ARTIST=Artist \(number)"])
    }
    try await catalogue.refresh()
    return catalogue
  }

  @Test func onlyTheReportedFoldersAreVisited() async throws {
    let catalogue = try await filled()
    for album in ["a0", "a1"] {
      try catalogue.tree.flac("\(album)/04.flac", ["ALBUM=Album \(album.suffix(1))", "TITLE=New in \(album)"])
      try catalogue.tree.remove("\(album)/01.flac")
    }
    #expect(try await refresh(catalogue, ["a0"]) == [1, 0, 17, 1])
    let titles = try await catalogue.tracks().map(\.title)
    #expect(titles.contains("New in a0") && !titles.contains("New in a1") && titles.contains("Song 1 of a1"))
    try await catalogue.expectWholeIndex()
    #expect(try await catalogue.refresh() == [1, 0, 17, 1])
    try await catalogue.expectWholeIndex()
  }

  @Test func aFolderThatComesIsReadWithEverythingBelowIt() async throws {
    let catalogue = try await filled()
    try catalogue.tree.album("new/deep/b", ["ALBUM=B", "ARTIST=B"])
    try catalogue.tree.album("a0/unreported", ["ALBUM=C", "ARTIST=C"])
    #expect(try await refresh(catalogue, ["a0"], below: ["new"]) == [3, 0, 18, 0])
    #expect(try await catalogue.albums().map(\.title).contains("B"))
    #expect(try await refresh(catalogue, [], below: ["a0/unreported"]) == [3, 0, 21, 0])
    #expect(try await catalogue.refresh() == [0, 0, 24, 0])
  }

  @Test func aFolderThatMovesKeepsItsIds() async throws {
    let catalogue = try await filled()
    let before = try await catalogue.tracks()
    try catalogue.tree.move("a0", to: "else/where")
    #expect(try await refresh(catalogue, [], below: ["a0", "else"]) == [0, 3, 15, 0])
    #expect(try await catalogue.tracks() == before)
    #expect(try await catalogue.refresh() == [0, 0, 18, 0])
  }

  @Test func aFolderThatIsRemovedLosesItsTracks() async throws {
    let catalogue = try await filled()
    try catalogue.tree.remove("a0")
    #expect(try await refresh(catalogue, [], below: ["a0"]) == [0, 0, 15, 3])
    #expect(try await catalogue.albums().count == 5)
    try await catalogue.expectWholeIndex()
    #expect(try await catalogue.refresh() == [0, 0, 15, 0])
  }

  @Test func anAlbumOfTwoDiscsStaysOneWhenOneChanges() async throws {
    let catalogue = try await filled()
    let tags = ["ALBUM=Two", "ARTIST=A", "ALBUMARTIST=A"]
    try catalogue.tree.album("two/CD1", tags + ["DISCNUMBER=1"])
    try catalogue.tree.write([1, 2, 3], to: "two/cover.jpg")
    try await catalogue.refresh()
    let album = try await catalogue.album("Two")
    try catalogue.tree.album("two/CD2", tags + ["DISCNUMBER=2"])
    #expect(try await refresh(catalogue, [], below: ["two/CD2"]) == [3, 0, 21, 0])
    let after = try await catalogue.album("Two")
    #expect(after.id == album.id && after.trackCount == 6 && after.art == album.art && after.art != nil)
    #expect(try await catalogue.refresh() == [0, 0, 24, 0])
  }

  @Test func picturesOfArtistsInOtherFoldersStay() async throws {
    let catalogue = try await filled()
    try catalogue.tree.write([1, 2, 3], to: "a1/artist.jpg")
    try await catalogue.refresh()
    func picture() async throws -> Bool? {
      try await catalogue.artists().first { $0.name == "Artist 1" }.map { $0.art != nil }
    }
    #expect(try await picture() == true)
    try catalogue.tree.flac("a0/04.flac", ["ALBUM=Album 0", "ARTIST=Artist 0", "TITLE=New"])
    #expect(try await refresh(catalogue, ["a0"]) == [1, 0, 18, 0])
    #expect(try await picture() == true)
  }

  @Test func ignoreFilesAboveHold() async throws {
    let catalogue = try await filled()
    try catalogue.tree.write(Array("live\n".utf8), to: ".mpdignore")
    try await catalogue.refresh()
    try catalogue.tree.album("a0/live", ["ALBUM=Live", "ARTIST=A"])
    #expect(try await refresh(catalogue, ["a0"], below: ["a0/live"]) == [0, 0, 18, 0])
  }

  @Test func whatOnlyAWholeScanCanJudgeIsLeftToOne() async throws {
    let catalogue = try await filled()
    try catalogue.tree.link("a0/link.flac", to: "01.flac")
    #expect(try await refresh(catalogue, ["a0"]) == nil)
    try catalogue.tree.remove("a0/link.flac")
    for number in 0..<6 { try catalogue.tree.remove("a\(number)") }
    #expect(try await refresh(catalogue, [], below: (0..<6).map { "a\($0)" }) == nil)
    #expect(try await catalogue.albums().count == 6)
    // The music folder itself is gone.
    #expect(try await refresh(catalogue, [], below: [""]) == nil)
  }

  @Test func theLastMusicOfAFolderIsNotDeletedUnasked() async throws {
    let catalogue = try await filled()
    let other = Array(catalogue.tree.beside("other").utf8)
    try catalogue.tree.make(folder: other)
    try catalogue.tree.write(
      FLACFile.bytes(["ALBUM=O", "ARTIST=O", "TITLE=O"], seconds: 9), to: FilePath.join(other, Array("o.flac".utf8)))
    let roots = [catalogue.tree.root, other]
    try await catalogue.refresh(roots)
    try catalogue.tree.remove(FilePath.join(other, Array("o.flac".utf8)))
    var changes = ChangedFolders()
    changes.insert(other)
    await #expect(throws: UncertainScan.self) {
      try await catalogue.source(roots).refresh(only: changes, progress: RefreshProgress())
    }
  }

  @Test func foldersWithinOneThatChangedAsAWholeAreNotVisitedTwice() {
    var changes = ChangedFolders()
    func path(_ text: String) -> [UInt8] { Array(text.utf8) }
    changes.insert(path("/m/a/b"))
    changes.insert(path("/m/a"), withSubfolders: true)
    changes.insert(path("/m/ab"))
    changes.insert(path("/m/ab"))
    #expect(changes.paths.map { LocalPath(bytes: $0.path).description } == ["/m/a", "/m/ab"])
    #expect(changes.paths.map(\.withSubfolders) == [true, false])
    for number in 0..<3000 { changes.insert(path("/m/\(number)")) }
    #expect(changes == .unknown)
  }

  @Test func theWarningOfAFolderWithoutMusicEndsWhenMusicComes() async throws {
    let catalogue = try await filled()
    let other = Array(catalogue.tree.beside("other").utf8)
    try catalogue.tree.make(folder: other)
    let watch = FolderWatch(gathering: ChangeDebouncer(quiet: .milliseconds(20), longest: .milliseconds(200)))
    var source = catalogue.source([catalogue.tree.root, other])
    source.watch = watch
    let (batches, told) = AsyncStream.makeStream(of: Void.self)
    let running = Task { await watch.run { told.yield() } }
    var batch = batches.makeAsyncIterator()
    // The second refresh knows all folders by their watches, so that later ones visit what the kernel reports.
    _ = try await source.refresh(accepting: .wholeScan, progress: RefreshProgress())
    await batch.next()
    _ = try await source.refresh(accepting: [], progress: RefreshProgress())
    #expect(try await catalogue.problems() == ["library.folderEmpty"])
    try catalogue.tree.write(
      FLACFile.bytes(["ALBUM=O", "ARTIST=O", "TITLE=O"], seconds: 9), to: FilePath.join(other, Array("o.flac".utf8)))
    await batch.next()
    _ = try await source.refresh(accepting: [], progress: RefreshProgress())
    #expect(try await catalogue.tracks().count == 19)
    #expect(try await catalogue.problems() == [])
    watch.stop()
    await running.value
  }

  /// After any changes, a refresh of what the kernel reported leaves nothing for a scan of all folders.
  @Test func refreshesOfWhatTheKernelReportsMissNothing() async throws {
    let catalogue = try await filled()
    let tree = catalogue.tree
    let watch = FolderWatch(gathering: ChangeDebouncer(quiet: .milliseconds(150), longest: .seconds(2)))
    var source = catalogue.source()
    source.watch = watch
    let (batches, told) = AsyncStream.makeStream(of: Void.self)
    let running = Task { await watch.run { told.yield() } }
    _ = try await source.refresh(accepting: .wholeScan, progress: RefreshProgress())
    var batch = batches.makeAsyncIterator()
    await batch.next()
    _ = try await source.refresh(accepting: [], progress: RefreshProgress())
    let changes: [() throws -> Void] = [
      { try tree.flac("a0/04.flac", ["ALBUM=Album 0", "ARTIST=Artist 0", "TITLE=New"]) },
      { try tree.album("b/CD1", ["ALBUM=B", "ARTIST=B", "DISCNUMBER=1"]) },
      { try tree.move("a1", to: "b/moved") }, { try tree.album("b/CD2", ["ALBUM=B", "ARTIST=B", "DISCNUMBER=2"]) },
      { try tree.move("b", to: "c/d") }, { try tree.write([9], to: "c/d/moved/cover.jpg") },
      { try tree.remove("a2/02.flac") }, { try tree.move("a3/01.flac", to: "a4/05.flac") },
      { try tree.flac("c/d/CD2/02.flac", ["ALBUM=B", "ARTIST=B", "DISCNUMBER=2", "TITLE=Again"], seconds: 33) },
      { try tree.remove("c/d/moved") }, { try tree.write(Array("CD2\n".utf8), to: "c/.mpdignore") },
      { try tree.remove("c/.mpdignore") }, { try tree.link("l.flac", to: "a5/01.flac") }, { try tree.remove("l.flac") },
    ]
    for (index, change) in changes.enumerated() {
      try change()
      await batch.next()
      _ = try await source.refresh(accepting: [], progress: RefreshProgress())
      let left = try await catalogue.refresh()
      #expect([left[0], left[1], left[3]] == [0, 0, 0], "after change \(index): \(left)")
      try await catalogue.expectWholeIndex()
    }
    watch.stop()
    await running.value
  }
}

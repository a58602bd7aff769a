import Messages
import Model
import Storage
import TestSupport
import Testing

@testable import Catalogue
@testable import Records
@testable import Sources

/// Files and folders that are found and not taken: they are counted and named with the rule.
@Suite(.timeLimit(.minutes(2)))
struct LeftOutTests {
  private func page(
    _ catalogue: TestCatalogue, _ kind: Library.ProblemKind?, folder: String? = nil, after: String? = nil,
    limit: Int = 100
  ) async throws -> Library.ProblemPage {
    let request = Library.ListProblems(
      only: kind, folder: folder.map { LocalPath(bytes: catalogue.tree.path($0)) }, after: after, limit: limit)
    return try await catalogue.database.read { try Catalogue.problems(request, $0) }
  }

  /// The messages, with the root of the music folder as `R`.
  private func messages(
    _ catalogue: TestCatalogue, _ kind: Library.ProblemKind, folder: String? = nil
  ) async throws -> [String] {
    let root = LocalPath(bytes: catalogue.tree.root).description
    return try await page(catalogue, kind, folder: folder).items.map { problem in
      var message = problem.problem.message[...]
      var parts: [Substring] = []
      while let found = message.firstRange(of: root) {
        parts.append(message[..<found.lowerBound])
        message = message[found.upperBound...]
      }
      return (parts + [message]).joined(separator: "R")
    }
  }

  private func status(_ catalogue: TestCatalogue) async throws -> Library.SourceStatus? {
    try await catalogue.database.read { try Catalogue.state($0).sources.first }
  }

  private func album() throws -> TestCatalogue {
    let catalogue = try TestCatalogue()
    try catalogue.tree.flac("a/1.flac", ["TITLE=One", "ALBUM=X", "ARTIST=A"])
    return catalogue
  }

  @Test func filesThatAreNoMusicAreNamedByFolder() async throws {
    let catalogue = try album()
    for name in ["a/rip.log", "a/list.txt", "a/back.jpg", "b/deep/readme.txt", "a/other.lrc"] {
      try catalogue.tree.write([1], to: name)
    }
    // These are used: a cover, a picture of the artist, lyrics and the front among scans.
    for name in ["a/cover.jpg", "artist.jpg", "a/1.lrc", "a/Scans/front.png"] {
      try catalogue.tree.write([1], to: name)
    }
    try await catalogue.refresh()
    let found = try await messages(catalogue, .unused)
    #expect(
      found.map { String($0.prefix { $0 != ":" }) } == [
        "4 files in R/a are no music", "1 file in R/b/deep is no music",
      ])
    #expect(found.first?.contains(": back.jpg, list.txt, other.lrc, rip.log. A file") == true)
    #expect(try await page(catalogue, .unused).items.map(\.count) == [4, 1])
    #expect(try await messages(catalogue, .unused, folder: "b").count == 1)
    #expect(try await status(catalogue)?.unused == 5)
    #expect(try await status(catalogue)?.problemCount == 0)
  }

  @Test func aLonePictureIsTheCover() async throws {
    let catalogue = try album()
    try catalogue.tree.write([1], to: "a/photo.jpg")
    try await catalogue.refresh()
    #expect(try await messages(catalogue, .unused).isEmpty)
    try catalogue.tree.write([1], to: "a/photo2.jpg")
    try await catalogue.refresh()
    #expect(try await page(catalogue, .unused).items.map(\.count) == [2])
  }

  @Test func eachRuleNamesWhatItLeavesOut() async throws {
    let catalogue = try album()
    try catalogue.tree.flac("a/.hidden.flac", ["TITLE=H"])
    try catalogue.tree.flac("@eaDir/2.flac", ["TITLE=S"])
    try catalogue.tree.flac("quiet/3.flac", ["TITLE=Q"])
    try catalogue.tree.write([], to: "quiet/.nomedia")
    try catalogue.tree.flac("b/4.flac", ["TITLE=B"])
    try catalogue.tree.flac("b/c/5-demo.flac", ["TITLE=D"])
    try catalogue.tree.write(Array("*-demo.flac\n".utf8), to: "b/.ndignore")
    try await catalogue.refresh()
    let found = try await messages(catalogue, .ignored)
    #expect(found.count == 4)
    #expect(
      found.contains {
        $0.hasPrefix("1 file or folder in R/a is hidden by a name that begins with a dot: .hidden.flac.")
      })
    #expect(
      found.contains {
        $0.hasPrefix("1 file or folder in R is left out by a name that systems keep for themselves: @eaDir.")
      })
    #expect(found.contains { $0.hasPrefix("1 file or folder in R/quiet is left out by R/quiet/.nomedia: 3.flac.") })
    #expect(found.contains { $0.hasPrefix("1 file or folder in R/b/c is left out by R/b/.ndignore: 5-demo.flac.") })
    #expect(try await status(catalogue)?.ignored == 4)
  }

  @Test func theListOfProblemsCountsThemAndDoesNotListThem() async throws {
    let catalogue = try album()
    try catalogue.tree.write([1], to: "a/rip.log")
    try catalogue.tree.write([1], to: "a/.DS_Store")
    try await catalogue.refresh()
    let page = try await page(catalogue, nil)
    #expect(page.items.isEmpty)
    #expect(Set(page.counts.map(\.code)) == ["library.filesUnused", "library.filesIgnored"])
  }

  @Test func onlyTheFirstNamesAreKept() async throws {
    let catalogue = try album()
    for number in 10..<30 { try catalogue.tree.write([1], to: "a/\(number).txt") }
    try await catalogue.refresh()
    #expect(try await messages(catalogue, .unused)[0].contains(": 10.txt, 11.txt, 12.txt, 13.txt, 14.txt and 15 more."))
    #expect(try await status(catalogue)?.unused == 20)
  }

  @Test func whatIsGoneIsNoLongerNamed() async throws {
    let catalogue = try album()
    try catalogue.tree.write([1], to: "a/rip.log")
    try catalogue.tree.write([1], to: "b/readme.txt")
    try await catalogue.refresh()
    try catalogue.tree.remove("a/rip.log")
    try await catalogue.refresh()
    #expect(try await messages(catalogue, .unused).count == 1)
    #expect(try await status(catalogue)?.unused == 1)
  }

  @Test func aScanOfChangedFoldersCountsThese() async throws {
    let catalogue = try album()
    for name in ["a/rip.log", "b/readme.txt", "c/d/notes.txt"] { try catalogue.tree.write([1], to: name) }
    try await catalogue.refresh()
    try catalogue.tree.write([1], to: "a/more.log")
    try catalogue.tree.write([1], to: "b/unreported.txt")
    try catalogue.tree.remove("c")
    let changes = ChangedFolders([catalogue.tree.path("a"), catalogue.tree.path("c")])
    #expect(try await catalogue.source().refresh(only: changes, progress: RefreshProgress()) != nil)
    #expect(try await page(catalogue, .unused).items.map(\.count) == [2, 1])
    #expect(try await status(catalogue)?.unused == 3)
  }

  @Test func theListIsReadPageByPage() async throws {
    let catalogue = try album()
    for number in 1...5 { try catalogue.tree.write([1], to: "n\(number)/x.txt") }
    try await catalogue.refresh()
    var (all, after): ([String], String?) = ([], nil)
    for _ in 0..<9 {
      let page = try await page(catalogue, .unused, after: after, limit: 2)
      #expect(page.items.count <= 2)
      all += page.items.compactMap { $0.path.map { String(decoding: FilePath.name($0.bytes), as: UTF8.self) } }
      after = page.next
      if after == nil { break }
    }
    #expect(all == ["n1", "n2", "n3", "n4", "n5"])
  }

  @Test func foldersBeyondTheLimitAreCountedTogether() {
    var folders = LeftOutFolders()
    var one = LeftOut(rule: .noMusic)
    for name in ["c", "a", "b"] { one.add(Array(name.utf8)) }
    for number in 0..<(LeftOutFolders.foldersLimit + 3) { folders.add([one], of: Array("/m/\(number)".utf8)) }
    #expect(folders.folders.count == LeftOutFolders.foldersLimit)
    #expect(folders.others == [LeftOut(rule: .noMusic, count: 9)])
    #expect(one.names == [[97], [98], [99]])
  }
}

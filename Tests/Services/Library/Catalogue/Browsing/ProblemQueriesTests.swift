import Messages
import Model
import Storage
import TestSupport
import Testing

@testable import Catalogue
@testable import Records

/// The list of problems.
@Suite(.timeLimit(.minutes(2)))
struct ProblemQueriesTests {
  private func catalogue() async throws -> TestCatalogue {
    let catalogue = try TestCatalogue()
    for number in 1...3 { try catalogue.tree.flac("x/\(number).flac", [], seconds: 9) }
    try catalogue.tree.write([], to: "x/broken.flac")
    try catalogue.tree.flac("y/image.flac", ["TITLE=A", "ALBUM=B", "ARTIST=C"])
    try catalogue.tree.write(Array("nothing".utf8), to: "y/image.cue")
    try catalogue.tree.write([1, 2, 3], to: "y/cover.jpg")
    try await catalogue.refresh()
    return catalogue
  }

  private func problems(
    _ catalogue: TestCatalogue, _ kind: Library.ProblemKind? = nil, folder: String? = nil, after: String? = nil,
    limit: Int = 100
  ) async throws -> Library.ProblemPage {
    let request = Library.ListProblems(
      only: kind, folder: folder.map { LocalPath(bytes: catalogue.tree.path($0)) }, after: after, limit: limit)
    return try await catalogue.database.read { try Catalogue.problems(request, $0) }
  }

  private func names(_ page: Library.ProblemPage) -> [String] {
    page.items.map { $0.path.map { String(decoding: FilePath.name($0.bytes), as: UTF8.self) } ?? $0.source }
  }

  @Test func everyProblemIsListedWithItsKindAndTrack() async throws {
    let catalogue = try await catalogue()
    let page = try await problems(catalogue)
    #expect(names(page).sorted() == ["1.flac", "2.flac", "3.flac", "broken.flac", "image.cue"])
    let untagged = page.items.filter { $0.kind == .untagged }
    #expect(untagged.count == 3 && untagged.allSatisfy { $0.track != nil && $0.source == "files" })
    #expect(page.items.first { $0.kind == .damaged }?.problem.code == "library.fileBroken")
    #expect(page.items.first { $0.kind == .cue }?.track == nil)
    #expect(page.counts.map(\.count) == [3, 1, 1] && page.counts[0].kind == .untagged)
    // Files that cannot be used come before those that are listed nevertheless.
    #expect(page.items.suffix(3).allSatisfy { $0.kind == .untagged })
  }

  @Test func problemsAreNarrowedByKindAndFolderAndReadPageByPage() async throws {
    let catalogue = try await catalogue()
    #expect(try await names(problems(catalogue, .untagged)) == ["1.flac", "2.flac", "3.flac"])
    #expect(try await names(problems(catalogue, folder: "y")) == ["image.cue"])
    #expect(try await problems(catalogue, folder: "y").counts.map(\.code) == ["library.cueBroken"])
    #expect(try await names(problems(catalogue, .cue, folder: "x")).isEmpty)
    var (all, after): ([String], String?) = ([], nil)
    for _ in 0..<9 {
      let page = try await problems(catalogue, after: after, limit: 2)
      #expect(page.items.count <= 2)
      all += names(page)
      after = page.next
      if after == nil { break }
    }
    #expect(try await all == names(problems(catalogue)))
  }

  @Test func aPictureThatCannotBeShownIsAProblemUntilItIsReplaced() async throws {
    let catalogue = try await catalogue()
    let art = try #require(try await catalogue.album("B").art)
    try await catalogue.database.write { try ArtIndex.keepBroken(art.description, size: 0, cause: "no JPEG", $0) }
    let page = try await problems(catalogue, .cover)
    #expect(names(page) == ["cover.jpg"] && page.items.first?.problem.cause == "no JPEG")
    try catalogue.tree.write([4, 5, 6, 7], to: "y/cover.jpg")
    try await catalogue.refresh()
    #expect(try await problems(catalogue, .cover).items.isEmpty)
  }

  @Test func problemsOfMusicFoldersAreListedFirst() async throws {
    let catalogue = try await catalogue()
    let missing = Array(catalogue.tree.beside("missing").utf8)
    try await catalogue.refresh([catalogue.tree.root, missing])
    let page = try await problems(catalogue)
    #expect(page.items.first?.kind == .folder && page.items.first?.problem.code == "library.folderMissing")
    #expect(page.items.count == 6)
  }
}

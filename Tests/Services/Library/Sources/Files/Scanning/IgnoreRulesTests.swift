import Messages
import Model
import System
import TestSupport
import Testing

@testable import Records
@testable import Sources

@Suite(.timeLimit(.minutes(2)))
struct IgnoreRulesTests {
  private func ignores(_ file: IgnoreFile, _ text: String, _ path: String) -> Bool {
    var rules = IgnoreRules()
    rules.add(file, Array(text.utf8), of: Array("/music".utf8))
    let isFolder = path.hasSuffix("/")
    let full = Array("/music/\(isFolder ? String(path.dropLast()) : path)".utf8)
    return rules.ignores(FilePath.name(full), in: FilePath.parent(full) ?? [], isFolder: isFolder)
  }

  @Test(arguments: [
    ("*.mp3", "a.mp3"), ("*.mp3", "deep/er/a.mp3"), ("# all\nLive*\n", "Live at Home/"), ("  x  \r\ny", "y"),
    ("a # comment", "a"),
  ])
  func patternsOfMPDStandForNamesInAllFolders(_ text: String, _ path: String) {
    #expect(ignores(.mpdignore, text, path))
  }

  @Test(arguments: [("", "a"), ("#a", "a"), ("live/a", "live/a"), ("*.mp3", "a.flac"), ("!a", "a")])
  func otherNamesAreLeft(_ text: String, _ path: String) { #expect(!ignores(.mpdignore, text, path)) }

  @Test func aFileWithoutPatternsLeavesOutItsFolder() {
    for (file, text) in [(IgnoreFile.nomedia, ""), (.nomedia, "x"), (.ndignore, ""), (.ndignore, "# a\n\n")] {
      var rules = IgnoreRules()
      rules.add(file, Array(text.utf8), of: Array("/music".utf8))
      #expect(rules.ignoresAll)
    }
    var rules = IgnoreRules()
    rules.add(.mpdignore, [], of: Array("/music".utf8))
    #expect(!rules.ignoresAll)
  }

  private static let patterns = [
    "*.mp3", "/a.flac", "b/", "b/c", "**/x.flac", "b/**", "**/c/", "!b/keep.flac", "\\#odd.flac", "a?.flac", "[0-9]*",
    "b/*/d.flac", "/b/c/", "*.flac\n!keep.flac", "b/**/d.flac", "trailing.flac   ", "**", "c", "**/", "b/c/\n!b/",
  ]
  private static let paths = [
    "a.flac", "ab.flac", "b/a.flac", "b/keep.flac", "b/c/d.flac", "b/c/e/d.flac", "x.flac", "deep/x.flac", "#odd.flac",
    "1999/y.flac", "c/z.flac", "b/d.flac", "trailing.flac", "song.mp3", "b/song.mp3", "deeper/b/c",
  ]

  /// Git is asked about the same patterns and paths.
  @Test(arguments: patterns)
  func patternsMeanWhatGitSays(_ pattern: String) async throws {
    let tree = try MusicTree()
    let root = LocalPath(bytes: tree.root).description
    for path in Self.paths { try tree.write([1], to: path) }
    try tree.write(Array(pattern.utf8), to: ".gitignore")
    #expect(try await TestProgram.run(["git", "init", "-q", root]).status == 0)
    let asked = try await TestProgram.run(["git", "-C", root, "ls-files", "--others", "--exclude-standard"])
    let expected = asked.output.split(separator: "\n").map(String.init).filter { $0 != ".gitignore" }
    #expect(Self.paths.filter { !isLeftOut($0, by: pattern) }.sorted() == expected.sorted())
  }

  /// Returns true if the file or one of the folders above it is left out.
  private func isLeftOut(_ path: String, by text: String) -> Bool {
    let parts = path.split(separator: "/")
    return parts.indices.contains { end in
      ignores(.ndignore, text, parts[...end].joined(separator: "/") + (end < parts.count - 1 ? "/" : ""))
    }
  }

  @Test func theNearestFileDecides() {
    var rules = IgnoreRules()
    rules.add(.ndignore, Array("*.mp3".utf8), of: Array("/music".utf8))
    rules.add(.ndignore, Array("!keep.mp3".utf8), of: Array("/music/a".utf8))
    let folder = Array("/music/a".utf8)
    #expect(!rules.ignores(Array("keep.mp3".utf8), in: folder, isFolder: false))
    #expect(rules.ignores(Array("other.mp3".utf8), in: folder, isFolder: false))
    rules.add(.mpdignore, Array("keep*".utf8), of: folder)
    #expect(rules.ignores(Array("keep.mp3".utf8), in: folder, isFolder: false))
  }

  @Test func aScanLeavesOutWhatIsIgnoredAndTakesItBack() async throws {
    let catalogue = try TestCatalogue()
    let tree = catalogue.tree
    for name in ["kept", "phone", "phone/below", "mixed", "mixed/live"] {
      try tree.album(name, ["ALBUM=\(name)", "ARTIST=A"], tracks: 2)
    }
    try tree.write([], to: "phone/.nomedia")
    try tree.write(Array("02.flac\n".utf8), to: "mixed/.mpdignore")
    #expect(try await catalogue.refresh() == [4, 0, 0, 0])
    #expect(try await catalogue.problems() == [])
    try tree.remove("phone/.nomedia")
    try tree.write([], to: "mixed/live/.ndignore")
    #expect(try await catalogue.refresh() == [4, 0, 3, 1])
  }

  @Test func anIgnoreFileThatCannotBeReadIsAProblemAndLeavesNothingOut() async throws {
    let catalogue = try TestCatalogue()
    try catalogue.tree.album("x", ["ALBUM=X", "ARTIST=A"], tracks: 1)
    try catalogue.tree.write([UInt8](repeating: 10, count: IgnoreFile.largestSize + 1), to: "x/.ndignore")
    try catalogue.tree.make(folder: catalogue.tree.path(".nomedia"))
    #expect(try await catalogue.refresh() == [1, 0, 0, 0])
    #expect(try await catalogue.problems() == Array(repeating: "library.ignoreFileUnreadable", count: 2))
  }

  @Test func anIgnoreFileThatLeadsOutOfTheMusicFoldersLeavesNothingOut() async throws {
    let catalogue = try TestCatalogue()
    try catalogue.tree.album("x", ["ALBUM=X", "ARTIST=A"], tracks: 1)
    try catalogue.tree.write(Array("*\n".utf8), to: Array(catalogue.tree.beside("rules").utf8))
    try catalogue.tree.link("x/.ndignore", to: catalogue.tree.beside("rules"))
    #expect(try await catalogue.refresh() == [1, 0, 0, 0])
    #expect(try await catalogue.problems() == ["library.ignoreFileUnreadable"])
    #expect(try await catalogue.status().problems.first?.message.contains("leads out") == true)
  }
}

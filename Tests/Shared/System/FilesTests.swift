import Glibc
import Model
import System
import TestSupport
import Testing

@Suite struct FilesTests {
  private let folder: TemporaryDirectory

  init() { folder = TemporaryDirectory() }

  private func path(_ name: String) -> String { "\(folder.path)/\(name)" }

  @Test func aFileIsReplacedWhollyWithItsModeAndLeavesNoTemporaryFile() throws {
    try Files.replace(path("a"), with: "old")
    try Files.replace(path("a"), with: "new", .init(mode: 0o640))
    #expect(try Files.read(path("a")) == Array("new".utf8))
    #expect(Files.status(path("a"), followingLinks: false)?.mode == 0o640)
    #expect(try Files.names(in: folder.path) == ["a"])
  }

  @Test func anExclusiveFileLeavesTheOneThatIsThereAlone() throws {
    try Files.replace(path("a"), with: "first", .init(isExclusive: true))
    #expect(throws: Errno.fileExists) { try Files.replace(path("a"), with: "second", .init(isExclusive: true)) }
    #expect(Files.text(of: path("a")) == "first")
    #expect(try Files.names(in: folder.path) == ["a"])
  }

  @Test func aFailedWriteLeavesTheFormerFileAndNoTemporaryOne() throws {
    try Files.replace(path("a"), with: "old")
    #expect(throws: Errno.noSpace) {
      try Files.replace(path("a")) { (file) throws(Errno) in
        try file.write("half")
        throw Errno.noSpace
      }
    }
    #expect(Files.text(of: path("a")) == "old")
    #expect(try Files.names(in: folder.path) == ["a"])
  }

  @Test func aFixedTemporaryFileThatAKillLeftBehindIsNoHindrance() throws {
    try Files.replace(path("a.new"), with: "left behind")
    try Files.replace(path("a"), with: "new", .init(temporary: path("a.new")))
    #expect(try Files.names(in: folder.path) == ["a"])
    #expect(Files.text(of: path("a")) == "new")
  }

  @Test func aFileThatIsLongerThanTheLimitIsRefused() throws {
    try Files.replace(path("a"), with: [UInt8](repeating: 7, count: 100_000))
    #expect(try Files.read(path("a"), limit: 100_000).count == 100_000)
    #expect(throws: Errno.fileTooLarge) { try Files.read(path("a"), limit: 99_999) }
  }

  @Test func whatIsMissingIsNilAndWhatIsNoFileIsRefused() throws {
    #expect(try Files.readIfPresent(path("none")) == nil)
    #expect(try Files.readIfPresent(path("none/below")) == nil)
    #expect(throws: Errno.noSuchFileOrDirectory) { try Files.read(path("none")) }
    #expect(throws: Errno.isDirectory) { try Files.read(folder.path, mustBeRegular: true) }
    mkfifo(path("pipe"), 0o600)
    #expect(throws: Errno.invalidArgument) { try Files.read(path("pipe"), mustBeRegular: true) }
    symlink(path("pipe"), path("link"))
    #expect(throws: Errno.tooManySymbolicLinkLevels) { try Files.read(path("link"), followsLinks: false) }
  }

  @Test func aTreeIsRemovedWithoutFollowingLinks() throws {
    try Files.makeFolder(path("kept"))
    try Files.replace(path("kept/file"), with: "kept")
    try Files.makeFolder(path("tree/below/deeper"))
    try Files.replace(path("tree/below/file"), with: "gone")
    symlink(path("kept"), path("tree/link"))
    try Files.removeTree(path("tree"))
    #expect(!Files.exists(path("tree")))
    #expect(Files.exists(path("kept/file")))
    try Files.removeTree(path("tree"))
  }

  @Test func foldersAreMadeWithAllAboveAndMayBeThereAlready() throws {
    try Files.makeFolder(path("a/b/c"))
    try Files.makeFolder(path("a/b/c"))
    #expect(Files.status(path("a/b"), followingLinks: false)?.mode == 0o700)
    try Files.replace(path("file"), with: "")
    #expect(throws: Errno.notDirectory) { try Files.makeFolder(path("file/below")) }
  }

  @Test func aFolderReaderTellsKindsAndStatus() throws {
    try Files.makeFolder(path("folder"))
    try Files.replace(path("file"), with: "123")
    symlink(path("file"), path("link"))
    let reader = try FolderReader(folder.path)
    var kinds: [String: FileStatus.Kind] = [:]
    while let entry = try reader.next() {
      let status = try reader.status(of: entry.name, followingLinks: false)
      kinds[String(decoding: entry.name, as: UTF8.self)] = entry.kind ?? status.kind
    }
    #expect(kinds == ["folder": .folder, "file": .regular, "link": .symbolicLink])
    #expect(try reader.status(of: Array("link".utf8), followingLinks: true).size == 3)
    let own = try FileStatus(folder.path, followingLinks: true)
    #expect(try reader.status().isSameFile(as: own))
  }

  @Test func pathsAreTakenApartAsTheirTextSays() {
    #expect(Files.folder(of: "/a/b") == "/a")
    #expect(Files.folder(of: "/a") == "/")
    #expect(Files.folder(of: "a") == ".")
    #expect(Files.name(of: "/a/b") == "b")
    #expect(Files.name(of: "b") == "b")
    #expect(Files.absolute("../c//./d/", in: "/a/b") == "/a/c/d")
  }

  @Test func theDigestOfAFileIsThatOfSha256sum() throws {
    try Files.replace(path("a"), with: "abc")
    let (text, size) = try FileDigest.of(path("a"))
    #expect(text == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    #expect(size == 3)
    #expect(throws: LunaraError.self) { try FileDigest.of(path("none")) }
  }
}

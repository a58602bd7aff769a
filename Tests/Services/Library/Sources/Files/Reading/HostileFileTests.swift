import Glibc
import Messages
import Model
import MusicTags
import System
import TestSupport
import Testing

@testable import Media
@testable import Sources

/// Files that are made to break the program that reads their tags. The library reads the others and stays alive.
@Suite(.timeLimit(.minutes(3)))
struct HostileFileTests {
  private let tags = ["ALBUM=X", "ARTIST=A"]
  /// Readers whose program is missing: a refresh with them fails if it has to read any file.
  private let none = TagReaders(program: "/nowhere/lunara-tags")

  private static let breaking: [(name: String, bytes: [UInt8])] = [
    ("moov.m4a", HostileFile.nestedAtoms("moov")), ("udta.m4a", HostileFile.nestedAtoms("udta")),
    ("chapters.mp3", HostileFile.nestedChapters("CHAP")), ("contents.mp3", HostileFile.nestedChapters("CTOC")),
  ]

  @Test func filesThatBreakTheReaderAreNamedAndTheOthersAreRead() async throws {
    let catalogue = try TestCatalogue()
    try catalogue.tree.album("x", tags)
    for file in Self.breaking { try catalogue.tree.write(file.bytes, to: "x/\(file.name)") }
    #expect(try await catalogue.refresh() == [3, 0, 0, 0])
    let problems = try await catalogue.status().problems
    #expect(problems.count == Self.breaking.count)
    for file in Self.breaking {
      let problem = try #require(problems.first { $0.message.contains("x/\(file.name)") }, "\(file.name)")
      #expect(problem.code == "library.fileBreaksReader", "\(file.name)")
      #expect(problem.cause?.contains("Segmentation fault") == true, "\(file.name): \(problem.cause ?? "")")
    }
  }

  @Test func aFileThatBrokeTheReaderIsNotReadAgainUntilItChanges() async throws {
    let catalogue = try TestCatalogue()
    try catalogue.tree.album("x", tags)
    try catalogue.tree.write(HostileFile.nestedAtoms("moov"), to: "x/9.m4a")
    try await catalogue.refresh()
    #expect(try await catalogue.refresh(tagReaders: none) == [0, 0, 3, 0])
    // At another path it may be usable, so it is read there once.
    try catalogue.tree.move("x/9.m4a", to: "y/9.m4a")
    #expect(try await catalogue.refresh() == [0, 0, 3, 0])
    #expect(try await catalogue.refresh(tagReaders: none) == [0, 0, 3, 0])
    let moved = try #require(try await catalogue.status().problems.first)
    #expect(moved.code == "library.fileBreaksReader" && moved.message.contains("y/9.m4a"))
    #expect(moved.cause?.isEmpty == false)
    try catalogue.tree.write(FLACFile.bytes(tags, seconds: 5), to: "y/9.m4a")
    await #expect(throws: LunaraError.self) { try await catalogue.refresh(tagReaders: none) }
    try catalogue.tree.move("y/9.m4a", to: "y/9.flac")
    #expect(try await catalogue.refresh() == [1, 0, 3, 0])
    #expect(try await catalogue.problems() == [])
  }

  @Test func aTrackWhoseFileBreaksTheReaderNowStaysListedAndIsNotReadAgain() async throws {
    let catalogue = try TestCatalogue()
    try await FFmpeg.sine(String(decoding: catalogue.tree.path("1.m4a"), as: UTF8.self), ["-metadata", "title=One"])
    try await catalogue.refresh()
    try catalogue.tree.write(HostileFile.nestedAtoms("moov"), to: "1.m4a")
    #expect(try await catalogue.refresh() == [0, 0, 1, 0])
    #expect(try await catalogue.refresh(tagReaders: none) == [0, 0, 1, 0])
    #expect(try await catalogue.tracks().map(\.title) == ["One"])
    #expect(try await catalogue.problems() == ["library.fileBreaksReader"])
  }

  @Test func aCompressedTitleOfAGigabyteIsRefusedForItsMemory() async throws {
    let catalogue = try TestCatalogue()
    try await FFmpeg.sine(catalogue.tree.beside("plain.mp3"))
    let sound = try Files.read(catalogue.tree.beside("plain.mp3"))
    try catalogue.tree.album("x", tags)
    try catalogue.tree.write(HostileFile.compressedTitle(inflated: 1 << 30) + sound, to: "x/9.mp3")
    #expect(try await catalogue.refresh() == [3, 0, 0, 0])
    let problem = try #require(try await catalogue.status().problems.first)
    #expect(problem.code == "library.fileBroken" && problem.message.contains("more memory"))
  }

  @Test func aSmallCompressedTitleIsRead() async throws {
    let tree = try MusicTree()
    try await FFmpeg.sine(tree.beside("plain.mp3"))
    try tree.write(
      HostileFile.compressedTitle(inflated: 4096) + Files.read(tree.beside("plain.mp3")), to: "1.mp3")
    let result = try TestCatalogue.tagReaders.tags(of: [tree.open("1.mp3")]).first
    #expect(try #require(result).get().audio.duration > .zero)
  }

  @Test func aPictureInAFileThatBreaksTheReaderIsABadPicture() async throws {
    let catalogue = try TestCatalogue()
    try catalogue.tree.write(HostileFile.nestedAtoms("moov"), to: "1.m4a")
    let path = LocalPath(bytes: catalogue.tree.path("1.m4a"))
    let error = #expect(throws: LunaraError.self) {
      try catalogue.pictures.picture(in: catalogue.pictures.openMusic(path), at: path)
    }
    #expect(error?.code == "library.badPicture" && error?.cause?.contains("Segmentation fault") == true)
  }

  @Test func withoutTheProgramNothingIsReadAndNothingIsLost() async throws {
    let catalogue = try TestCatalogue()
    try catalogue.tree.album("x", tags)
    try await catalogue.refresh()
    try catalogue.tree.album("y", tags)
    for program in ["/nowhere/lunara-tags", "/bin/false"] {
      let error = await #expect(throws: LunaraError.self) {
        try await catalogue.refresh(tagReaders: TagReaders(program: program))
      }
      #expect(error?.code == "library.noTagReader")
    }
    #expect(try await catalogue.tracks().count == 3)
  }

  @Test func withoutTheProgramThatMeasuresALengthStaysUnknownAndNothingIsLost() async throws {
    let catalogue = try TestCatalogue()
    try catalogue.tree.album("x", tags)
    try await catalogue.refresh()
    try catalogue.tree.flac("x/live.flac", tags + ["TITLE=Live"], seconds: 0)
    for (count, program) in ["/nowhere/lunara-formats", "/bin/false"].enumerated() {
      try catalogue.tree.flac("x/\(count).flac", tags + ["TITLE=\(count)"], seconds: 5)
      let readers = TagReaders(formatsProgram: program)
      #expect(try await catalogue.refresh(tagReaders: readers) == (count == 0 ? [2, 0, 3, 0] : [1, 1, 4, 0]))
      let lengths = Dictionary(grouping: try await catalogue.tracks(), by: \.duration).mapValues(\.count)
      #expect(lengths == [.zero: 1, Milliseconds(5000): count + 1, Milliseconds(180_000): 3])
      #expect(try await catalogue.problems() == [])
      // It is written anew, so the next program is asked for it again.
      try catalogue.tree.flac("x/live.flac", tags + ["TITLE=Live", "COMMENT=\(count)"], seconds: 0)
    }
  }
}

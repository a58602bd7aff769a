import Messages
import Model
import Storage
import TestSupport
import Testing

@testable import Catalogue
@testable import Records

/// Files whose chapters are tracks.
@Suite(.timeLimit(.minutes(2)))
struct ChapterScanTests {
  /// Makes a file with tags and chapters, in milliseconds, by ffmpeg.
  private func make(
    _ name: String, _ codec: String, _ chapters: [(start: Int, title: String?)], seconds: Int = 30,
    tags: String = "title=A Winter's Night\nartist=Alice Amber\n", in catalogue: TestCatalogue
  ) async throws {
    let ends = chapters.dropFirst().map(\.start) + [seconds * 1000]
    let text = zip(chapters, ends).reduce(";FFMETADATA1\n" + tags) { text, chapter in
      let title = chapter.0.title.map { "title=\($0)\n" } ?? ""
      return text + "[CHAPTER]\nTIMEBASE=1/1000\nSTART=\(chapter.0.start)\nEND=\(chapter.1)\n\(title)"
    }
    let metadata = catalogue.tree.beside("chapters.txt")
    try catalogue.tree.write(Array(text.utf8), to: Array(metadata.utf8))
    try catalogue.tree.make(folder: try #require(FilePath.parent(catalogue.tree.path(name))))
    try await FFmpeg.run([
      "-f", "lavfi", "-i", "sine=d=\(seconds):r=44100", "-f", "ffmetadata", "-i", metadata, "-map", "0:a",
      "-map_metadata", "1", "-map_chapters", "1", "-c:a", codec,
      String(decoding: catalogue.tree.path(name), as: UTF8.self),
    ])
  }

  @Test(arguments: [("book/night.m4b", "aac"), ("book/night.M4B", "aac"), ("book/night.mka", "flac")])
  func theChaptersOfAFileAreItsTracks(_ name: String, _ codec: String) async throws {
    let catalogue = try TestCatalogue()
    try await make(name, codec, [(0, "Snow"), (10_000, "Ice"), (22_500, nil)], in: catalogue)
    try await catalogue.refresh()
    let tracks = try await catalogue.tracks()
    #expect(tracks.map(\.title) == ["Snow", "Ice", "Track 3"] && tracks.map(\.number) == [1, 2, 3])
    #expect(tracks.allSatisfy { $0.album == "A Winter's Night" && $0.artist == "Alice Amber" })
    #expect(tracks.dropLast().map(\.duration) == [Milliseconds(10_000), Milliseconds(12_500)])
    let segments = try await catalogue.database.read { transaction in
      try tracks.flatMap { try Catalogue.copies(of: $0.id, transaction) }
    }.map(\.segment)
    #expect(segments.map { $0?.start } == [0, 441_000, 992_250])
    #expect(segments.map { $0?.end } == [441_000, 992_250, nil])
  }

  @Test func aLongFileOfAnyKindIsCutByItsChapters() async throws {
    let catalogue = try TestCatalogue()
    let chapters = [(0, "Dusk"), (600_000, "Dawn")] as [(Int, String?)]
    try await make("mix/long.mp3", "libmp3lame", chapters, seconds: 1230, in: catalogue)
    try await make("mix/short.mp3", "libmp3lame", [(0, "No"), (5000, "No")], in: catalogue)
    try await catalogue.refresh()
    #expect(try await catalogue.tracks().map(\.title).sorted() == ["A Winter's Night", "Dawn", "Dusk"])
  }

  @Test func oneChapterIsTheWholeFile() async throws {
    let catalogue = try TestCatalogue()
    try await make("book/one.m4b", "aac", [(0, "Only")], in: catalogue)
    try await catalogue.refresh()
    #expect(try await catalogue.tracks().map(\.title) == ["A Winter's Night"])
  }

  @Test func aSheetBesideTheFileWinsOverItsChapters() async throws {
    let catalogue = try TestCatalogue()
    try await make("book/night.m4b", "aac", [(0, "Snow"), (10_000, "Ice")], in: catalogue)
    let sheet = """
      FILE "night.m4b" WAVE
      TRACK 01 AUDIO
      TITLE "Of the sheet"
      INDEX 01 00:00:00
      TRACK 02 AUDIO
      TITLE "Also"
      INDEX 01 00:05:00
      """
    try catalogue.tree.write(Array(sheet.utf8), to: "book/night.cue")
    try await catalogue.refresh()
    #expect(try await catalogue.tracks().map(\.title) == ["Of the sheet", "Also"])
  }
}

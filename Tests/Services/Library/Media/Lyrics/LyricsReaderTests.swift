import Messages
import Model
import Storage
import TestSupport
import Testing

@testable import Catalogue
@testable import Media
@testable import Records

/// Lyrics of real files, read by the real tag readers.
@Suite(.timeLimit(.minutes(3)))
struct LyricsReaderTests {
  private func read(_ catalogue: TestCatalogue, _ title: String = "Song") async throws -> Library.Lyrics {
    let reader = LyricsReader(
      database: catalogue.database, boundary: FolderBoundary(MusicFolders([catalogue.tree.root])),
      tagReaders: TestCatalogue.tagReaders)
    let tracks = try await catalogue.database.read { try Catalogue.tracks(.init(), randomSeed: 1, $0).items }
    return try await reader.lyrics(of: try #require(tracks.first { $0.title == title }).id)
  }

  private func shown(_ lyrics: Library.Lyrics) -> [String] {
    lyrics.lines.map { line in "\(line.start.map { "\($0.rawValue) " } ?? "")\(line.text)" }
  }

  private func code(_ catalogue: TestCatalogue) async -> String? {
    do { _ = try await read(catalogue) } catch { return LunaraError(error).code }
    return nil
  }

  /// The body of a frame with times: UTF-8, a language, milliseconds, a kind, no description, and the texts.
  private func timedFrame(_ texts: [(String, UInt32)], format: UInt8 = 2, kind: UInt8 = 1) -> [UInt8] {
    [3] + Array("eng".utf8) + [format, kind, 0]
      + texts.flatMap { text, time in
        Array(text.utf8) + [0] + [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: time >> $0) }
      }
  }

  private func mp3(_ catalogue: TestCatalogue, _ binary: [(String, [UInt8])]) throws {
    try catalogue.tree.write(
      ID3Tag.bytes([("TIT2", "Song")], binary: binary) + MP3File.audio(seconds: 5), to: "a/song.mp3")
  }

  private let plainFrame = [3] + Array("deu".utf8) + [0] + Array("Eins\nZwei".utf8)

  @Test func aTrackHasLyricsWhereAFileOfThemLiesBesideIt() async throws {
    let catalogue = try TestCatalogue()
    for name in ["song", "other", "song.live"] { try catalogue.tree.flac("a/\(name).flac", ["TITLE=\(name)"]) }
    func with() async throws -> [String] {
      let tracks = try await catalogue.tracks()
      return try await catalogue.database.read { transaction in
        try tracks.filter { try Catalogue.track(.init(id: $0.id), transaction).hasLyrics == true }.map(\.title)
      }
    }
    try await catalogue.refresh()
    #expect(try await with() == [])
    // Music of this name must lie beside it, and the lyrics have one of these endings.
    for name in ["song.lrc", "nothing.lrc", "other.txt", "ong.lrc"] {
      try catalogue.tree.write(Array("[00:01.00]La".utf8), to: "a/\(name)")
    }
    try await catalogue.refresh()
    #expect(try await with() == ["song"])
    try catalogue.tree.move("a/song.lrc", to: "a/song.live.LRC")
    try await catalogue.refresh()
    #expect(try await with() == ["song.live"])
    try catalogue.tree.remove("a/song.live.LRC")
    try await catalogue.refresh()
    #expect(try await with() == [])
  }

  @Test func framesOfWholeLinesAreRead() async throws {
    let catalogue = try TestCatalogue()
    try mp3(catalogue, [("USLT", plainFrame), ("SYLT", timedFrame([("One", 1500), ("Two", 61_250)]))])
    try await catalogue.refresh()
    let lyrics = try await read(catalogue)
    #expect(shown(lyrics) == ["1500 One", "61250 Two"])
    #expect(lyrics.source == .tags && lyrics.language == "eng")
  }

  @Test func syllablesBecomeLines() async throws {
    let catalogue = try TestCatalogue()
    try mp3(catalogue, [("SYLT", timedFrame([("Stran", 100), ("gers", 300), ("\nin", 900), (" the night", 1200)]))])
    try await catalogue.refresh()
    #expect(shown(try await read(catalogue)) == ["100 Strangers", "900 in the night"])
  }

  @Test func chordsAndCountsOfFramesAreNoLyrics() async throws {
    let catalogue = try TestCatalogue()
    try mp3(
      catalogue,
      [
        ("SYLT", timedFrame([("Am", 100)], kind: 5)), ("SYLT", timedFrame([("No", 100)], format: 1)),
        ("USLT", plainFrame),
      ])
    try await catalogue.refresh()
    let lyrics = try await read(catalogue)
    #expect(shown(lyrics) == ["Eins", "Zwei"])
    #expect(lyrics.language == "deu")
  }

  @Test(arguments: ["LYRICS", "UNSYNCEDLYRICS", "SYNCEDLYRICS", "lyrics"])
  func commentsAreRead(name: String) async throws {
    let catalogue = try TestCatalogue()
    try catalogue.tree.flac("a/song.flac", ["TITLE=Song", "\(name)=[00:02.00]Two\n[00:01.00]One"])
    try await catalogue.refresh()
    #expect(shown(try await read(catalogue)) == ["1000 One", "2000 Two"])
  }

  @Test func timedTagsComeBeforeAFileAndThatBeforePlainTags() async throws {
    let catalogue = try TestCatalogue()
    try catalogue.tree.flac("a/song.flac", ["TITLE=Song", "LYRICS=Plain", "SYNCEDLYRICS=[00:01.00]Timed"])
    try catalogue.tree.write(Array("[00:01.00]Beside".utf8), to: "a/song.lrc")
    try await catalogue.refresh()
    #expect(shown(try await read(catalogue)) == ["1000 Timed"])
    try catalogue.tree.flac("a/song.flac", ["TITLE=Song", "LYRICS=Plain"])
    try await catalogue.refresh()
    let beside = try await read(catalogue)
    #expect(shown(beside) == ["1000 Beside"] && beside.source == .file)
    try catalogue.tree.write(Array("Not timed".utf8), to: "a/song.lrc")
    #expect(shown(try await read(catalogue)) == ["Plain"])
    try catalogue.tree.flac("a/song.flac", ["TITLE=Song"])
    try await catalogue.refresh()
    #expect(shown(try await read(catalogue)) == ["Not timed"])
    try catalogue.tree.remove("a/song.lrc")
    #expect(await code(catalogue) == "library.lyricsMissing")
  }

  @Test func aFileBesideMayHaveOtherEncodings() async throws {
    let catalogue = try TestCatalogue()
    try catalogue.tree.flac("a/song.flac", ["TITLE=Song"])
    try await catalogue.refresh()
    try catalogue.tree.write(Array("[00:01.00]caf".utf8) + [0xE9], to: "a/song.LRC")
    #expect(shown(try await read(catalogue)) == ["1000 café"])
  }

  @Test func filesThatAreTooLargeOrElsewhereAreRefused() async throws {
    let catalogue = try TestCatalogue()
    try catalogue.tree.flac("a/song.flac", ["TITLE=Song"])
    try await catalogue.refresh()
    let outside = TemporaryDirectory()
    try catalogue.tree.write(Array("[00:01.00]secret".utf8), to: Array("\(outside.path)/x.lrc".utf8))
    try catalogue.tree.link("a/song.lrc", to: "\(outside.path)/x.lrc")
    #expect(await code(catalogue) == "library.outsideFolders")
    try catalogue.tree.remove("a/song.lrc")
    try catalogue.tree.write([UInt8](repeating: 65, count: LyricsReader.sizeLimit + 1), to: "a/song.lrc")
    #expect(await code(catalogue) == "library.fileMissing")
  }

  @Test func tracksOfASheetHaveTheirPart() async throws {
    let catalogue = try TestCatalogue()
    try catalogue.tree.flac("a/image.flac", ["TITLE=Image", "ALBUM=X", "ARTIST=A"], seconds: 60)
    let sheet = """
      FILE "image.flac" WAVE
        TRACK 01 AUDIO
          TITLE "First"
          INDEX 01 00:00:00
        TRACK 02 AUDIO
          TITLE "Song"
          INDEX 01 00:20:00
      """
    try catalogue.tree.write(Array(sheet.utf8), to: "a/image.cue")
    try catalogue.tree.write(Array("[00:05.00]One\n[00:21.50]Two".utf8), to: "a/image.lrc")
    try await catalogue.refresh()
    #expect(shown(try await read(catalogue)) == ["1500 Two"])
    #expect(shown(try await read(catalogue, "First")) == ["5000 One"])
  }

  @Test func lyricsOfRareFormatsAreRead() async throws {
    let catalogue = try TestCatalogue()
    let tag = ID3Tag.bytes([("TIT2", "Song")], binary: [("USLT", plainFrame)])
    try catalogue.tree.write(RareFiles.dsf(blocks: 200, tag: tag), to: "song.dsf")
    try await catalogue.refresh()
    #expect(shown(try await read(catalogue)) == ["Eins", "Zwei"])
  }
}

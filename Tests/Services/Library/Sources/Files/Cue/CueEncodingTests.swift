import Messages
import Model
import Storage
import Testing

@testable import Catalogue
@testable import Media
@testable import Records
@testable import Sources

/// CUE sheets and LRC files in the encodings of other times and places.
@Suite(.timeLimit(.minutes(2)))
struct CueEncodingTests {
  /// A sheet in Windows-1251: `Группа крови`, `Закрой за мной дверь` and `Кино`, as Latin-1 shows them.
  private static let titles = ["Ãðóïïà êðîâè", "Çàêðîé çà ìíîé äâåðü"]

  private func latin1(_ text: String) -> [UInt8] { text.unicodeScalars.map { UInt8($0.value) } }

  private func sheet(_ titles: [String] = titles, performer: String = "Êèíî", file: String = "image.flac") -> [UInt8] {
    var text = "PERFORMER \"\(performer)\"\r\nTITLE \"\(titles[0])\"\r\nFILE \"\(file)\" WAVE\r\n"
    for (index, title) in titles.enumerated() {
      text += "TRACK 0\(index + 1) AUDIO\r\nTITLE \"\(title)\"\r\nINDEX 01 0\(index * 3):00:00\r\n"
    }
    return latin1(text)
  }

  private func catalogue(_ sheet: [UInt8]) async throws -> TestCatalogue {
    let catalogue = try TestCatalogue()
    try catalogue.tree.flac("ru/image.flac", [], seconds: 600, quality: .init(digest: 5))
    try catalogue.tree.write(sheet, to: "ru/image.cue")
    try await catalogue.refresh()
    return catalogue
  }

  private func adopt(_ text: String?, _ catalogue: TestCatalogue) async throws -> TagReaders {
    let settings = try TagSettings { $0 == TagSettings.encoding ? text : nil }
    try await catalogue.database.write { try Catalogue.adopt(settings, $0) }
    return TagReaders(encodings: settings.encodings)
  }

  private func encodingProblems(_ catalogue: TestCatalogue) async throws -> [Library.Problem] {
    try await catalogue.database.read { try Catalogue.problems(.init(only: .encoding), $0).items }
  }

  @Test func theSettingGivesTheLettersThatWereMeant() async throws {
    let catalogue = try await catalogue(sheet())
    let before = try await catalogue.tracks()
    #expect(before.map(\.title) == Self.titles)
    let problem = try #require(try await encodingProblems(catalogue).first)
    #expect(problem.path?.description.hasSuffix("ru/image.cue") == true)
    #expect(problem.problem.code == "library.fileEncoding" && problem.problem.message.contains("cp1251"))
    // The guess stays listed while nothing changes, and is not read again.
    #expect(try await catalogue.refresh() == [0, 0, 2, 0])
    #expect(try await encodingProblems(catalogue).count == 1)

    let folder = LocalPath(bytes: catalogue.tree.path("ru")).description
    let readers = try await adopt("cp1251=\(folder)", catalogue)
    #expect(try await catalogue.refresh(tagReaders: readers) == [0, 2, 0, 0])
    let after = try await catalogue.tracks()
    #expect(after.map(\.title) == ["Группа крови", "Закрой за мной дверь"] && after.map(\.id) == before.map(\.id))
    #expect(after.map(\.artist) == ["Кино", "Кино"])
    #expect(try await encodingProblems(catalogue).isEmpty)
    _ = try await adopt(nil, catalogue)
    try await catalogue.refresh()
    #expect(try await catalogue.tracks().map(\.title) == Self.titles)
    try await catalogue.expectWholeIndex()
  }

  @Test func bytesThatAreNotValidInTheSettingStayWindows1252() async throws {
    let catalogue = try TestCatalogue()
    try catalogue.tree.flac("jp/image.flac", [], seconds: 600)
    try catalogue.tree.write(sheet(["Caf\u{E9}", "\u{96} \u{C9}t\u{E9}"]), to: "jp/image.cue")
    let readers = try await adopt("utf-8", catalogue)
    try await catalogue.refresh(tagReaders: readers)
    #expect(try await catalogue.tracks().map(\.title) == ["Café", "– Été"])
    #expect(try await catalogue.problems() == [])
  }

  @Test func aSheetThatNamesItsFilesInAnotherEncodingSaysSo() async throws {
    let catalogue = try await catalogue(sheet(file: "Çàêðîé.flac"))
    #expect(try await catalogue.tracks().count == 2, "the only file is that of the sheet")
    try catalogue.tree.flac("ru/other.flac", [], seconds: 60)
    try await catalogue.refresh()
    let problems = try await catalogue.database.read { try Catalogue.problems(.init(only: .cue), $0).items }
    #expect(problems.map { $0.problem.message.contains("cp1251") } == [true])
    try catalogue.tree.move("ru/image.flac", to: "ru/Закрой.flac")
    let readers = try await adopt("cp1251", catalogue)
    try await catalogue.refresh(tagReaders: readers)
    #expect(try await catalogue.tracks().map(\.title).contains("Группа крови"))
  }

  /// Each file of a sheet may show its fault, and so may the encoding: one row is stored.
  @Test func severalFaultsOfASheetAreOneProblem() async throws {
    let catalogue = try TestCatalogue()
    var text = "TITLE \"\(Self.titles[1])\"\n"
    for (index, file) in ["a", "b"].enumerated() {
      try catalogue.tree.flac("lp/\(file).flac", ["TITLE=\(file)"], seconds: 30)
      text += "FILE \(file).flac WAVE\nTRACK 0\(2 * index + 1) AUDIO\nINDEX 01 00:00:00\n"
      text += "TRACK 0\(2 * index + 2) AUDIO\nINDEX 01 02:00:00\n"
    }
    try catalogue.tree.write(latin1(text), to: "lp/lp.cue")
    try await catalogue.refresh()
    #expect(try await catalogue.problems() == ["library.cueBroken"])
    #expect(try await catalogue.tracks().map(\.title).sorted() == ["a", "b"])
  }

  @Test(arguments: [
    ("Ãðóïïà êðîâè", "cp1251"), ("\u{82}\u{B3}\u{82}\u{AD}\u{82}\u{E7}\u{82}\u{B3}\u{82}\u{AD}", "shift-jis"),
    ("Für Elise und die Glückliche", nil), ("plain", nil),
  ])
  func theEncodingIsOffered(_ title: String, _ encoding: String?) {
    let bytes = sheet([title, title], performer: "X")
    #expect(CueText.likelyEncoding(of: bytes) == encoding)
    if let encoding { #expect(CueText.likelyEncoding(of: bytes, encoding: encoding) == nil) }
    #expect(CueText.likelyEncoding(of: [0xEF, 0xBB, 0xBF] + bytes) == nil)
  }

  @Test func lyricsBesideAFileFollowTheSetting() async throws {
    let catalogue = try TestCatalogue()
    try catalogue.tree.flac("ru/song.flac", ["TITLE=Song"])
    try catalogue.tree.write(latin1("[00:01.00]\(Self.titles[0])"), to: "ru/song.lrc")
    let readers = try await adopt("cp1251", catalogue)
    try await catalogue.refresh(tagReaders: readers)
    let reader = LyricsReader(
      database: catalogue.database, boundary: FolderBoundary(MusicFolders([catalogue.tree.root])),
      tagReaders: readers)
    #expect(try await reader.lyrics(of: try await catalogue.track("Song").id).lines.map(\.text) == ["Группа крови"])
  }
}

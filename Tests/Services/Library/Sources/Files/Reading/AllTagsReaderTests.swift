import Messages
import Model
import Storage
import TestSupport
import Testing

@testable import Catalogue
@testable import Records
@testable import Sources

/// All tags of real files, read by the real tag readers.
@Suite(.timeLimit(.minutes(3)))
struct AllTagsReaderTests {
  private func read(_ catalogue: TestCatalogue) async throws -> Library.TrackTags {
    try await catalogue.refresh()
    let reader = AllTagsReader(database: catalogue.database, tagReaders: TestCatalogue.tagReaders)
    let tracks = try await catalogue.database.read { try Catalogue.tracks(.init(), randomSeed: 1, $0).items }
    return try await reader.tags(of: try #require(tracks.first).id)
  }

  private func shown(_ tags: Library.TrackTags) -> [String] {
    tags.tags.map { tag in
      "\(tag.kind) \(tag.name)=\(tag.value)" + (tag.length.map { " [\($0)]" } ?? "")
    }
  }

  @Test func framesAreNamedAsTheyStandInTheFile() async throws {
    let catalogue = try TestCatalogue()
    let picture: [UInt8] = [3] + Array("image/png".utf8) + [0, 3, 0] + [1, 2, 3, 4]
    let id3v1 = Array("TAGOld".utf8) + [UInt8](repeating: 0, count: 121) + [255]
    try catalogue.tree.write(
      ID3Tag.bytes(
        [("TIT2", "Song"), ("TPE1", "One\u{0}Two")],
        binary: [
          ("TXXX", [3] + Array("MY OWN".utf8) + [0] + Array("x".utf8)), ("APIC", picture),
          ("PRIV", Array("me".utf8) + [0, 1, 2, 3]),
        ]) + MP3File.audio(seconds: 2) + APETag.bytes(text: [("Weather", "Rain")]) + id3v1, to: "a/song.mp3")
    let tags = try await read(catalogue)
    let found = shown(tags)
    #expect(found.contains("ID3v2.4 TIT2=Song"))
    #expect(found.contains("ID3v2.4 TPE1=One") && found.contains("ID3v2.4 TPE1=Two"))
    #expect(found.contains("ID3v2.4 TXXX:MY OWN=x"))
    #expect(found.contains("ID3v2.4 APIC=image/png [4]"))
    #expect(found.contains("ID3v2.4 PRIV:me= [3]"))
    #expect(found.contains("APE WEATHER=Rain") || found.contains("APE Weather=Rain"))
    #expect(found.contains("ID3v1 title=Old"))
    #expect(tags.path.bytes == catalogue.tree.path("a/song.mp3") && tags.omitted == nil)
  }

  @Test func commentsThatLunaraDoesNotUseAreShown() async throws {
    let catalogue = try TestCatalogue()
    try catalogue.tree.flac("a/song.flac", ["TITLE=Song", "WEATHER=Rain", "LYRICS=la\nla"])
    let found = shown(try await read(catalogue))
    #expect(found.contains("Vorbis WEATHER=Rain") && found.contains("Vorbis LYRICS=la\nla"))
  }

  @Test func longValuesAreCutAndManyAreLeftOut() async throws {
    let catalogue = try TestCatalogue()
    let long = String(repeating: "é", count: 3000)
    try catalogue.tree.flac("a/song.flac", ["TITLE=Song"] + (0..<40).map { "C\(10 + $0)=\(long)" })
    let tags = try await read(catalogue)
    let cut = try #require(tags.tags.first { $0.name == "C10" })
    #expect(cut.value == String(repeating: "é", count: 2048) && cut.length == 6000)
    #expect(tags.tags.count + (tags.omitted ?? 0) == 41 && tags.omitted ?? 0 > 20)
  }

  @Test func formatsThatOnlyLibavformatKnowsHaveTheNameOfTheirFormat() async throws {
    let catalogue = try TestCatalogue()
    try catalogue.tree.write(RareFiles.dsf(blocks: 40, tag: ID3Tag.bytes([("TIT2", "Song")])), to: "a/song.dsf")
    let tags = try await read(catalogue)
    let title = try #require(tags.tags.first { $0.value == "Song" })
    #expect(!title.kind.isEmpty && !title.name.isEmpty)
  }

  /// Files that are changed at random places do not end the reader.
  @Test(arguments: ["a.mp3", "a.flac", "a.m4a", "a.wma", "a.wv", "a.ogg", "a.wav", "a.aiff", "a.mka"])
  func changedFilesDoNotBreakTheReader(name: String) async throws {
    let tree = try MusicTree()
    let path = String(decoding: tree.path(name), as: UTF8.self)
    try await FFmpeg.sine(path, ["-metadata", "title=Song", "-metadata", "track=1/2", "-metadata", "comment=é"])
    let whole = try tree.bytes(of: name)
    var random = Seeded(7)
    for _ in 0..<60 {
      var bytes = whole
      for _ in 0..<Int.random(in: 1...12, using: &random) {
        let place = Int.random(in: 0..<min(bytes.count, 2000), using: &random)
        bytes[Bool.random(using: &random) ? place : bytes.count - 1 - place] = UInt8.random(in: 0...255, using: &random)
      }
      try tree.write(bytes, to: name)
      if case .failure(.breaksReader(let cause)) = try TestCatalogue.tagReaders.allTags(in: try tree.open(name)) {
        Issue.record("\(name) broke the reader: \(cause)")
      }
    }
  }

  @Test func aFileThatIsGoneIsNamed() async throws {
    let catalogue = try TestCatalogue()
    try catalogue.tree.flac("a/song.flac", ["TITLE=Song"])
    _ = try await read(catalogue)
    try catalogue.tree.remove("a/song.flac")
    let reader = AllTagsReader(database: catalogue.database, tagReaders: TestCatalogue.tagReaders)
    let tracks = try await catalogue.database.read { try Catalogue.tracks(.init(), randomSeed: 1, $0).items }
    let id = try #require(tracks.first).id
    await #expect { _ = try await reader.tags(of: id) } throws: { LunaraError($0).code == "library.fileMissing" }
  }
}

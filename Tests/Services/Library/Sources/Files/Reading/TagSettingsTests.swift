import Messages
import Model
import MusicTags
import Storage
import TestSupport
import Testing

@testable import Catalogue
@testable import Records
@testable import Sources

/// The separators of names, and the encoding of old tags, can be set.
@Suite(.timeLimit(.minutes(2)))
struct TagSettingsTests {
  private func settings(_ values: [String: String]) throws -> TagSettings { try TagSettings { values[$0] } }

  private func artists(_ value: String, _ settings: TagSettings) -> [String] {
    FileMetadata(FileTags([("ARTIST", value)]), folder: [], name: [], settings.rules).artists.map(\.name)
  }

  private func genres(_ value: String, _ settings: TagSettings) -> [String] { settings.rules.genres.words(in: [value]) }

  @Test func separatorsOfTheSettingsReplaceTheUsualOnes() throws {
    let set = try settings([
      TagSettings.artists: ";|with| & |\\|", TagSettings.genres: "+|>", TagSettings.names: "Simon & Garfunkel",
    ])
    #expect(artists("A with B;C & D|E", set) == ["A", "B", "C", "D", "E"])
    #expect(artists("A (with B)", set) == ["A", "B"])
    #expect(artists("A feat. B", set) == ["A feat. B"])
    #expect(artists("Simon & Garfunkel & C", set) == ["Simon & Garfunkel", "C"])
    #expect(genres("Rock>Prog, Art; Folk", set) == ["Rock", "Prog", "Art", "Folk"])
    // The usual names are no longer kept, except with +.
    #expect(genres("Folk, World, & Country", set) == ["Folk", "World", "& Country"])
    let more = try settings([TagSettings.names: "+|A; B"])
    #expect(genres("Folk, World, & Country", more) == ["Folk, World, & Country"])
    #expect(artists("A; B; C", more) == ["A; B", "C"])
    #expect(try settings([:]).rules === TagRules.default)
  }

  @Test(arguments: [
    (TagSettings.artists, ";||/", "empty"), (TagSettings.genres, "", "empty"), (TagSettings.names, "A| ", "empty"),
    (TagSettings.encoding, "klingon", "no known encoding"), (TagSettings.encoding, "cp1251|", "empty"),
    (TagSettings.encoding, "iso-2022-jp", "no known encoding"),
    (TagSettings.encoding, "cp1251=music", "no absolute path"),
  ])
  func badSettingsAreRefused(_ name: String, _ value: String, _ reason: String) {
    #expect { try settings([name: value]) } throws: { error in
      let error = LunaraError(error)
      return error.code == "settings.badList" && error.message.contains(name) && error.message.contains(reason)
    }
  }

  @Test func theEncodingOfTheDeepestFolderCounts() throws {
    let set = try settings([TagSettings.encoding: "Windows-1251|sjis=/m/Japan/|koi8_r=/m/Japan/Kino|cp1251=/n"])
      .encodings
    #expect(set.arguments == ["--encodings", "CP1251", "CP932", "KOI8-R"])
    func number(_ path: String) -> UInt8 { set.number(at: Array(path.utf8)) }
    #expect(
      [number("/m"), number("/m/Japan"), number("/m/Japan/Kino/1"), number("/m/Japanese"), number("/n/x")] == [
        1, 2, 3, 1, 1,
      ])
    let only = try settings([TagSettings.encoding: "big5=/m/China"]).encodings
    #expect(only.number(at: Array("/m".utf8)) == 0 && TagEncodings().arguments.isEmpty)
  }

  @Test func otherListsSplitAllFilesAnewAtTheNextScan() async throws {
    let catalogue = try TestCatalogue()
    try catalogue.tree.flac("x/1.flac", ["TITLE=One", "ALBUM=X", "ARTIST=A with B", "GENRE=Rock, Pop"])
    try await catalogue.refresh()
    #expect(try await catalogue.artists().map(\.name) == ["A with B"])
    let before = try await catalogue.tracks().map(\.id)
    let whole = try #require(try await catalogue.artists().first).id
    func resolved() async throws -> CatalogueID? {
      try await catalogue.database.read { try Catalogue.resolve(whole, $0) }
    }
    func adopt(_ values: [String: String]) async throws {
      let set = try settings(values)
      try await catalogue.database.write { try Catalogue.adopt(set, $0) }
    }
    try await adopt([TagSettings.artists: "with", TagSettings.genres: ";"])
    #expect(try await catalogue.refresh() == [0, 1, 0, 0])
    // As with `feat.`, the album is that of the first one, and the other one is credited.
    let artist = try #require(try await catalogue.artists().first)
    #expect(try await catalogue.artists().map(\.name) == ["A"])
    #expect(try await catalogue.search("b").artists.map(\.name) == ["B"])
    // The id of both means the first one.
    #expect(try await resolved() == CatalogueID(artist.id))
    #expect(try await catalogue.tracks().map(\.genres) == [["Rock, Pop"]])
    #expect(try await catalogue.tracks().map(\.id) == before)
    // The same settings read nothing again.
    try await adopt([TagSettings.artists: "with", TagSettings.genres: ";"])
    #expect(try await catalogue.refresh() == [0, 0, 1, 0])
    try await adopt([:])
    #expect(try await catalogue.refresh() == [0, 1, 0, 0])
    #expect(try await catalogue.artists().map(\.name) == ["A with B"])
    // Neither A nor the former row is there any more.
    #expect(try await resolved() == nil)
    try await catalogue.expectWholeIndex()
  }
}

/// Tags that claim to be Latin-1 are read in the encoding of the settings, and listed without one.
@Suite(.timeLimit(.minutes(2)))
struct TagEncodingTests {
  /// Latin-1 of the bytes of `Группа крови` in Windows-1251.
  private static let blood = "Ãðóïïà êðîâè"

  private func latin1(_ text: String) -> [UInt8] { text.unicodeScalars.map { UInt8($0.value) } }

  private func tag(_ frames: [(String, String)]) -> [UInt8] {
    ID3Tag.bytes([], binary: frames.map { ($0, [0] + latin1($1)) })
  }

  /// A tag of ID3v1, whose fields are cut at their lengths.
  private func id3v1(title: [UInt8], artist: [UInt8]) -> [UInt8] {
    func field(_ bytes: [UInt8], _ length: Int) -> [UInt8] {
      Array((bytes + [UInt8](repeating: 0, count: length)).prefix(length))
    }
    return Array("TAG".utf8) + field(title, 30) + field(artist, 30) + field([], 30) + field([], 4) + field([], 30) + [
      255
    ]
  }

  private func sound(_ tree: MusicTree) async throws -> [UInt8] {
    let path = LocalPath(bytes: tree.path("plain.mp3")).description
    try await FFmpeg.sine(path, ["-map_metadata", "-1", "-id3v2_version", "0", "-write_id3v1", "0"])
    defer { #expect(throws: Never.self) { try tree.remove("plain.mp3") } }
    return try tree.bytes(of: "plain.mp3")
  }

  @Test func theSettingGivesTheLettersThatWereMeant() async throws {
    let catalogue = try TestCatalogue()
    let tree = catalogue.tree
    let sound = try await sound(tree)
    try tree.write(tag([("TIT2", Self.blood), ("TPE1", "Êèíî"), ("TALB", Self.blood)]) + sound, to: "ru/1.mp3")
    try tree.write(sound + id3v1(title: latin1(Self.blood), artist: latin1("Êèíî")), to: "ru/2.mp3")
    // さくら in Shift-JIS, of which the last character was cut; and text that is not valid in that encoding.
    let sakura: [UInt8] = [0x82, 0xB3, 0x82, 0xAD, 0x82, 0xE7, 0x82]
    try tree.write(sound + id3v1(title: sakura, artist: [0x41, 0xA0, 0xFF]), to: "jp/1.mp3")
    try tree.write(ID3Tag.bytes([("TIT2", "Привет")]) + sound, to: "jp/2.mp3")
    try await catalogue.refresh()
    func titles() async throws -> Set<String> { Set(try await catalogue.tracks().map(\.title)) }
    #expect(try await titles().contains(Self.blood))
    #expect(try await catalogue.problems().filter { $0 == "library.fileEncoding" }.count == 3)
    let problems = try await catalogue.database.read { try Catalogue.problems(.init(only: .encoding), $0) }
    let message = try #require(
      problems.items.first { $0.path?.description.hasSuffix("ru/1.mp3") == true }?.problem.message)
    #expect(message.contains("cp1251") && message.contains("LUNARA_TAG_ENCODING"))
    #expect(problems.items.contains { $0.problem.message.contains("shift-jis") })

    let japan = LocalPath(bytes: tree.path("jp")).description
    let text = "cp1251|shift-jis=\(japan)"
    let settings = try TagSettings { $0 == TagSettings.encoding ? text : nil }
    try await catalogue.database.write { try Catalogue.adopt(settings, $0) }
    let readers = TagReaders(encodings: settings.encodings)
    // The file in UTF-8 is not read again.
    #expect(try await catalogue.refresh(tagReaders: readers) == [0, 3, 1, 0])
    #expect(try await titles() == ["Группа крови", "さくら", "Привет"])
    let artists = try await catalogue.artists().map(\.name)
    #expect(artists.contains("Кино") && artists.contains { $0.contains("ÿ") })
    #expect(try await catalogue.problems().filter { $0 == "library.fileEncoding" } == [])
  }

  @Test func encodingsWithoutAConverterAreNoticed() throws {
    for name in TagEncodings.names.keys.sorted() {
      let tree = try MusicTree()
      try tree.flac("a.flac", ["TITLE=x"])
      let readers = TagReaders(encodings: TagEncodings(rules: [.init(encoding: name, folder: nil)]))
      #expect(try readers.tags(of: [tree.open("a.flac")]).count == 1, "\(name)")
    }
  }
}

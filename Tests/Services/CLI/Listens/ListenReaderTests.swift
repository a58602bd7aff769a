import FoundationEssentials
import Messages
import Model
import TestSupport
import Testing

@testable import lunara

/// The exports that people have, as those services and programs write them.
struct ListenReaderTests {
  private let folder = TemporaryDirectory()

  /// Returns the listens of a text as `time artist / title / album`, read in parts of a few bytes.
  private func listens(_ text: String) throws -> (found: [String], leftOut: Int) {
    var reader = try ListenReader(
      .init(name: "x") {
        var rest = Array(text.utf8)[...]
        return {
          defer { rest = rest.dropFirst(7) }
          return Array(rest.prefix(7))
        }
      })
    return (try Self.texts(&reader), reader.leftOut.count)
  }

  private static func texts(_ reader: inout ListenReader) throws -> [String] {
    var found: [String] = []
    while let listens = try reader.next() {
      found += listens.map { "\($0.startedAt.seconds) \($0.artist) / \($0.title) / \($0.album ?? "-")" }
    }
    return found
  }

  private static let listenBrainz = #"""
    {"listened_at":1600000000,"user_name":"ann","track_metadata":{"artist_name":"Ada","track_name":"T","release_name":"X",
    "additional_info":{"duration_ms":200000,"artists":[{"name":"Ada"}]},"mbid_mapping":{"recording_mbid":"r"}}}
    """#.replacing("\n", with: "")

  @Test func linesAndListsOfListenBrainzAreRead() throws {
    let one = "1600000000 Ada / T / X"
    #expect(try listens(Self.listenBrainz + "\n" + Self.listenBrainz + "\n").found == [one, one])
    #expect(try listens("[\(Self.listenBrainz), \(Self.listenBrainz)]").found == [one, one])
    #expect(try listens("\u{FEFF}" + Self.listenBrainz).found == [one])
    #expect(try listens(#"{"payload":{"count":1,"listens":[\#(Self.listenBrainz)]}}"#).found == [one])
    var scanner = ListenJSONScanner()
    let listen = try #require(scanner.listens(in: Array(Self.listenBrainz.utf8)).first)
    #expect(listen.duration == Milliseconds(200_000) && listen.recordingID == "r")
  }

  @Test func exportsOfMalojaAreRead() throws {
    let text = #"""
      {"maloja":{"export_time":1700000000},"scrobbles":[
        {"time":1600000000,"track":{"artists":["Ada","Bo"],"title":"T","album":{"artists":["Ada"],"albumtitle":"X"},
          "length":200},"duration":null,"origin":"client:x"},
        {"time":1600000300,"track":{"artists":["Ada"],"title":"U","album":null,"length":null},"duration":null}]}
      """#
    #expect(try listens(text).found == ["1600000000 Ada, Bo / T / X", "1600000300 Ada / U / -"])
  }

  @Test func exportsOfLastFMAreRead() throws {
    // As the API answers, in pages, with the track that is playing.
    let pages = #"""
      [{"track":[{"artist":{"mbid":"","#text":"Ada"},"name":"T","album":{"#text":"X"},"image":[{"size":"s","#text":"u"}],
        "date":{"uts":"1600000000","#text":"13 Sep 2020, 12:26"}},
        {"artist":{"name":"Ada"},"name":"U","album":{"#text":""},"@attr":{"nowplaying":"true"}}],"@attr":{"page":"1"}}]
      """#
    #expect(try listens(pages).found == ["1600000000 Ada / T / X"])
    #expect(try listens(pages).leftOut == 0)
    let statistics = #"""
      {"username":"ann","scrobbles":[{"track":"T","artist":"Ada","album":"X","albumId":"1","date":1600000000000}]}
      """#
    #expect(try listens(statistics).found == ["1600000000 Ada / T / X"])
  }

  @Test(arguments: [
    "uts,utc_time,artist,artist_mbid,album,album_mbid,track,track_mbid\r\n"
      + "\"1600000000\",\"13 Sep 2020, 12:26\",\"Ada\",\"\",\"X\",\"\",\"T\",\"\"\r\n",
    "Artist;Album;AlbumId;Track;Date#ann\n\"Ada\";\"X\";\"1\";\"T\";\"1600000000000\"\n",
    "Ada,X,T,13 Sep 2020 12:26:40",
    "artist\talbum\ttitle\ttimestamp\nAda\tX\tT\t2020-09-13 12:26:40\n",
  ]) func tablesAreReadWhateverSeparatesTheirColumns(text: String) throws {
    #expect(try listens(text).found == ["1600000000 Ada / T / X"])
  }

  @Test func fieldsInQuotesMayHaveSeparatorsQuotesAndLines() throws {
    let text = "artist,track,date\n\"Earth, Wind\",\"a \"\"b\"\"\nc\",1600000000\n"
    #expect(try listens(text).found == ["1600000000 Earth, Wind / a \"b\"\nc / -"])
  }

  @Test func whatHasNoTimeOrNameIsLeftOutAndTheRestIsRead() throws {
    let bad = #"{"listened_at":17}"# + "\nnonsense }\n" + Self.listenBrainz.replacing("\"Ada\"", with: "\"\"") + "\n"
    let (found, leftOut) = try listens(bad + Self.listenBrainz)
    #expect(found == ["1600000000 Ada / T / X"] && leftOut == 3)
    let table = try listens("artist,track,uts\nAda,T,0\nAda,T,1600000000\nAda,,1600000000\nAda,T,soon")
    #expect(table.found.count == 1 && table.leftOut == 3)
  }

  @Test(
    arguments: [
      ("1600000000", 1_600_000_000), ("13 Sep 2020, 12:26", 1_599_999_960), ("2020-09-13T12:26:40Z", 1_600_000_000),
      ("2020-09-13 12:26:40.5", 1_600_000_000), ("yesterday", nil), ("13 Sept 2020", nil), ("2020-13-01 12:00", nil),
      ("2020-09-13T12:26:40+02:00", nil),
    ] as [(String, Int64?)]) func timesAreReadInUTC(text: String, seconds: Int64?)
  {
    #expect(ListenTime.seconds(text) == seconds)
  }

  /// An archive made by Python's `zipfile`: `listens/2020/1.jsonl` packed, `listens/2020/2.jsonl` not packed, each with
  /// one listen, and `feedback.jsonl`.
  static let archive = """
    UEsDBBQAAAAIAAAAIVwaoXqnQwAAAFMAAAAUAAAAbGlzdGVucy8yMDIwLzEuanNvbmyrVsrJLC5JzUtNiU8sUbIyNDOAAh2lkqLE5Oz43NSSxJ\
    TEkkQlq2qlxKISoOL4vMTcVCUrJceURCWYKqhQiFJtLRcAUEsDBBQAAAAAAAAAIVzrX00cUwAAAFMAAAAUAAAAbGlzdGVucy8yMDIwLzIuanNv\
    bmx7Imxpc3RlbmVkX2F0IjoxNjAwMDAwMzAwLCJ0cmFja19tZXRhZGF0YSI6eyJhcnRpc3RfbmFtZSI6IkFkYSIsInRyYWNrX25hbWUiOiJVIn\
    19ClBLAwQUAAAAAAAAACFcP9r/+FMAAABTAAAADgAAAGZlZWRiYWNrLmpzb25seyJsaXN0ZW5lZF9hdCI6MTYwMDAwMDkwMCwidHJhY2tfbWV0\
    YWRhdGEiOnsiYXJ0aXN0X25hbWUiOiJBZGEiLCJ0cmFja19uYW1lIjoiViJ9fQpQSwECFAMUAAAACAAAACFcGqF6p0MAAABTAAAAFAAAAAAAAA\
    AAAAAAgAEAAAAAbGlzdGVucy8yMDIwLzEuanNvbmxQSwECFAMUAAAAAAAAACFc619NHFMAAABTAAAAFAAAAAAAAAAAAAAAgAF1AAAAbGlzdGVu\
    cy8yMDIwLzIuanNvbmxQSwECFAMUAAAAAAAAACFcP9r/+FMAAABTAAAADgAAAAAAAAAAAAAAgAH6AAAAZmVlZGJhY2suanNvbmxQSwUGAAAAAA\
    MAAwDAAAAAeQEAAAAA
    """

  private func read(_ path: String) throws -> [String] {
    try ListenExport(path).files.flatMap { file in
      var reader = try ListenReader(file)
      return try Self.texts(&reader)
    }
  }

  @Test func theArchiveOfListenBrainzIsReadAsItIs() throws {
    let bytes = try #require(Data(base64Encoded: Self.archive))
    try bytes.write(to: URL(filePath: "\(folder.path)/a.zip"))
    #expect(try read("\(folder.path)/a.zip") == ["1600000000 Ada / T / -", "1600000300 Ada / U / -"])
  }

  @Test func aDamagedArchiveIsNamed() throws {
    var bytes = Array(try #require(Data(base64Encoded: Self.archive)))
    for place in stride(from: 30, to: bytes.count, by: 3) {
      bytes[place] ^= 0x5A
      try Data(bytes).write(to: URL(filePath: "\(folder.path)/b.zip"))
      do { _ = try read("\(folder.path)/b.zip") } catch let error as LunaraError {
        #expect(error.code == "cli.badListenFile")
      }
    }
    try Data(bytes.prefix(60)).write(to: URL(filePath: "\(folder.path)/c.zip"))
    #expect(throws: LunaraError.self) { try read("\(folder.path)/c.zip") }
  }

  @Test func ofAFolderOnlyThoseOfListensAreRead() throws {
    for name in ["listens/2020", "listens/2021"] {
      try FileManager.default.createDirectory(atPath: "\(folder.path)/\(name)", withIntermediateDirectories: true)
    }
    for name in ["listens/2020/9.jsonl", "listens/2021/1.jsonl", "feedback.jsonl"] {
      try Self.listenBrainz.write(toFile: "\(folder.path)/\(name)", atomically: false, encoding: .utf8)
    }
    #expect(try read(folder.path) == ["1600000000 Ada / T / X", "1600000000 Ada / T / X"])
  }
}

import Model
import Testing

@testable import ListFiles

/// Reading of list files as programs write them.
@Suite struct ListFileReadingTests {
  private func read(_ text: String, _ name: String = "list.m3u") throws -> ListFile {
    try ListFile(Array(text.utf8), name: name)
  }

  @Test func onlyTheDiskTellsCommentsAndFoldersFromFiles() throws {
    let text = "#EXTM3U\n#EXTINF:40,A - B\n#1 Hits/one.flac\n#old/two.flac\n# a comment\nSub/\nPercent\nthree.flac\n"
    let disk: [String: ListFile.Named] = [
      "#1 Hits/one.flac": .file, "# a comment": .file, "Sub/": .folder(["a.flac", "b.mp3"]), "Percent": .folder([]),
    ]
    let list = try ListFile(Array(text.utf8), name: "x.m3u") { disk[$0] }
    #expect(list.tracks.map(\.location) == ["#1 Hits/one.flac", "Sub/a.flac", "Sub/b.mp3", "three.flac"])
    #expect(list.tracks.map(\.title) == ["B", "", "", ""])
    #expect(try read(text, "x.m3u").tracks.map(\.location) == ["Sub/", "Percent", "three.flac"])
  }

  @Test func anM3UFileWithoutAHeaderIsAListOfPaths() throws {
    let list = try read("a/b.flac\r\n# a remark\r\n\r\nc.mp3\n")
    #expect(list.tracks.map(\.location) == ["a/b.flac", "c.mp3"])
    #expect(list.title == nil && list.problems.isEmpty)
  }

  @Test func extendedLinesDescribeTheNextEntryOnly() throws {
    let list = try read(
      """
      #EXTM3U
      #PLAYLIST: Slow Sunday
      #EXTINF:215 tvg-id="a,b",Amber Vale - Harbour, at Night
      #EXTALB:Tides
      a.flac
      #extinf:-1,Only a title
      b.flac
      c.flac
      """)
    #expect(list.title == "Slow Sunday")
    #expect(
      list.tracks == [
        DescribedTrack(
          title: "Harbour, at Night", artist: "Amber Vale", album: "Tides", duration: Milliseconds(215_000),
          location: "a.flac"),
        DescribedTrack(title: "Only a title", artist: "", location: "b.flac"),
        DescribedTrack(title: "", artist: "", location: "c.flac"),
      ])
  }

  @Test func linesMayEndWithASingleCarriageReturn() throws {
    #expect(try read("#EXTM3U\ra.mp3\rb.mp3\r").tracks.map(\.location) == ["a.mp3", "b.mp3"])
  }

  @Test func textThatIsNoUnicodeIsWindows1252() throws {
    let list = try ListFile(Array("Bj".utf8) + [0xF6] + Array("rk.mp3".utf8), name: "old.m3u")
    #expect(list.tracks.map(\.location) == ["Björk.mp3"])
  }

  @Test func utf16WithAMarkIsRead() throws {
    var bytes: [UInt8] = [0xFF, 0xFE]
    for unit in "#EXTM3U\r\nBjörk.mp3\r\n".utf16 { bytes += [UInt8(unit & 0xFF), UInt8(unit >> 8)] }
    #expect(try ListFile(bytes, name: "x").tracks.map(\.location) == ["Björk.mp3"])
  }

  @Test func aListInAListIsReportedAndNotFollowed() throws {
    let list = try read("#EXTM3U\nother.m3u8\na.mp3\n")
    #expect(list.tracks.map(\.location) == ["a.mp3"])
    #expect(list.problems.map(\.place) == [2])
  }

  @Test func plsEntriesAreInTheOrderOfTheirNumbers() throws {
    let list = try read(
      "[playlist]\nFile2=b.mp3\nTitle2=One - Two\nLength2=61\nFile1=a.mp3\nLength1=-1\nNumberOfEntries=2\nVersion=2\n",
      "x.pls")
    #expect(list.tracks.map(\.location) == ["a.mp3", "b.mp3"])
    #expect(list.tracks[1].artist == "One" && list.tracks[1].title == "Two")
    #expect(list.tracks.map(\.duration) == [nil, Milliseconds(61_000)])
  }

  @Test func xspfHasURIsAndIdentifiers() throws {
    let list = try read(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <playlist version="1" xmlns="http://xspf.org/ns/0/"><title>Tides &amp; more</title>
      <trackList><track><location>a%20b/c%2Bd.flac</location><location>http://x.example/y</location>
      <identifier>https://musicbrainz.org/recording/6D9B2C9F-5F1A-4C5D-9E0B-1C2D3E4F5A6B</identifier>
      <identifier>urn:isrc:GB-AYE-68-00001</identifier><creator>Amber Vale</creator><title>Harbour</title>
      <album>Tides</album><duration>215500</duration><meta rel="x"><title>no</title></meta></track>
      <track><location>file:///m/a%20b.flac</location></track></trackList></playlist>
      """, "x.xspf")
    #expect(list.title == "Tides & more")
    #expect(
      list.tracks == [
        DescribedTrack(
          title: "Harbour", artist: "Amber Vale", album: "Tides", duration: Milliseconds(215_500), isrc: "GBAYE6800001",
          recordingID: "6d9b2c9f-5f1a-4c5d-9e0b-1c2d3e4f5a6b", location: "a b/c+d.flac"),
        DescribedTrack(title: "", artist: "", location: "file:///m/a%20b.flac"),
      ])
  }

  @Test func aListInXMLWithADoctypeIsRefused() {
    #expect(throws: LunaraError.self) {
      try read("<!DOCTYPE p [<!ENTITY a \"aaaa\">]><playlist><title>&a;</title></playlist>", "x.xspf")
    }
    #expect(throws: LunaraError.self) { try read("<html></html>", "x.xspf") }
  }

  @Test func jspfIsReadAsServicesWrapIt() throws {
    let list = try read(
      """
      {"payload": {"jspf": {"playlist": {"title": "Weekly", "annotation": "For you", "track": [
        {"title": "Harbour", "creator": ["Amber Vale", "Mara Stein"], "album": "Tides", "duration": 215500,
         "identifier": ["https://musicbrainz.org/recording/6d9b2c9f-5f1a-4c5d-9e0b-1c2d3e4f5a6b"]},
        {"identifier": "urn:isrc:GBAYE6800001", "title": "X"}]}}}}
      """, "x.jspf")
    #expect(list.title == "Weekly" && list.summary == "For you")
    #expect(list.tracks.map(\.artist) == ["Amber Vale, Mara Stein", ""])
    #expect(
      list.tracks[0].recordingID == "6d9b2c9f-5f1a-4c5d-9e0b-1c2d3e4f5a6b" && list.tracks[1].isrc == "GBAYE6800001")
  }

  @Test func plainListsInJSONMayNameTheirFieldsDifferently() throws {
    let list = try read(
      """
      {"title": "Mine", "tracks": [{"artist": "A", "title": "B", "album": {"title": "C"}, "duration": 200},
        {"artists": [{"name": "D"}, {"name": "E"}], "name": "F", "duration_ms": 200000}, "G - H", {}]}
      """, "x.json")
    #expect(list.tracks.map(\.artist) == ["A", "D, E", "G"] && list.tracks.map(\.title) == ["B", "F", "H"])
    #expect(list.tracks.map(\.duration) == [Milliseconds(200_000), Milliseconds(200_000), nil])
    #expect(list.tracks[0].album == "C" && list.problems.map(\.place) == [4])
  }

  @Test(arguments: ["", "just a text\n", "\u{1}\u{2}", "{\"a\": 1}", "{", "<playlist>"])
  func whatIsNoListIsRefused(_ text: String) {
    #expect(throws: LunaraError.self) { try read(text, "x.txt") }
  }

  @Test func aBinaryFileIsRefusedAlsoByItsName() {
    let error = #expect(throws: LunaraError.self) { try ListFile([0x49, 0x44, 0x33, 0, 0, 1, 2], name: "song.m3u") }
    #expect(error?.code == "library.badListFile")
  }

  @Test func tooManyEntriesAreRefused() {
    let text = String(repeating: "a.mp3\n", count: ListFile.mostEntries + 1)
    let error = #expect(throws: LunaraError.self) { try read(text) }
    #expect(error?.code == "library.listFileTooLarge")
  }

  @Test func damagedFilesAreReadOrRefused() throws {
    let models = [
      "#EXTM3U\n#EXTINF:12,A - B\na/ö.mp3\n", "[playlist]\nFile1=a\nTitle1=b - c\nLength1=4\n",
      "<playlist><trackList><track><location>a</location></track></trackList></playlist>",
      "{\"playlist\": {\"track\": [{\"title\": \"a\", \"identifier\": [\"b\"]}]}}",
    ]
    var random = SystemRandomNumberGenerator()
    var (readCount, refused) = (0, 0)
    for _ in 0..<2500 {
      for model in models {
        var bytes = Array(model.utf8)
        for _ in 0...Int.random(in: 0..<4, using: &random) {
          let place = Int.random(in: 0..<bytes.count, using: &random)
          switch Int.random(in: 0..<3, using: &random) {
          case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
          case 1: bytes.insert(UInt8.random(in: 0...255, using: &random), at: place)
          default: bytes = Array(bytes[..<max(1, place)])
          }
        }
        do throws(LunaraError) {
          _ = try ListFile(bytes, name: "x.m3u")
          readCount += 1
        } catch {
          refused += 1
          #expect(error.code == "library.badListFile")
        }
      }
    }
    #expect(readCount > 0 && refused > 0)
  }
}

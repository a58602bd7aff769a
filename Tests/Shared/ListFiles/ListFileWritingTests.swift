import Model
import Testing

@testable import ListFiles

/// Writing of list files, and the paths in them.
@Suite struct ListFileWritingTests {
  private let list = ListFile(
    title: "Tides & <more>", summary: "For \"slow\" mornings",
    tracks: [
      DescribedTrack(
        title: "Harbour – Night", artist: "Amber Vale", album: "Tides", duration: Milliseconds(215_000),
        isrc: "GBAYE6800001", recordingID: "6d9b2c9f-5f1a-4c5d-9e0b-1c2d3e4f5a6b",
        location: "/m/Amber Vale/Tides/01 Harbour.flac"),
      DescribedTrack(title: "Not here", artist: "Someone", album: "Else", duration: Milliseconds(180_000)),
      DescribedTrack(title: "#1", artist: "", duration: Milliseconds(60_000), location: "/m/#1.mp3"),
    ])

  @Test(arguments: [ListFileFormat.m3u, .xspf, .jspf])
  func whatIsWrittenIsReadAgain(_ format: ListFileFormat) throws {
    let text = try ListFileWriter(format).text(of: list)
    var back = try ListFile(Array(text.utf8), name: "x.\(format)")
    for index in back.tracks.indices {
      back.tracks[index].location = back.tracks[index].location.map { LocalPath(url: $0)?.description ?? $0 }
    }
    var expected = list
    if format == .m3u {
      expected.summary = nil
      (expected.tracks[0].isrc, expected.tracks[0].recordingID) = (nil, nil)
    }
    #expect(back == expected)
  }

  @Test func m3uPathsAreRelativeToTheFolder() throws {
    let text = try ListFileWriter(.m3u, relativeTo: "/m/lists").text(of: list)
    #expect(
      text == """
        #EXTM3U
        #PLAYLIST:Tides & <more>
        #EXTINF:215,Amber Vale - Harbour – Night
        #EXTALB:Tides
        ../Amber Vale/Tides/01 Harbour.flac
        #EXTINF:180,Someone - Not here
        #EXTALB:Else
        #LUNARA-MISSING
        #EXTINF:60,#1
        ../#1.mp3

        """)
    #expect(try ListFileWriter(.m3u, relativeTo: "/m").text(of: list).contains("\n./#1.mp3\n"))
  }

  @Test func uriOfARelativePathIsEncoded() throws {
    let text = try ListFileWriter(.xspf, relativeTo: "/m").text(of: list)
    #expect(text.contains("<location>Amber%20Vale/Tides/01%20Harbour.flac</location>"))
  }

  @Test func aTitleWithLineBreaksStaysOneLine() throws {
    let odd = ListFile(title: "a\r\nb", tracks: [DescribedTrack(title: "c\nd", artist: "e", location: "/m/x\ny.mp3")])
    let text = try ListFileWriter(.m3u).text(of: odd)
    #expect(text == "#EXTM3U\n#PLAYLIST:a b\n#EXTINF:-1,e - c d\nfile:///m/x%0Ay.mp3\n")
  }

  private func paths(_ location: String, from folder: String? = "/m/lists") -> [String] {
    ListLocation.paths(
      of: location, from: folder.map { LocalPath($0) }, in: [LocalPath("/m"), LocalPath("/n")]
    ).map(\.description)
  }

  @Test func relativePathsAreTriedInTheListsFolderAndInTheMusicFolders() {
    #expect(paths("a/b.mp3") == ["/m/lists/a/b.mp3", "/m/a/b.mp3", "/n/a/b.mp3"])
    #expect(paths("../a.mp3").first == "/m/a.mp3")
    #expect(paths("a.mp3", from: nil) == ["/m/a.mp3", "/n/a.mp3"])
  }

  @Test func nothingOutsideTheMusicFoldersIsLookedFor() {
    #expect(paths("../../etc/passwd").isEmpty)
    #expect(paths("/etc/passwd").isEmpty)
    #expect(paths("/m/../etc/passwd").isEmpty)
    #expect(paths("/music/a.mp3").isEmpty)
    #expect(paths("http://example.org/m/a.mp3").isEmpty)
  }

  @Test func pathsOfOtherSystemsAndURLsAreUnderstood() {
    #expect(paths("file:///m/a%20b.mp3") == ["/m/a b.mp3"])
    #expect(paths("file://localhost/m/a.mp3") == ["/m/a.mp3"])
    #expect(paths("a\\b.mp3").contains("/m/lists/a/b.mp3"))
    #expect(paths("C:\\m\\a.mp3").contains("/m/a.mp3"))
  }

  @Test func percentSignsAreReadAsTheyAreAndThenDecoded() {
    #expect(paths("/m/50%20%C3%98.mp3") == ["/m/50%20%C3%98.mp3", "/m/50 Ø.mp3"])
    #expect(paths("/m/50%2520a.mp3") == ["/m/50%2520a.mp3", "/m/50%20a.mp3"])
    #expect(paths("/m/100% Hit.mp3") == ["/m/100% Hit.mp3"])
    #expect(paths("%2E%2E/%2E%2E/etc/passwd").allSatisfy { $0.hasPrefix("/m/") || $0.hasPrefix("/n/") })
    #expect(paths("/m/a%00b.mp3") == ["/m/a%00b.mp3"])
  }

  @Test func quotesAndQueriesAreLeftOutLast() {
    #expect(paths("\"/m/a.mp3\"", from: nil).last == "/m/a.mp3")
    #expect(paths("/m/Why?.mp3?x=1") == ["/m/Why?.mp3?x=1", "/m/Why?.mp3"])
  }

  @Test func bothNormalFormsAreTried() {
    #expect(paths("/m/\u{F6}.mp3").map { $0.unicodeScalars.count } == [8, 9])
  }

  @Test func tailsAreComparedFoldedFromTheEnd() {
    #expect(ListLocation.tails(of: "D:\\Musik\\Björk\\01.MP3").last == ["01.mp3", "bjork", "musik"])
    #expect(ListLocation.tails(of: "Bj%C3%B6rk/50%25.mp3") == [["50%25.mp3", "bj%c3%b6rk"], ["50%.mp3", "bjork"]])
    #expect(ListLocation.tail(of: LocalPath("/m/BJORK/01.mp3")) == ["01.mp3", "bjork", "m"])
    #expect(ListLocation.tails(of: "https://example.org/a.mp3").isEmpty)
  }
}

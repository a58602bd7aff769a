import Model
import TestSupport
import Testing

@Suite struct TextCodingTests {
  @Test func hexadecimalDigitsAndBytesAreEachOthersInverse() {
    #expect(Hexadecimal.text([0, 15, 171, 255]) == "000fabff")
    #expect(Hexadecimal.bytes(of: "000fABff".utf8) == [0, 15, 171, 255])
    #expect(Hexadecimal.bytes(of: "0".utf8) == nil)
    #expect(Hexadecimal.bytes(of: "0g".utf8) == nil)
    #expect(Hexadecimal.text(0xab as UInt64) == "00000000000000ab")
  }

  @Test func allButUnreservedCharactersAreEscaped() {
    #expect(PercentCoding.encode("a-Z_0.~ é/,+%") == "a-Z_0.~%20%C3%A9%2F%2C%2B%25")
    #expect(PercentCoding.encode("a/b,c d", keeping: "/,") == "a/b,c%20d")
  }

  @Test func escapesAreDecodedAndBrokenOnesRefused() {
    #expect(PercentCoding.decode("a%20b+c%c3%A9") == Array("a b+cé".utf8))
    #expect(PercentCoding.decode("a+b", plusIsSpace: true) == Array("a b".utf8))
    #expect(PercentCoding.decode("%") == nil)
    #expect(PercentCoding.decode("%2") == nil)
    #expect(PercentCoding.decode("%2x") == nil)
  }
}

@Suite struct LocalPathTests {
  @Test func anyBytesSurviveTheURLAndJSON() throws {
    let path = LocalPath(bytes: Array("/music/".utf8) + Array(1...255))
    #expect(LocalPath(url: path.url) == path)
    #expect(try throughJSON(path) == path)
    var generator = Seeded(5)
    for _ in 0..<1000 {
      let bytes = (0..<40).map { _ in UInt8.random(in: 1...255, using: &generator) }
      let path = LocalPath(bytes: [47] + bytes)
      #expect(LocalPath(url: path.url) == path)
    }
  }

  @Test func namesThatAreNoUTF8ShowAndTravel() throws {
    let path = LocalPath(bytes: Array("/a/caf".utf8) + [0xe9] + Array(".flac".utf8))
    #expect(path.description == "/a/caf\u{FFFD}.flac")
    #expect(try json(path) == #""file:///a/caf%E9.flac""#)
  }

  @Test func spacesQuestionMarksAndPercentsAreEncoded() {
    #expect(LocalPath("/a b/100%?#.ogg").url == "file:///a%20b/100%25%3F%23.ogg")
  }

  @Test(arguments: [
    "", "/a", "file://host/a", "http:///a", "file:a", "file:///a%", "file:///a%4", "file:///a%zz", "file:///a%00b",
  ])
  func invalidFileURLsAreRefused(text: String) {
    #expect(LocalPath(url: text) == nil)
    #expect(throws: DecodingError.self) { try decoded(LocalPath.self, "\"\(text)\"") }
  }
}

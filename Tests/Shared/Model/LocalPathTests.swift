import Model
import TestSupport
import Testing

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
  func whatIsNoFileURLIsRefused(text: String) {
    #expect(LocalPath(url: text) == nil)
    #expect(throws: DecodingError.self) { try decoded(LocalPath.self, "\"\(text)\"") }
  }
}

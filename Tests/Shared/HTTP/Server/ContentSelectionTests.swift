@testable import HTTP
import Testing

@Suite struct SelectionTests {
  private let date = "Sun, 06 Nov 1994 08:49:37 GMT"

  /// Returns the status that answers a request for 100 bytes with the tag "a", changed at `date`.
  private func status(_ headers: [(String, String)]) -> Int {
    ContentSelection(tag: "\"a\"", modified: 784_111_777, length: 100) { Headers.first($0, in: headers) }.status
  }

  @Test func withoutConditionsAllIsSent() { #expect(status([]) == 200) }

  @Test(arguments: ["\"a\"", "W/\"a\"", "\"b\", \"a\"", "*"])
  func aTagThatTheClientHasIsNotSentAgain(_ tags: String) { #expect(status([("If-None-Match", tags)]) == 304) }

  @Test func anotherTagIsSentEvenIfTheDateIsOld() {
    #expect(status([("If-None-Match", "\"b\""), ("If-Modified-Since", date)]) == 200)
  }

  @Test func whatDidNotChangeSinceIsNotSentAgain() {
    #expect(status([("If-Modified-Since", date)]) == 304)
    #expect(status([("If-Modified-Since", "Sun, 06 Nov 1994 08:49:36 GMT")]) == 200)
    #expect(status([("If-Modified-Since", "yesterday")]) == 200)
  }

  @Test func aPartOfAnotherVersionIsNotSent() {
    let range = ("Range", "bytes=0-9")
    #expect(status([range]) == 206)
    #expect(status([range, ("If-Range", "\"a\"")]) == 206)
    #expect(status([range, ("If-Range", date)]) == 206)
    #expect(status([range, ("If-Range", "\"b\"")]) == 200)
    #expect(status([range, ("If-Range", "W/\"a\"")]) == 200)
    #expect(status([range, ("If-Range", "Sun, 06 Nov 1994 08:49:38 GMT")]) == 200)
  }

  @Test func aPartialAnswerNamesItsRange() {
    let part = ContentSelection(tag: nil, modified: nil, length: 100) { $0 == "Range" ? "bytes=10-19" : nil }
    #expect(part.bytes == 10..<20)
    #expect(part.contentRange == "bytes 10-19/100")
    let none = ContentSelection(tag: nil, modified: nil, length: 100) { $0 == "Range" ? "bytes=100-" : nil }
    #expect(none.status == 416)
    #expect(none.bytes == nil)
    #expect(none.contentRange == "bytes */100")
  }
}

@Suite struct ByteRangeTests {
  @Test(
    arguments: [
      ("bytes=0-0", 0..<1), ("bytes=0-", 0..<100), ("bytes=10-19", 10..<20), ("bytes=90-200", 90..<100),
      ("bytes=-1", 99..<100), ("bytes=-500", 0..<100), ("Bytes=99-", 99..<100),
      ("bytes=0-99999999999999999999999", 0..<100),
    ] as [(String, Range<UInt64>)])
  func aPartIsFound(_ header: String, _ range: Range<UInt64>) {
    #expect(ByteRange(header, length: 100) == .part(range))
  }

  @Test(arguments: [
    nil, "", "bytes", "bytes=", "bytes=-", "bytes=a-b", "bytes=5-4", "bytes=0-1,5-6", "bytes=+1-2", "lines=0-1",
    "bytes= 0-1", "bytes=0-1-2",
  ])
  func invalidAndMultipleRangesAreIgnored(_ header: String?) { #expect(ByteRange(header, length: 100) == .whole) }

  @Test(arguments: ["bytes=100-", "bytes=100-200", "bytes=-0", "bytes=99999999999999999999999-"])
  func bytesThatDoNotExistAreRefused(_ header: String) {
    #expect(ByteRange(header, length: 100) == .unsatisfiable)
  }

  @Test func anEmptyBodyHasNoRanges() {
    #expect(ByteRange("bytes=0-", length: 0) == .unsatisfiable)
    #expect(ByteRange("bytes=-5", length: 0) == .unsatisfiable)
  }
}

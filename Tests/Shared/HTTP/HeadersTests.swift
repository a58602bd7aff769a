@testable import HTTP
import Testing

@Suite struct HeadersTests {
  @Test func theFirstValueIsFoundWhateverTheCase() {
    let headers = [("Accept", "a"), ("ACCEPT", "b"), ("X-Ü", "c")]
    #expect(Headers.first("accept", in: headers) == "a")
    #expect(Headers.first("acceptt", in: headers) == nil)
  }

  @Test(arguments: [("A", "b"), ("X-A_b.1", ""), ("A", "ü \t;")])
  func properHeadersAreValid(_ name: String, _ value: String) { #expect(Headers.isValid(name, value)) }

  @Test(arguments: [("", "b"), ("A B", "c"), ("A:", "b"), ("Ä", "b"), ("A", "b\r\nC: d"), ("A", "\0"), ("A\n", "b")])
  func splitHeadersAreNot(_ name: String, _ value: String) { #expect(!Headers.isValid(name, value)) }
}

@Suite struct HTTPDateTests {
  @Test(arguments: [
    (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"), (0, "Thu, 01 Jan 1970 00:00:00 GMT"),
    (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"),
  ])
  func datesAreWrittenAndRead(_ seconds: Int, _ text: String) {
    #expect(HTTPDate.format(seconds) == text)
    #expect(HTTPDate.parse(text) == seconds)
  }

  @Test(arguments: ["Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994", "Sun, 06 Nov 1994 09:49:37 CET"])
  func olderFormsAreReadAsWell(_ text: String) { #expect(HTTPDate.parse(text) == 784_111_777) }

  @Test(arguments: [
    "", "now", "yesterday", "Sun, 32 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 24:00:00 GMT",
    "Sun, 06 Nov 08:49:37 GMT",
  ])
  func invalidDatesAreIgnored(_ text: String) { #expect(HTTPDate.parse(text) == nil) }
}

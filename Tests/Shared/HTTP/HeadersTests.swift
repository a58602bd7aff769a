import Testing

@testable import HTTP

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

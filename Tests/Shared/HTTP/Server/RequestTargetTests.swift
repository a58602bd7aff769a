import Testing

@testable import HTTP

@Suite struct RequestTargetTests {
  @Test(
    arguments: [
      ("/", "/", [:]), ("/a%20b+c", "/a b+c", [:]), ("/%C3%A9", "/é", [:]), ("/?", "/", [:]),
      ("/a?b=c&d=e+f%26", "/a", ["b": "c", "d": "e f&"]), ("/a?b&c=&=d", "/a", ["b": "", "c": "", "": "d"]),
      ("/a?b=1&b=2", "/a", ["b": "1"]), ("/a?b==c?d", "/a", ["b": "=c?d"]), ("/../%2e%2E/x", "/../../x", [:]),
    ] as [(String, String, [String: String])])
  func targetsAreDecoded(_ text: String, _ path: String, _ query: [String: String]) {
    let target = RequestTarget(text)
    #expect(target?.path == path)
    #expect(target?.query == query)
  }

  @Test(arguments: ["", "a", "*", "http://a/", "/%", "/%4", "/%zz", "/%00", "/%ff", "/a?%00", "/a?b=%ff", "/%+1"])
  func brokenTargetsAreRefused(_ text: String) { #expect(RequestTarget(text) == nil) }
}

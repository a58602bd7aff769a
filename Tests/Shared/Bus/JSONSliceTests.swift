import Testing

@testable import Bus

@Suite struct JSONSliceTests {
  private func members(_ text: String) -> [String: String]? {
    Array(text.utf8).withUnsafeBytes { raw in
      var found: [String: String] = [:]
      let isObject = JSONSlice.members(of: raw) {
        found[String(decoding: $0, as: UTF8.self)] = String(decoding: raw[$1], as: UTF8.self)
      }
      return isObject ? found : nil
    }
  }

  private func elements(_ text: String) -> [String]? {
    Array(text.utf8).withUnsafeBytes { raw in
      JSONSlice.elements(of: raw)?.map { String(decoding: raw[$0], as: UTF8.self) }
    }
  }

  @Test func membersAreFoundWithTheirValuesAsTheyStand() {
    #expect(members("{}") == [:])
    #expect(
      members(#"{"a":1,"b":"x,}","c":{"d":[1,{}]},"e":null}"#) == [
        "a": "1", "b": #""x,}""#, "c": #"{"d":[1,{}]}"#, "e": "null",
      ])
    #expect(members(" {\t\"a\" : -1.5e3 \n}\r\n") == ["a": "-1.5e3"])
    #expect(members(#"{"a\"b":"\\"}"#) == [#"a\"b"#: #""\\""#])
  }

  @Test func elementsAreFoundAsTheyStand() {
    #expect(elements("[]") == [])
    #expect(elements(#"[1, "a,]" ,[2,3],{"b":[]}]"#) == ["1", #""a,]""#, "[2,3]", #"{"b":[]}"#])
  }

  @Test(arguments: [
    "", " ", "{", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{a:1}", "{\"a\":1}x", "{\"a\":\"", "{\"a\":[", "[1]",
    "{\"a\":\"\\",
  ])
  func whatIsNoObjectIsNil(text: String) {
    #expect(members(text) == nil)
  }

  @Test(arguments: ["", "[", "[1", "[1,]", "[,]", "{}", "[1]]", "[\"a]", "[[1]"])
  func whatIsNoArrayIsNil(text: String) {
    #expect(elements(text) == nil)
  }
}

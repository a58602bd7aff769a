import Testing

@testable import Messages

@Suite struct JSONViewTests {
  private func view(_ text: String) throws -> JSONView { try #require(JSONView(Array(text.utf8))) }

  @Test func numbersAreReadFromNumbersAndTexts() throws {
    let view = try view(#"{"a":12,"b":"12","c":-3,"d":"-3.9","e":"","f":"x","g":1.5,"h":"-6.62","i":true,"j":1e3}"#)
    #expect(view["a"]?.integer == 12)
    #expect(view["b"]?.integer == 12)
    #expect(view["c"]?.integer == -3)
    #expect(view["d"]?.integer == -3)
    #expect(view["e"]?.integer == nil)
    #expect(view["f"]?.integer == nil)
    #expect(view["g"]?.number == 1.5)
    #expect(view["h"]?.number == -6.62)
    #expect(view["i"]?.integer == 1)
    #expect(view["j"]?.integer == 1000)
    #expect(try self.view("123456789012345678901234567890").integer == nil)
    #expect(try self.view(#""nan""#).number == nil)
  }

  @Test func aTextOfTooManyValuesIsRefused() {
    // The array itself, the object, its name and its value count as well.
    let text = Array(#"[0,0,0,{"a":0}]"#.utf8)
    #expect(JSONText(text, nodeLimit: 7)?.nodes.count == 7)
    #expect(JSONText(text, nodeLimit: 6) == nil)
  }

  @Test func booleansAreReadInFourForms() throws {
    let view = try view(#"{"a":true,"b":1,"c":"1","d":"true","e":false,"f":0,"g":"0","h":"no","i":null}"#)
    for name in ["a", "b", "c", "d"] as [StaticString] { #expect(view[name]?.isTrue == true) }
    for name in ["e", "f", "g", "h"] as [StaticString] { #expect(view[name]?.isTrue == false) }
    #expect(view["i"] == nil)
  }

  @Test func membersAreFoundByTheirWholeName() throws {
    let view = try view(#"{"title":"a","titleSort":"b","ti\u0074le2":"c","x":{"title":"d"}}"#)
    #expect(view["title"]?.string == "a")
    #expect(view["titleSort"]?.string == "b")
    #expect(view["title2"]?.string == "c")
    #expect(view["x"]?["title"]?.string == "d")
    #expect(view["tit"] == nil)
    #expect(view["title"]?["x"] == nil)
  }

  @Test func aSingleElementMayStandForAList() throws {
    let view = try view(#"{"a":[{"n":1},{"n":2}],"b":{"n":3},"c":"x","d":[]}"#)
    #expect(view["a"]?.elements.compactMap { $0["n"]?.integer } == [1, 2])
    #expect(view["b"]?.elements.compactMap { $0["n"]?.integer } == [3])
    #expect(view["c"]?.elements.isEmpty == true)
    #expect(view["d"]?.elements.isEmpty == true)
  }

  @Test func membersComeWithTheirNamesInTheirOrder() throws {
    let view = try view(#"{"b":1,"\u0061":{"n":2},"gone":null,"b":3}"#)
    #expect(view.members.map(\.name) == ["b", "a", "b"])
    #expect(view.members.map { $0.value.isObject } == [false, true, false])
    #expect(view.members.compactMap { $0.value.integer } == [1, 3])
    #expect(view["b"]?.members.isEmpty == true)
  }

  @Test func textsAreUnescapedAndNumbersKeepTheirForm() throws {
    let view = try view(#"{"a":"\u00e9\n\"","b":1.50,"c":"Sigur R\u00f3s"}"#)
    #expect(view["a"]?.string == "é\n\"")
    #expect(view["b"]?.string == "1.50")
    #expect(view["c"]?.string == "Sigur Rós")
    #expect(JSONView(Array("<html></html>".utf8)) == nil)
    #expect(JSONView(Array(#"{"a":"#.utf8)) == nil)
  }

  @Test func brokenBytesInATextAreReplaced() throws {
    let bytes = Array(#"{"a":""#.utf8) + [0xff, 0x41] + Array(#""}"#.utf8)
    #expect(JSONView(bytes)?["a"]?.string == "\u{FFFD}A")
  }
}

import Messages
import Model
import TestSupport
import Testing

/// Values whose own code writes in other ways than the compiler's: Lunara's encoder gives the same as Foundation's, or
/// refuses the value.
@Suite struct JSONBuilderTests {
  private struct Name: CodingKey {
    var stringValue: String
    var intValue: Int? { nil }
    init(_ text: String) { stringValue = text }
    init?(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  /// A value that is encoded by a closure.
  private struct Saying: Encodable {
    let say: (any Encoder) throws -> Void
    func encode(to encoder: any Encoder) throws { try say(encoder) }
  }

  private enum Shape: Codable { case point, circle(radius: Double), box(width: Int, height: Int?), label(String) }

  /// Encodes a value with both encoders, compares the results and returns the text.
  @discardableResult
  private func both(_ value: some Encodable) throws -> String {
    let quick = try MessageCoding.encode(value)
    #expect(try quick == FoundationCoding.encode(value))
    return String(decoding: quick, as: UTF8.self)
  }

  /// Checks that a value is refused.
  private func refused(_ say: @escaping (any Encoder) throws -> Void) {
    #expect { try MessageCoding.encode(Saying(say: say)) } throws: { ($0 as? LunaraError)?.code == "bus.badPayload" }
  }

  @Test func casesWithValuesAreWritten() throws {
    #expect(
      try both([Shape.point, .circle(radius: 2), .box(width: 1, height: nil), .label("x")])
        == #"[{"point":{}},{"circle":{"radius":2}},{"box":{"width":1}},{"label":{"_0":"x"}}]"#)
  }

  @Test func writingToAnOuterContainerEndsTheInnerOne() throws {
    let value = Saying { encoder in
      var outer = encoder.container(keyedBy: Name.self)
      try outer.encode(1, forKey: Name("z"))
      var inner = outer.nestedContainer(keyedBy: Name.self, forKey: Name("m"))
      try inner.encode(2, forKey: Name("y"))
      try inner.encode([3], forKey: Name("x"))
      var list = outer.nestedUnkeyedContainer(forKey: Name("b"))
      try list.encode("one")
      var grid = list.nestedUnkeyedContainer()
      try grid.encodeNil()
      var row = list.nestedContainer(keyedBy: Name.self)
      try row.encode(true, forKey: Name("t"))
      try list.encode(-1.5)
      #expect(list.count == 4)
      try outer.encodeNil(forKey: Name("a"))
    }
    #expect(try both(value) == #"{"a":null,"b":["one",[null],{"t":true},-1.5],"m":{"x":[3],"y":2},"z":1}"#)
    #expect(try both([value, value]).count > 100)
  }

  @Test func aContainerRequestedTwiceIsOneObject() throws {
    let value = Saying { encoder in
      var first = encoder.container(keyedBy: Name.self)
      try first.encode(2, forKey: Name("b"))
      var second = encoder.container(keyedBy: Name.self)
      try second.encode(1, forKey: Name("a"))
    }
    #expect(try both(value) == #"{"a":1,"b":2}"#)
  }

  @Test func theLaterOfTwoMembersWithOneNameIsKept() throws {
    for names in [["a", "a"], ["b", "a", "b"], ["longer name 1", "longer name 2", "longer name 1"], ["", "a", ""]] {
      let value = Saying { encoder in
        var container = encoder.container(keyedBy: Name.self)
        for (place, name) in names.enumerated() { try container.encode(place, forKey: Name(name)) }
      }
      try both(value)
    }
  }

  @Test func membersAreInTheOrderOfTheirBytes() throws {
    var random = Seeded(3)
    for count in [1, 2, 7, 16, 63, 64, 65, 300] {
      let names = (0..<count).map { _ in
        String((0..<Int(random.next() % 12)).map { _ in Character(Unicode.Scalar(UInt8(97 + random.next() % 3))) })
          + ["", "é", "🎻", "ü"][Int(random.next() % 4)]
      }
      let value = Saying { encoder in
        var container = encoder.container(keyedBy: Name.self)
        for (place, name) in names.enumerated() { try container.encode("v\(place)", forKey: Name(name)) }
      }
      try both(value)
      try both([value])
    }
  }

  @Test func aValueThatWritesNothingIsAnEmptyObject() throws {
    let nothing = Saying { _ in }
    #expect(try MessageCoding.encode(nothing) == Array("{}".utf8))
    #expect(try MessageCoding.encode(["a": nothing]) == Array(#"{"a":{}}"#.utf8))
    #expect(try both(Saying { _ = $0.container(keyedBy: Name.self) }) == "{}")
    #expect(try both(Saying { _ = $0.unkeyedContainer() }) == "[]")
  }

  @Test func namesAreEscapedWhereTheyHaveToBe() throws {
    for name in ["\"", "a\\b", "line\nbreak", "\u{1}", "long name with a \" in it"] { try both([name: 1, "a": 2]) }
  }

  @Test func writingToAnEndedContainerIsRefused() {
    refused { encoder in
      var outer = encoder.container(keyedBy: Name.self)
      var inner = outer.nestedContainer(keyedBy: Name.self, forKey: Name("b"))
      try outer.encode(1, forKey: Name("a"))
      try inner.encode(2, forKey: Name("c"))
    }
  }

  @Test func writingElsewhereThanInTheOwnContainerIsRefused() {
    refused { encoder in
      var outer = encoder.container(keyedBy: Name.self)
      // The encoding of a member's value writes another member.
      let around = outer
      let value = Saying { _ in
        var around = around
        try around.encode(1, forKey: Name("b"))
      }
      try outer.encode(value, forKey: Name("a"))
    }
    var kept: (any Encoder)?
    refused { encoder in
      var outer = encoder.unkeyedContainer()
      try outer.encode(Saying { kept = $0 })
      try outer.encode(
        Saying { _ in
          var late = try #require(kept).singleValueContainer()
          try late.encode(3)
        })
    }
    refused { encoder in
      var container = encoder.container(keyedBy: Name.self)
      // An error that the value's code catches still refuses the value.
      do { try container.encode(Double.nan, forKey: Name("a")) } catch {}
    }
  }

  @Test func subclassesAreRefused() {
    refused { encoder in
      var container = encoder.container(keyedBy: Name.self)
      try container.encode(1, forKey: Name("own"))
      var above = container.superEncoder().container(keyedBy: Name.self)
      try above.encode(2, forKey: Name("inherited"))
    }
  }

  @Test func everyByteIsLookedAtForEscapes() throws {
    for length in 0..<20 {
      for place in 0..<max(1, length) {
        for odd in ["\"", "\\", "\n", "\u{1f}", "\u{7f}", "é", "a"] {
          var text = Array(repeating: "x", count: length)
          if length > 0 { text[place] = odd }
          try both([text.joined()])
        }
      }
    }
  }

  @Test func longTextsGrowWithoutLoss() throws {
    let text = String(repeating: "0123456789 äöü ", count: 20_000)
    #expect(try both(["b": [text, text], "a": [text]]).count > 900_000)
  }
}

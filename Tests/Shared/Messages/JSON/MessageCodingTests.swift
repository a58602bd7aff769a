import TestSupport
import Testing

@testable import Messages

/// Lunara's coder compared with Foundation's: the same bytes, the same values, and all that it accepts Foundation's
/// accepts as well.
@Suite struct MessageCodingTests {
  private struct Everything: Codable, Equatable {
    enum Colour: String, Codable { case red, blue }
    struct Inner: Codable, Equatable {
      var id: Int
      var words: [String]?
    }

    var zebra: String
    var apple: Bool
    var small: Int8
    var large: UInt64
    var number: Double
    var none: Int?
    var some: Int?
    var colour: Colour
    var inner: Inner
    var list: [Inner]
    var grid: [[Int]]
    var holes: [Int?]
    var table: [String: Int]
    var empty: [String: String]
  }

  private let sample = Everything(
    zebra: "Żebra \"7″\" \\ / \n\r\t\u{8}\u{c}\u{1}\u{1f}\u{7f} 🎻", apple: true, small: -128, large: .max,
    number: 287.5,
    none: nil, some: 0, colour: .blue, inner: .init(id: .min, words: ["a", ""]), list: [.init(id: 1), .init(id: .max)],
    grid: [[], [1, 2]], holes: [1, nil, 3], table: ["ü": 1, "b": 2, "a": 3, "Z": 4, "": 5, "ab": 6, "a.b": 7],
    empty: [:])

  @Test func itWritesWhatFoundationWrites() throws {
    #expect(try MessageCoding.encodeFast(sample) == MessageCoding.encodeWithFoundation(sample))
    for text in (0...0x2ff).compactMap(Unicode.Scalar.init).map({ "x\($0)y" }) {
      #expect(try MessageCoding.encodeFast([text]) == MessageCoding.encodeWithFoundation([text]))
    }
  }

  @Test func itWritesNumbersAsFoundationDoes() throws {
    var random = Seeded(7)
    var numbers = [
      0, -0.0, 1, -1, 0.1, 1e15, 1e16, 1e20, 1e-7, 123456.789, .pi, .leastNonzeroMagnitude, .greatestFiniteMagnitude,
    ]
    for _ in 0..<2000 {
      let drawn = Double(bitPattern: random.next())
      if drawn.isFinite { numbers.append(drawn) }
      numbers.append(Double(Int64(bitPattern: random.next()) >> 20) / 1000)
    }
    #expect(try MessageCoding.encodeFast(numbers) == MessageCoding.encodeWithFoundation(numbers))
    let text = try MessageCoding.encodeFast(numbers)
    #expect(try MessageCoding.decodeFast([Double].self, from: text) == numbers)
  }

  @Test func itReadsWhatItWrote() throws {
    let text = try MessageCoding.encodeFast(sample)
    #expect(try MessageCoding.decodeFast(Everything.self, from: text) == sample)
    #expect(try MessageCoding.decodeWithFoundation(Everything.self, from: text) == sample)
  }

  @Test(arguments: [
    "3", "\"a\"", " [ 1 , 2 ] ", "[]", "{}", "[1,]", "[1 2]", "{\"a\":}", "{\"a\":1,}", "{a:1}", "[01]", "[-]", "[1.]",
    "[.5]", "[1e]", "[1e5]", "[+1]", "[\"\\u12\"]", "[\"\\ud83c\\udfbb\"]", "[\"\\ud83c\"]", "[\"\\udfbb\"]",
    "[\"\\x\"]", "[tru]",
    "[true]", "[nul]", "", " ", "[", "{\"a\":1", "[\"a", "[1]x", "[\"\u{1}\"]", "{\"a\":1,\"a\":2}", "[1.0]", "[1.5]",
    "[1e2]",
    "[99999999999999999999]", "{\"\\u0061\":3}", "[null]",
  ])
  func whatItReadsFoundationReadsTheSame(text: String) throws {
    try agree([Int].self, on: Array(text.utf8))
    try agree([String].self, on: Array(text.utf8))
    try agree([Double].self, on: Array(text.utf8))
    try agree([Bool?].self, on: Array(text.utf8))
    try agree([String: Int].self, on: Array(text.utf8))
    try agree(Int.self, on: Array(text.utf8))
    try agree(String.self, on: Array(text.utf8))
  }

  @Test func ofChangedBytesItReadsNothingThatFoundationDoesNot() throws {
    var random = Seeded(7)
    let text = try MessageCoding.encodeFast(sample)
    for _ in 0..<5000 {
      var changed = text
      for _ in 0...Int(random.next() % 3) {
        let place = Int(random.next() % UInt64(changed.count))
        switch random.next() % 3 {
        case 0: changed[place] = UInt8(truncatingIfNeeded: random.next())
        case 1: changed.remove(at: place)
        default: changed.insert(Array("\"\\{}[],:0e-u".utf8)[Int(random.next() % 12)], at: place)
        }
      }
      try agree(Everything.self, on: changed)
    }
  }

  @Test func deepNestingIsLeftToFoundation() throws {
    let text = Array(String(repeating: "[", count: 100_000).utf8)
    #expect(throws: UnsupportedJSON.self) { try MessageCoding.decodeFast([Int].self, from: text) }
  }

  /// Lunara's decoder may refuse what Foundation's accepts. It must not accept anything else, nor read it differently.
  private func agree<Value: Decodable & Equatable>(_ type: Value.Type, on bytes: [UInt8]) throws {
    guard let quick = try? MessageCoding.decodeFast(type, from: bytes) else { return }
    let slow = try? MessageCoding.decodeWithFoundation(type, from: bytes)
    #expect(slow == quick, "\(String(decoding: bytes, as: UTF8.self))")
  }
}

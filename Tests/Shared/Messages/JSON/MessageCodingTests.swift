import Messages
import Model
import TestSupport
import Testing

/// Lunara's coder compared with Foundation's: the same bytes, the same values, and the same texts accepted.
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
    #expect(try MessageCoding.encode(sample) == FoundationCoding.encode(sample))
    for text in (0...0x2ff).compactMap(Unicode.Scalar.init).map({ "x\($0)y" }) {
      #expect(try MessageCoding.encode([text]) == FoundationCoding.encode([text]))
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
    #expect(try MessageCoding.encode(numbers) == FoundationCoding.encode(numbers))
    let text = try MessageCoding.encode(numbers)
    #expect(try MessageCoding.decode([Double].self, from: text) == numbers)
  }

  @Test func itReadsWhatItWrote() throws {
    let text = try MessageCoding.encode(sample)
    #expect(try MessageCoding.decode(Everything.self, from: text) == sample)
    #expect(try FoundationCoding.decode(Everything.self, from: text) == sample)
  }

  @Test(arguments: [
    "3", "\"a\"", " [ 1 , 2 ] ", "[]", "{}", "[1,]", "[1 2]", "{\"a\":}", "{\"a\":1,}", "{a:1}", "[01]", "[-]", "[1.]",
    "[.5]", "[1e]", "[1e5]", "[+1]", "[\"\\u12\"]", "[\"\\ud83c\\udfbb\"]", "[\"\\ud83c\"]", "[\"\\udfbb\"]",
    "[\"\\x\"]", "[tru]",
    "[true]", "[nul]", "", " ", "[", "{\"a\":1", "[\"a", "[1]x", "[\"\u{1}\"]", "{\"a\":1,\"a\":2}", "[1.0]", "[1.5]",
    "[1e2]",
    "[99999999999999999999]", "{\"\\u0061\":3}", "[null]", "[1e-2]", "[-0]", "[-0.0]", "[1e400]", "[1e18]", "[1E2]",
  ])
  func itReadsWhatFoundationReads(text: String) throws {
    try agree([Int].self, on: Array(text.utf8))
    try agree([String].self, on: Array(text.utf8))
    try agree([Double].self, on: Array(text.utf8))
    try agree([Bool?].self, on: Array(text.utf8))
    try agree([String: Int].self, on: Array(text.utf8))
    try agree(Int.self, on: Array(text.utf8))
    try agree(String.self, on: Array(text.utf8))
  }

  @Test func itReadsChangedBytesAsFoundationDoes() throws {
    var random = Seeded(7)
    let text = try MessageCoding.encode(sample)
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

  @Test func deepNestingIsRefused() {
    let text = Array(String(repeating: "[", count: 100_000).utf8)
    #expect { try MessageCoding.decode([Int].self, from: text) } throws: {
      ($0 as? LunaraError)?.code == "bus.badPayload"
    }
  }

  @Test(arguments: [
    (#"{}"#, "id", "keyNotFound"), (#"{"id":null}"#, "id", "valueNotFound"), (#"{"id":"1"}"#, "id", "typeMismatch"),
    (#"{"id":1.5}"#, "id", "dataCorrupted"), (#"{"id":1,"words":["a",2]}"#, "words.1", "typeMismatch"),
    (#"{"id":1,"words":{}}"#, "words", "typeMismatch"), ("[]", "", "typeMismatch"),
  ])
  func anErrorNamesTheKeyThatIsMissingOrWrong(text: String, path: String, kind: String) throws {
    do {
      _ = try JSONInput(Array(text.utf8)).decode(Everything.Inner.self)
      Issue.record("\(text) is accepted")
    } catch let error as DecodingError {
      let (found, keys) =
        switch error {
        case .keyNotFound(let key, let context): ("keyNotFound", context.codingPath + [key])
        case .valueNotFound(_, let context): ("valueNotFound", context.codingPath)
        case .typeMismatch(_, let context): ("typeMismatch", context.codingPath)
        case .dataCorrupted(let context): ("dataCorrupted", context.codingPath)
        @unknown default: ("", [])
        }
      #expect(found == kind)
      #expect(keys.map(\.stringValue).joined(separator: ".") == path)
    }
  }

  @Test func anUnknownNameIsRefusedInWhatAClientSends() throws {
    let text = Array(#"{"kind":"colour","name":"red"}"#.utf8)
    #expect(try MessageCoding.decode(Library.Tag.self, from: text).kind == .unknown)
    #expect(throws: DecodingError.self) { try JSONInput(text).decode(Library.Tag.self) }
  }

  @Test func membersCanBeFixedOrBeThereForThoseThatAreMissing() throws {
    func read(_ text: String) throws -> Everything.Inner {
      try JSONInput(Array(text.utf8)).decode(Everything.Inner.self, fixed: ["id": 7], usual: ["words": ["a"]])
    }
    #expect(try read("{}") == .init(id: 7, words: ["a"]))
    #expect(try read(#" { "id" : 1, "words":["b"] } "#) == .init(id: 7, words: ["b"]))
    #expect(throws: DecodingError.self) { try read("[]") }
    #expect(throws: DecodingError.self) { try read(#"{"id":1}}"#) }
    #expect(try JSONInput(Array(#"{"id":null}"#.utf8)).has("id"))
    #expect(try !JSONInput(Array("[]".utf8)).has("id"))
  }

  private func agree<Value: Decodable & Equatable>(_ type: Value.Type, on bytes: [UInt8]) throws {
    let quick = try? MessageCoding.decode(type, from: bytes)
    let slow = try? FoundationCoding.decode(type, from: bytes)
    // Foundation forgives a comma after the last element; JSON has none.
    let text = String(decoding: bytes, as: UTF8.self)
    if quick == nil, slow != nil, text.contains(/,\s*[\]}]/) { return }
    #expect(slow == quick, "\(text)")
  }
}

/// Decodes a value from a JSON text, at a fifth of the cost of Foundation's decoder.
///
/// It supports the types of the standard library; messages contain none of Foundation's (dates, data, URLs). For
/// everything else it throws `UnsupportedJSON`, and Foundation's decoder is used.
struct JSONReader: Decoder, SingleValueDecodingContainer {
  let text: JSONText
  let index: Int

  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    guard text.nodes[index].kind == .object else { throw UnsupportedJSON() }
    return KeyedDecodingContainer(MemberReader<Key>(text: text, index: index))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer { try ElementReader(text, index) }
  func singleValueContainer() -> any SingleValueDecodingContainer { self }

  func decodeNil() -> Bool { text.nodes[index].kind == .null }
  func decode(_ type: Bool.Type) throws -> Bool { try text.bool(index) }
  func decode(_ type: String.Type) throws -> String { try text.string(index) }
  func decode(_ type: Double.Type) throws -> Double { try text.double(index) }
  func decode(_ type: Float.Type) throws -> Float { throw UnsupportedJSON() }
  func decode<Value: FixedWidthInteger & Decodable>(_ type: Value.Type) throws -> Value { try text.integer(index) }
  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try Value(from: self) }
}

private struct MemberReader<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let text: JSONText
  let index: Int

  var codingPath: [any CodingKey] { [] }

  var allKeys: [Key] {
    var seen: Set<String> = []
    // The names were validated when the text was parsed.
    return text.children(of: index).compactMap { text.name($0) }.filter { seen.insert($0).inserted }
      .compactMap { Key(stringValue: $0) }
  }

  private func find(_ key: Key) -> Int? {
    var name = key.stringValue
    return name.withUTF8 { text.member(of: index, named: $0) }
  }

  /// Returns the value of a member; nil if the member is missing or null.
  private func present(_ key: Key) -> Int? {
    guard let found = find(key), text.nodes[found].kind != .null else { return nil }
    return found
  }

  private func value(_ key: Key) throws -> Int {
    guard let found = find(key) else { throw UnsupportedJSON() }
    return found
  }

  func contains(_ key: Key) -> Bool { find(key) != nil }
  func decodeNil(forKey key: Key) throws -> Bool { text.nodes[try value(key)].kind == .null }
  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try text.bool(try value(key)) }
  func decode(_ type: String.Type, forKey key: Key) throws -> String { try text.string(try value(key)) }
  func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try text.double(try value(key)) }
  func decode<Value: FixedWidthInteger & Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    try text.integer(try value(key))
  }

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    try Value(from: JSONReader(text: text, index: try value(key)))
  }

  // The default implementations would look up a member three times.
  func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? { try present(key).map(text.bool) }
  func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? { try present(key).map(text.string) }
  func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? { try present(key).map(text.double) }
  func decodeIfPresent<Value: FixedWidthInteger & Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
    try present(key).map { try text.integer($0) }
  }
  func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
    try present(key).map { try Value(from: JSONReader(text: text, index: $0)) }
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> {
    try JSONReader(text: text, index: try value(key)).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try ElementReader(text, try value(key))
  }

  func superDecoder() throws -> any Decoder { throw UnsupportedJSON() }
  func superDecoder(forKey key: Key) throws -> any Decoder { JSONReader(text: text, index: try value(key)) }
}

private struct ElementReader: UnkeyedDecodingContainer {
  let text: JSONText
  let count: Int?
  private let end: Int
  private var at: Int
  private(set) var currentIndex = 0

  init(_ text: JSONText, _ index: Int) throws {
    guard text.nodes[index].kind == .array else { throw UnsupportedJSON() }
    self.text = text
    end = Int(text.nodes[index].next)
    at = index + 1
    count = text.children(of: index).reduce(0 as Int) { sum, _ in sum + 1 }
  }

  var codingPath: [any CodingKey] { [] }
  var isAtEnd: Bool { at >= end }

  private func position() throws -> Int {
    guard at < end else { throw UnsupportedJSON() }
    return at
  }

  private mutating func advanced<Value>(_ value: Value) -> Value {
    at = Int(text.nodes[at].next)
    currentIndex += 1
    return value
  }

  mutating func decodeNil() throws -> Bool {
    text.nodes[try position()].kind == .null ? advanced(true) : false
  }

  mutating func decode(_ type: Bool.Type) throws -> Bool { advanced(try text.bool(try position())) }
  mutating func decode(_ type: String.Type) throws -> String { advanced(try text.string(try position())) }
  mutating func decode(_ type: Double.Type) throws -> Double { advanced(try text.double(try position())) }
  mutating func decode<Value: FixedWidthInteger & Decodable>(_ type: Value.Type) throws -> Value {
    advanced(try text.integer(try position()))
  }

  mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    advanced(try Value(from: JSONReader(text: text, index: try position())))
  }

  mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) throws -> KeyedDecodingContainer<Nested> {
    advanced(try JSONReader(text: text, index: try position()).container(keyedBy: type))
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    advanced(try ElementReader(text, try position()))
  }

  mutating func superDecoder() throws -> any Decoder { advanced(JSONReader(text: text, index: try position())) }
}

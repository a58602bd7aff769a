/// Reads a value out of a JSON text: a decoder of the standard library's kind that costs a fifth of Foundation's.
///
/// It knows the standard library's types; Foundation's (dates, data, URLs) are in no message. What it does not
/// understand it refuses with `UnsupportedJSON`, and the slow way is asked.
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
  func decode(_ type: Int.Type) throws -> Int { try text.integer(index) }
  func decode(_ type: Int8.Type) throws -> Int8 { try text.integer(index) }
  func decode(_ type: Int16.Type) throws -> Int16 { try text.integer(index) }
  func decode(_ type: Int32.Type) throws -> Int32 { try text.integer(index) }
  func decode(_ type: Int64.Type) throws -> Int64 { try text.integer(index) }
  func decode(_ type: UInt.Type) throws -> UInt { try text.integer(index) }
  func decode(_ type: UInt8.Type) throws -> UInt8 { try text.integer(index) }
  func decode(_ type: UInt16.Type) throws -> UInt16 { try text.integer(index) }
  func decode(_ type: UInt32.Type) throws -> UInt32 { try text.integer(index) }
  func decode(_ type: UInt64.Type) throws -> UInt64 { try text.integer(index) }
  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try Value(from: self) }
}

/// Reads the members of an object.
private struct MemberReader<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let text: JSONText
  let index: Int

  var codingPath: [any CodingKey] { [] }

  var allKeys: [Key] {
    var keys: [Key] = []
    var seen: Set<String> = []
    var at = index + 1
    while at < Int(text.nodes[index].next) {
      // A name that is no text was refused together with all else.
      if let name = try? text.string(at), seen.insert(name).inserted, let key = Key(stringValue: name) {
        keys.append(key)
      }
      at = Int(text.nodes[at + 1].next)
    }
    return keys
  }

  private func find(_ key: Key) -> Int? { text.member(of: index, named: key.stringValue) }

  /// A member that is there and not null.
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
  func decode(_ type: Float.Type, forKey key: Key) throws -> Float { throw UnsupportedJSON() }
  func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try text.integer(try value(key)) }
  func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try text.integer(try value(key)) }
  func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try text.integer(try value(key)) }
  func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try text.integer(try value(key)) }
  func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try text.integer(try value(key)) }
  func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try text.integer(try value(key)) }
  func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try text.integer(try value(key)) }
  func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try text.integer(try value(key)) }
  func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try text.integer(try value(key)) }
  func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try text.integer(try value(key)) }

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    try Value(from: JSONReader(text: text, index: try value(key)))
  }

  // The library's own ones look a member up three times.
  func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? { try present(key).map(text.bool) }
  func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? { try present(key).map(text.string) }
  func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? { try present(key).map(text.double) }
  func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? {
    try present(key).map { try text.integer($0) }
  }
  func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? {
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

/// Reads the elements of an array.
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
    var (count, next) = (0, index + 1)
    while next < end {
      count += 1
      next = Int(text.nodes[next].next)
    }
    self.count = count
  }

  var codingPath: [any CodingKey] { [] }
  var isAtEnd: Bool { at >= end }

  private func place() throws -> Int {
    guard at < end else { throw UnsupportedJSON() }
    return at
  }

  /// Passes on to the next element.
  private mutating func taken<Value>(_ value: Value) -> Value {
    at = Int(text.nodes[at].next)
    currentIndex += 1
    return value
  }

  mutating func decodeNil() throws -> Bool {
    text.nodes[try place()].kind == .null ? taken(true) : false
  }

  mutating func decode(_ type: Bool.Type) throws -> Bool { taken(try text.bool(try place())) }
  mutating func decode(_ type: String.Type) throws -> String { taken(try text.string(try place())) }
  mutating func decode(_ type: Double.Type) throws -> Double { taken(try text.double(try place())) }
  mutating func decode(_ type: Float.Type) throws -> Float { throw UnsupportedJSON() }
  mutating func decode(_ type: Int.Type) throws -> Int { taken(try text.integer(try place())) }
  mutating func decode(_ type: Int8.Type) throws -> Int8 { taken(try text.integer(try place())) }
  mutating func decode(_ type: Int16.Type) throws -> Int16 { taken(try text.integer(try place())) }
  mutating func decode(_ type: Int32.Type) throws -> Int32 { taken(try text.integer(try place())) }
  mutating func decode(_ type: Int64.Type) throws -> Int64 { taken(try text.integer(try place())) }
  mutating func decode(_ type: UInt.Type) throws -> UInt { taken(try text.integer(try place())) }
  mutating func decode(_ type: UInt8.Type) throws -> UInt8 { taken(try text.integer(try place())) }
  mutating func decode(_ type: UInt16.Type) throws -> UInt16 { taken(try text.integer(try place())) }
  mutating func decode(_ type: UInt32.Type) throws -> UInt32 { taken(try text.integer(try place())) }
  mutating func decode(_ type: UInt64.Type) throws -> UInt64 { taken(try text.integer(try place())) }

  mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    taken(try Value(from: JSONReader(text: text, index: try place())))
  }

  mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) throws -> KeyedDecodingContainer<Nested> {
    taken(try JSONReader(text: text, index: try place()).container(keyedBy: type))
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    taken(try ElementReader(text, try place()))
  }

  mutating func superDecoder() throws -> any Decoder { taken(JSONReader(text: text, index: try place())) }
}

import Model

/// Decodes a value from a JSON text, at a fifth of the cost of Foundation's decoder.
///
/// It supports the types of the standard library; messages contain none of Foundation's (dates, data, URLs). Paths of
/// keys are found only for errors.
struct JSONReader: InputDecoder, SingleValueDecodingContainer {
  let text: JSONText
  var index = 0
  let refusesUnknownNames: Bool

  var codingPath: [any CodingKey] { text.path(to: index) }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  /// Returns the reader of another value of the text.
  fileprivate func at(_ index: Int) -> JSONReader {
    JSONReader(text: text, index: index, refusesUnknownNames: refusesUnknownNames)
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    guard text.nodes[index].kind == .object else { throw text.mismatch(index, [String: Any].self) }
    return KeyedDecodingContainer(MemberReader<Key>(object: self))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer { try ElementReader(self) }
  func singleValueContainer() -> any SingleValueDecodingContainer { self }

  func decodeNil() -> Bool { text.nodes[index].kind == .null }
  func decode(_ type: Bool.Type) throws -> Bool { try text.bool(index) }
  func decode(_ type: String.Type) throws -> String { try text.string(index) }
  func decode(_ type: Double.Type) throws -> Double { try text.double(index) }
  func decode(_ type: Float.Type) throws -> Float { Float(try text.double(index)) }
  func decode<Value: FixedWidthInteger & Decodable>(_ type: Value.Type) throws -> Value { try text.integer(index) }
  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try Value(from: self) }
}

private struct MemberReader<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let object: JSONReader

  private var text: JSONText { object.text }
  var codingPath: [any CodingKey] { object.codingPath }

  var allKeys: [Key] {
    var seen: Set<String> = []
    // The names were validated when the text was parsed.
    return text.children(of: object.index).compactMap { text.name($0) }.filter { seen.insert($0).inserted }
      .compactMap { Key(stringValue: $0) }
  }

  private func find(_ key: Key) -> Int? {
    var name = key.stringValue
    return name.withUTF8 { text.member(of: object.index, named: $0) }
  }

  /// Returns the value of a member; nil if the member is missing or null.
  private func present(_ key: Key) -> Int? {
    guard let found = find(key), text.nodes[found].kind != .null else { return nil }
    return found
  }

  private func value(_ key: Key) throws -> Int {
    guard let found = find(key) else {
      throw DecodingError.keyNotFound(
        key, .init(codingPath: codingPath, debugDescription: "\(key.stringValue) is missing."))
    }
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
    try Value(from: object.at(try value(key)))
  }

  // The default implementations would look up a member three times.
  func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? { try present(key).map(text.bool) }
  func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? { try present(key).map(text.string) }
  func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? { try present(key).map(text.double) }
  func decodeIfPresent<Value: FixedWidthInteger & Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
    try present(key).map { try text.integer($0) }
  }
  func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
    try present(key).map { try Value(from: object.at($0)) }
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> {
    try object.at(try value(key)).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try ElementReader(object.at(try value(key)))
  }

  func superDecoder() throws -> any Decoder {
    throw DecodingError.keyNotFound(
      JSONKey(stringValue: "super"), .init(codingPath: codingPath, debugDescription: "Superclasses are not supported."))
  }
  func superDecoder(forKey key: Key) throws -> any Decoder { object.at(try value(key)) }
}

private struct ElementReader: UnkeyedDecodingContainer {
  private let array: JSONReader
  let count: Int?
  private let end: Int
  private var at: Int
  private(set) var currentIndex = 0

  private var text: JSONText { array.text }

  init(_ array: JSONReader) throws {
    guard array.text.nodes[array.index].kind == .array else { throw array.text.mismatch(array.index, [Any].self) }
    self.array = array
    end = Int(array.text.nodes[array.index].next)
    at = array.index + 1
    count = array.text.children(of: array.index).reduce(0 as Int) { sum, _ in sum + 1 }
  }

  var codingPath: [any CodingKey] { array.codingPath }
  var isAtEnd: Bool { at >= end }

  private func position() throws -> Int {
    guard at < end else {
      throw DecodingError.valueNotFound(
        Any.self, .init(codingPath: codingPath, debugDescription: "There are only \(currentIndex) elements."))
    }
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
    advanced(try Value(from: array.at(try position())))
  }

  mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) throws -> KeyedDecodingContainer<Nested> {
    advanced(try array.at(try position()).container(keyedBy: type))
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    advanced(try ElementReader(array.at(try position())))
  }

  mutating func superDecoder() throws -> any Decoder { advanced(array.at(try position())) }
}

private struct JSONKey: CodingKey {
  let stringValue: String
  var intValue: Int? { Int(stringValue) }
  init(stringValue: String) { self.stringValue = stringValue }
  init(intValue: Int) { stringValue = "\(intValue)" }
}

/// The errors of values that are not what their type needs.
extension JSONText {
  func mismatch(_ index: Int, _ type: any Any.Type) -> DecodingError {
    let kind = nodes[index].kind
    let context = DecodingError.Context(
      codingPath: path(to: index), debugDescription: "It is of the kind \(kind), and not \(type).")
    return kind == .null ? .valueNotFound(type, context) : .typeMismatch(type, context)
  }

  func corruption(_ index: Int, _ type: any Any.Type) -> DecodingError {
    .dataCorrupted(.init(codingPath: path(to: index), debugDescription: "It does not fit into \(type)."))
  }

  /// Returns the names and places by which a value is reached from the root.
  fileprivate func path(to index: Int) -> [any CodingKey] {
    var (path, at) = ([any CodingKey](), 0)
    while at < index {
      let children = Array(children(of: at))
      guard let place = children.lastIndex(where: { $0 <= index }) else { break }
      let (child, isMember) = (children[place], nodes[at].kind == .object)
      path.append(isMember ? JSONKey(stringValue: name(child) ?? "") : JSONKey(intValue: place))
      at = isMember ? child + 1 : child
    }
    return path
  }
}

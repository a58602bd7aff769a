/// Writes a value as JSON: an encoder of the standard library's kind that costs a fifth of Foundation's.
///
/// It knows the standard library's types; Foundation's (dates, data, URLs) are in no message.
final class JSONWriter: Encoder, SingleValueEncodingContainer {
  /// What was written; nil before that.
  private(set) var value: JSONValue?

  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  /// What a value becomes; an object without members where it says nothing.
  static func value(of encoded: some Encodable) throws -> JSONValue {
    let writer = JSONWriter()
    try encoded.encode(to: writer)
    return writer.value ?? .object(JSONMembers())
  }

  fileprivate func members() -> JSONMembers {
    if case .object(let members) = value { return members }
    let members = JSONMembers()
    value = .object(members)
    return members
  }

  fileprivate func elements() -> JSONElements {
    if case .array(let elements) = value { return elements }
    let elements = JSONElements()
    value = .array(elements)
    return elements
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(MemberWriter<Key>(members: members()))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer { ElementWriter(elements: elements()) }
  func singleValueContainer() -> any SingleValueEncodingContainer { self }

  func encodeNil() { value = .null }
  func encode(_ value: Bool) { self.value = .bool(value) }
  func encode(_ value: String) { self.value = .string(value) }
  func encode(_ value: Double) { self.value = .double(value) }
  func encode(_ value: Float) throws { throw NotQuick() }
  func encode(_ value: Int) { self.value = .integer(Int64(value)) }
  func encode(_ value: Int8) { self.value = .integer(Int64(value)) }
  func encode(_ value: Int16) { self.value = .integer(Int64(value)) }
  func encode(_ value: Int32) { self.value = .integer(Int64(value)) }
  func encode(_ value: Int64) { self.value = .integer(value) }
  func encode(_ value: UInt) { self.value = .unsigned(UInt64(value)) }
  func encode(_ value: UInt8) { self.value = .unsigned(UInt64(value)) }
  func encode(_ value: UInt16) { self.value = .unsigned(UInt64(value)) }
  func encode(_ value: UInt32) { self.value = .unsigned(UInt64(value)) }
  func encode(_ value: UInt64) { self.value = .unsigned(value) }
  func encode<Value: Encodable>(_ value: Value) throws { self.value = try JSONWriter.value(of: value) }
}

/// Writes the members of an object.
private struct MemberWriter<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let members: JSONMembers

  var codingPath: [any CodingKey] { [] }

  func encodeNil(forKey key: Key) { members.set(key.stringValue, .null) }
  func encode(_ value: Bool, forKey key: Key) { members.set(key.stringValue, .bool(value)) }
  func encode(_ value: String, forKey key: Key) { members.set(key.stringValue, .string(value)) }
  func encode(_ value: Double, forKey key: Key) { members.set(key.stringValue, .double(value)) }
  func encode(_ value: Float, forKey key: Key) throws { throw NotQuick() }
  func encode(_ value: Int, forKey key: Key) { members.set(key.stringValue, .integer(Int64(value))) }
  func encode(_ value: Int8, forKey key: Key) { members.set(key.stringValue, .integer(Int64(value))) }
  func encode(_ value: Int16, forKey key: Key) { members.set(key.stringValue, .integer(Int64(value))) }
  func encode(_ value: Int32, forKey key: Key) { members.set(key.stringValue, .integer(Int64(value))) }
  func encode(_ value: Int64, forKey key: Key) { members.set(key.stringValue, .integer(value)) }
  func encode(_ value: UInt, forKey key: Key) { members.set(key.stringValue, .unsigned(UInt64(value))) }
  func encode(_ value: UInt8, forKey key: Key) { members.set(key.stringValue, .unsigned(UInt64(value))) }
  func encode(_ value: UInt16, forKey key: Key) { members.set(key.stringValue, .unsigned(UInt64(value))) }
  func encode(_ value: UInt32, forKey key: Key) { members.set(key.stringValue, .unsigned(UInt64(value))) }
  func encode(_ value: UInt64, forKey key: Key) { members.set(key.stringValue, .unsigned(value)) }

  func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
    members.set(key.stringValue, try JSONWriter.value(of: value))
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Nested> {
    let nested = JSONMembers()
    members.set(key.stringValue, .object(nested))
    return KeyedEncodingContainer(MemberWriter<Nested>(members: nested))
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    let nested = JSONElements()
    members.set(key.stringValue, .array(nested))
    return ElementWriter(elements: nested)
  }

  func superEncoder() -> any Encoder {
    members.set("super", .unknown)
    return JSONWriter()
  }

  func superEncoder(forKey key: Key) -> any Encoder { superEncoder() }
}

/// Writes the elements of an array.
private struct ElementWriter: UnkeyedEncodingContainer {
  let elements: JSONElements

  var codingPath: [any CodingKey] { [] }
  var count: Int { elements.values.count }

  func encodeNil() { elements.values.append(.null) }
  func encode(_ value: Bool) { elements.values.append(.bool(value)) }
  func encode(_ value: String) { elements.values.append(.string(value)) }
  func encode(_ value: Double) { elements.values.append(.double(value)) }
  func encode(_ value: Float) throws { throw NotQuick() }
  func encode(_ value: Int) { elements.values.append(.integer(Int64(value))) }
  func encode(_ value: Int8) { elements.values.append(.integer(Int64(value))) }
  func encode(_ value: Int16) { elements.values.append(.integer(Int64(value))) }
  func encode(_ value: Int32) { elements.values.append(.integer(Int64(value))) }
  func encode(_ value: Int64) { elements.values.append(.integer(value)) }
  func encode(_ value: UInt) { elements.values.append(.unsigned(UInt64(value))) }
  func encode(_ value: UInt8) { elements.values.append(.unsigned(UInt64(value))) }
  func encode(_ value: UInt16) { elements.values.append(.unsigned(UInt64(value))) }
  func encode(_ value: UInt32) { elements.values.append(.unsigned(UInt64(value))) }
  func encode(_ value: UInt64) { elements.values.append(.unsigned(value)) }
  func encode<Value: Encodable>(_ value: Value) throws { elements.values.append(try JSONWriter.value(of: value)) }

  func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
    let nested = JSONMembers()
    elements.values.append(.object(nested))
    return KeyedEncodingContainer(MemberWriter<Nested>(members: nested))
  }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    let nested = JSONElements()
    elements.values.append(.array(nested))
    return ElementWriter(elements: nested)
  }

  func superEncoder() -> any Encoder {
    elements.values.append(.unknown)
    return JSONWriter()
  }
}

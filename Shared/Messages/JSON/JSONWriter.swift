/// Writes a value as JSON: an encoder of the standard library's kind that costs a tenth of Foundation's.
///
/// It knows the standard library's types; Foundation's (dates, data, URLs) are in no message.
struct JSONWriter: Encoder, SingleValueEncodingContainer {
  /// The text that all parts of one value write to, by one thread.
  final class Sheet {
    /// Behind a pointer of its own, which lives as long as this does: each field would else be guarded against somebody
    /// writing at the same time, at a sixth of the whole cost. Nothing in a draft calls anybody who could.
    fileprivate let draft: UnsafeMutablePointer<JSONDraft>

    init() {
      draft = .allocate(capacity: 1)
      draft.initialize(to: JSONDraft())
    }

    deinit {
      draft.deinitialize(count: 1)
      draft.deallocate()
    }

    /// Writes what comes next as a value's own code says it.
    func write(_ value: some Encodable) throws {
      let mark = draft.pointee.mark
      try value.encode(to: JSONWriter(sheet: self, mark: mark))
      try draft.pointee.end(mark)
    }
  }

  fileprivate let sheet: Sheet
  fileprivate let mark: JSONDraft.Mark

  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  /// The text of a value.
  ///
  /// - Throws: `UnsupportedJSON`, and what the value's own code throws.
  static func text(of value: some Encodable) throws -> [UInt8] {
    let sheet = Sheet()
    try sheet.write(value)
    return sheet.draft.pointee.text
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(MemberWriter<Key>(sheet: sheet, place: sheet.draft.pointee.begin(at: mark, isObject: true)))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    ElementWriter(sheet: sheet, place: sheet.draft.pointee.begin(at: mark, isObject: false))
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { self }

  func encodeNil() throws { try plain { $0.null() } }
  func encode(_ value: Bool) throws { try plain { $0.bool(value) } }
  func encode(_ value: String) throws { try plain { $0.string(value) } }
  func encode(_ value: Double) throws { try plain { try $0.double(value) } }
  func encode(_ value: Float) throws { throw UnsupportedJSON() }
  func encode(_ value: Int) throws { try plain { $0.integer(value) } }
  func encode(_ value: Int8) throws { try plain { $0.integer(value) } }
  func encode(_ value: Int16) throws { try plain { $0.integer(value) } }
  func encode(_ value: Int32) throws { try plain { $0.integer(value) } }
  func encode(_ value: Int64) throws { try plain { $0.integer(value) } }
  func encode(_ value: UInt) throws { try plain { $0.integer(value) } }
  func encode(_ value: UInt8) throws { try plain { $0.integer(value) } }
  func encode(_ value: UInt16) throws { try plain { $0.integer(value) } }
  func encode(_ value: UInt32) throws { try plain { $0.integer(value) } }
  func encode(_ value: UInt64) throws { try plain { $0.integer(value) } }
  func encode<Value: Encodable>(_ value: Value) throws { try value.encode(to: self) }

  @inline(__always)
  private func plain(_ write: (inout JSONDraft) throws -> Void) throws {
    try sheet.draft.pointee.value(at: mark)
    try write(&sheet.draft.pointee)
  }
}

/// Writes the members of an object.
private struct MemberWriter<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let sheet: JSONWriter.Sheet
  let place: JSONDraft.Place

  var codingPath: [any CodingKey] { [] }

  @inline(__always)
  private func member(_ key: Key, _ write: (inout JSONDraft) throws -> Void) throws {
    let name = key.stringValue
    try sheet.draft.pointee.name(name, in: place)
    try write(&sheet.draft.pointee)
  }

  func encodeNil(forKey key: Key) throws { try member(key) { $0.null() } }
  func encode(_ value: Bool, forKey key: Key) throws { try member(key) { $0.bool(value) } }
  func encode(_ value: String, forKey key: Key) throws { try member(key) { $0.string(value) } }
  func encode(_ value: Double, forKey key: Key) throws { try member(key) { try $0.double(value) } }
  func encode(_ value: Float, forKey key: Key) throws { throw UnsupportedJSON() }
  func encode(_ value: Int, forKey key: Key) throws { try member(key) { $0.integer(value) } }
  func encode(_ value: Int8, forKey key: Key) throws { try member(key) { $0.integer(value) } }
  func encode(_ value: Int16, forKey key: Key) throws { try member(key) { $0.integer(value) } }
  func encode(_ value: Int32, forKey key: Key) throws { try member(key) { $0.integer(value) } }
  func encode(_ value: Int64, forKey key: Key) throws { try member(key) { $0.integer(value) } }
  func encode(_ value: UInt, forKey key: Key) throws { try member(key) { $0.integer(value) } }
  func encode(_ value: UInt8, forKey key: Key) throws { try member(key) { $0.integer(value) } }
  func encode(_ value: UInt16, forKey key: Key) throws { try member(key) { $0.integer(value) } }
  func encode(_ value: UInt32, forKey key: Key) throws { try member(key) { $0.integer(value) } }
  func encode(_ value: UInt64, forKey key: Key) throws { try member(key) { $0.integer(value) } }

  func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
    try sheet.draft.pointee.name(key.stringValue, in: place)
    try sheet.write(value)
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Nested> {
    KeyedEncodingContainer(MemberWriter<Nested>(sheet: sheet, place: begin(key, isObject: true)))
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    ElementWriter(sheet: sheet, place: begin(key, isObject: false))
  }

  private func begin(_ key: Key, isObject: Bool) -> JSONDraft.Place {
    // It is lost where it cannot be begun, and refuses what follows.
    do { try sheet.draft.pointee.name(key.stringValue, in: place) } catch { return .nowhere }
    return sheet.draft.pointee.begin(isObject: isObject)
  }

  func superEncoder() -> any Encoder {
    sheet.draft.pointee.lose()
    return JSONWriter(sheet: sheet, mark: .nowhere)
  }

  func superEncoder(forKey key: Key) -> any Encoder { superEncoder() }
}

/// Writes the elements of an array.
private struct ElementWriter: UnkeyedEncodingContainer {
  let sheet: JSONWriter.Sheet
  let place: JSONDraft.Place

  var codingPath: [any CodingKey] { [] }
  var count: Int { sheet.draft.pointee.count(of: place) }

  @inline(__always)
  private func element(_ write: (inout JSONDraft) throws -> Void) throws {
    try sheet.draft.pointee.element(in: place)
    try write(&sheet.draft.pointee)
  }

  func encodeNil() throws { try element { $0.null() } }
  func encode(_ value: Bool) throws { try element { $0.bool(value) } }
  func encode(_ value: String) throws { try element { $0.string(value) } }
  func encode(_ value: Double) throws { try element { try $0.double(value) } }
  func encode(_ value: Float) throws { throw UnsupportedJSON() }
  func encode(_ value: Int) throws { try element { $0.integer(value) } }
  func encode(_ value: Int8) throws { try element { $0.integer(value) } }
  func encode(_ value: Int16) throws { try element { $0.integer(value) } }
  func encode(_ value: Int32) throws { try element { $0.integer(value) } }
  func encode(_ value: Int64) throws { try element { $0.integer(value) } }
  func encode(_ value: UInt) throws { try element { $0.integer(value) } }
  func encode(_ value: UInt8) throws { try element { $0.integer(value) } }
  func encode(_ value: UInt16) throws { try element { $0.integer(value) } }
  func encode(_ value: UInt32) throws { try element { $0.integer(value) } }
  func encode(_ value: UInt64) throws { try element { $0.integer(value) } }

  func encode<Value: Encodable>(_ value: Value) throws {
    try sheet.draft.pointee.element(in: place)
    try sheet.write(value)
  }

  func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
    KeyedEncodingContainer(MemberWriter<Nested>(sheet: sheet, place: begin(isObject: true)))
  }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    ElementWriter(sheet: sheet, place: begin(isObject: false))
  }

  private func begin(isObject: Bool) -> JSONDraft.Place {
    // It is lost where it cannot be begun, and refuses what follows.
    do { try sheet.draft.pointee.element(in: place) } catch { return .nowhere }
    return sheet.draft.pointee.begin(isObject: isObject)
  }

  func superEncoder() -> any Encoder {
    sheet.draft.pointee.lose()
    return JSONWriter(sheet: sheet, mark: .nowhere)
  }
}

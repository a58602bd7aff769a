/// Encodes a value as JSON, at a tenth of the cost of Foundation's encoder.
///
/// It supports the types of the standard library; messages contain none of Foundation's (dates, data, URLs).
struct JSONWriter: Encoder, SingleValueEncodingContainer {
  /// The text that all parts of one value are written to, on one thread.
  final class Output {
    /// The builder. It is behind a pointer, which is valid while this object exists, because a property would be
    /// checked for exclusive access at each field, at a sixth of the whole cost. The builder never calls back into the
    /// value's code.
    fileprivate let builder: UnsafeMutablePointer<JSONBuilder>

    init() {
      builder = .allocate(capacity: 1)
      builder.initialize(to: JSONBuilder())
    }

    deinit {
      builder.deinitialize(count: 1)
      builder.deallocate()
    }

    /// Writes the next value by its `encode(to:)`.
    func write(_ value: some Encodable) throws {
      let slot = builder.pointee.slot
      try value.encode(to: JSONWriter(output: self, slot: slot))
      try builder.pointee.end(slot)
    }

    /// Begins an object or array as the value that `advance` begins.
    fileprivate func begin(
      isObject: Bool, _ advance: (inout JSONBuilder) throws -> Void
    ) -> JSONBuilder.Container {
      // If the container cannot begin, the builder has failed and refuses all further calls.
      do { try advance(&builder.pointee) } catch { return .none }
      return builder.pointee.begin(isObject: isObject)
    }

    /// Makes the encoding fail, as encoders of superclasses are not supported; no message uses them.
    fileprivate func superEncoder() -> any Encoder {
      builder.pointee.fail()
      return JSONWriter(output: self, slot: .none)
    }
  }

  fileprivate let output: Output
  fileprivate let slot: JSONBuilder.Slot

  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  /// Returns the text of a value.
  ///
  /// - Throws: `UnsupportedJSON`, and the errors of the value's own code.
  static func text(of value: some Encodable) throws -> [UInt8] {
    let output = Output()
    try output.write(value)
    return output.builder.pointee.text
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(
      MemberWriter<Key>(output: output, container: output.builder.pointee.begin(at: slot, isObject: true)))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    ElementWriter(output: output, container: output.builder.pointee.begin(at: slot, isObject: false))
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { self }

  func encodeNil() throws { try plain { $0.null() } }
  func encode(_ value: Bool) throws { try plain { $0.bool(value) } }
  func encode(_ value: String) throws { try plain { $0.string(value) } }
  func encode(_ value: Double) throws { try plain { try $0.double(value) } }
  func encode(_ value: Float) throws { throw UnsupportedJSON(description: "A Float is written as a Double.") }
  func encode<Value: FixedWidthInteger & Encodable>(_ value: Value) throws { try plain { $0.integer(value) } }
  func encode<Value: Encodable>(_ value: Value) throws { try value.encode(to: self) }

  @inline(__always)
  private func plain(_ write: (inout JSONBuilder) throws -> Void) throws {
    try output.builder.pointee.value(at: slot)
    try write(&output.builder.pointee)
  }
}

private struct MemberWriter<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let output: JSONWriter.Output
  let container: JSONBuilder.Container

  var codingPath: [any CodingKey] { [] }

  @inline(__always)
  private func member(_ key: Key, _ write: (inout JSONBuilder) throws -> Void) throws {
    let name = key.stringValue
    try output.builder.pointee.name(name, in: container)
    try write(&output.builder.pointee)
  }

  func encodeNil(forKey key: Key) throws { try member(key) { $0.null() } }
  func encode(_ value: Bool, forKey key: Key) throws { try member(key) { $0.bool(value) } }
  func encode(_ value: String, forKey key: Key) throws { try member(key) { $0.string(value) } }
  func encode(_ value: Double, forKey key: Key) throws { try member(key) { try $0.double(value) } }
  func encode<Value: FixedWidthInteger & Encodable>(_ value: Value, forKey key: Key) throws {
    try member(key) { $0.integer(value) }
  }

  func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
    try output.builder.pointee.name(key.stringValue, in: container)
    try output.write(value)
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Nested> {
    KeyedEncodingContainer(MemberWriter<Nested>(output: output, container: begin(key, isObject: true)))
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    ElementWriter(output: output, container: begin(key, isObject: false))
  }

  private func begin(_ key: Key, isObject: Bool) -> JSONBuilder.Container {
    output.begin(isObject: isObject) { try $0.name(key.stringValue, in: container) }
  }

  func superEncoder() -> any Encoder { output.superEncoder() }
  func superEncoder(forKey key: Key) -> any Encoder { output.superEncoder() }
}

private struct ElementWriter: UnkeyedEncodingContainer {
  let output: JSONWriter.Output
  let container: JSONBuilder.Container

  var codingPath: [any CodingKey] { [] }
  var count: Int { output.builder.pointee.count(of: container) }

  @inline(__always)
  private func element(_ write: (inout JSONBuilder) throws -> Void) throws {
    try output.builder.pointee.element(in: container)
    try write(&output.builder.pointee)
  }

  func encodeNil() throws { try element { $0.null() } }
  func encode(_ value: Bool) throws { try element { $0.bool(value) } }
  func encode(_ value: String) throws { try element { $0.string(value) } }
  func encode(_ value: Double) throws { try element { try $0.double(value) } }
  func encode<Value: FixedWidthInteger & Encodable>(_ value: Value) throws { try element { $0.integer(value) } }

  func encode<Value: Encodable>(_ value: Value) throws {
    try output.builder.pointee.element(in: container)
    try output.write(value)
  }

  func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
    KeyedEncodingContainer(MemberWriter<Nested>(output: output, container: begin(isObject: true)))
  }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    ElementWriter(output: output, container: begin(isObject: false))
  }

  private func begin(isObject: Bool) -> JSONBuilder.Container {
    output.begin(isObject: isObject) { try $0.element(in: container) }
  }

  func superEncoder() -> any Encoder { output.superEncoder() }
}

/// A value of a JSON text with lenient access: numbers may be written as strings, and booleans as numbers.
///
/// The text is parsed once; values are read from its bytes on demand. A hundred thousand records take about two seconds
/// this way, and half a minute with a decoder of types.
public struct JSONView: Sendable {
  private let text: JSONText
  private let index: Int

  /// Parses a text; nil if the bytes are not JSON (RFC 8259), or have more than two million values: servers split
  /// longer lists into pages.
  public init?(_ bytes: [UInt8]) {
    guard let text = JSONText(bytes) else { return nil }
    self.init(text, 0)
  }

  private init(_ text: JSONText, _ index: Int) {
    self.text = text
    self.index = index
  }

  /// The kinds of values.
  public enum Kind: Sendable {
    case null, bool, number, string, array, object
  }

  /// The kind of this value.
  public var kind: Kind {
    switch text.nodes[index].kind {
    case .null: .null
    case .yes, .no: .bool
    case .number: .number
    case .string: .string
    case .array: .array
    case .object: .object
    }
  }

  /// The value of an object's member; nil if it is missing or null, or if this value is not an object.
  public subscript(_ name: StaticString) -> JSONView? {
    guard isObject else { return nil }
    let name = UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
    guard let found = text.member(of: index, named: name), text.nodes[found].kind != .null else { return nil }
    return JSONView(text, found)
  }

  /// The elements of an array. An object gives itself as the only element, as some servers write lists of one so.
  public var elements: [JSONView] {
    switch text.nodes[index].kind {
    case .object: [self]
    case .array: text.children(of: index).map { JSONView(text, $0) }
    default: []
    }
  }

  /// True if this value is an array.
  public var isArray: Bool { text.nodes[index].kind == .array }

  /// True if this value is an object.
  public var isObject: Bool { text.nodes[index].kind == .object }

  /// The members of an object in their order, without those that are null. Empty if this value is not an object.
  public var members: [(name: String, value: JSONView)] {
    guard isObject else { return [] }
    return text.children(of: index).compactMap { at in
      text.nodes[at + 1].kind == .null ? nil : text.name(at).map { ($0, JSONView(text, at + 1)) }
    }
  }

  /// The text of a string or of a number; nil for other values. Bytes that are not UTF-8 are replaced.
  public var string: String? {
    let node = text.nodes[index]
    switch node.kind {
    case .string: return text.withText(of: node) { JSONText.string($0, node) ?? String(decoding: $0, as: UTF8.self) }
    case .number: return text.withText(of: node) { String(decoding: $0, as: UTF8.self) }
    default: return nil
    }
  }

  /// A whole number, written as a number, a string or a boolean; decimal places are dropped.
  public var integer: Int64? {
    let node = text.nodes[index]
    switch node.kind {
    case .yes: return 1
    case .no: return 0
    case .number, .string: break
    default: return nil
    }
    if let whole: Int64 = text.withText(of: node, { JSONText.integer($0) }) { return whole }
    return number.flatMap { abs($0) < 9e15 ? Int64($0) : nil }
  }

  /// A whole number within a range; nil for any other.
  public func integer(in range: ClosedRange<Int>) -> Int? {
    integer.map { Int(clamping: $0) }.flatMap { range.contains($0) ? $0 : nil }
  }

  /// A number, written as a number or as a string; nil if it is not finite.
  public var number: Double? {
    let node = text.nodes[index]
    guard node.kind == .number || node.kind == .string else { return nil }
    return text.withText(of: node) { Double(String(decoding: $0, as: UTF8.self)) }.flatMap { $0.isFinite ? $0 : nil }
  }

  /// True for `true`, 1, `"1"` and `"true"`.
  public var isTrue: Bool {
    switch text.nodes[index].kind {
    case .yes: true
    case .number, .string: integer == 1 || string == "true"
    default: false
    }
  }
}

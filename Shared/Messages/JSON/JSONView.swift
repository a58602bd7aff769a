/// A value of a JSON text, read leniently: for servers that write numbers as texts and truth as numbers.
///
/// The text is gone through once; what is asked for is read out of its bytes. A hundred thousand records cost about
/// two seconds that way, where a decoder of types takes half a minute.
public struct JSONView: Sendable {
  private let text: JSONText
  private let index: Int

  /// Takes a whole text; nil for what is no JSON (RFC 8259).
  public init?(_ bytes: [UInt8]) {
    guard let text = JSONText(bytes) else { return nil }
    self.init(text, 0)
  }

  private init(_ text: JSONText, _ index: Int) {
    self.text = text
    self.index = index
  }

  /// The value of an object's member; nil where there is none, where it is null, and for what is no object.
  public subscript(_ name: StaticString) -> JSONView? {
    guard text.nodes[index].kind == .object else { return nil }
    let end = Int(text.nodes[index].next)
    var at = index + 1
    while at < end {
      if text.isName(at, name) {
        return text.nodes[at + 1].kind == .null ? nil : JSONView(text, at + 1)
      }
      at = Int(text.nodes[at + 1].next)
    }
    return nil
  }

  /// The elements of an array; an object is a list of one, as some servers write lists of one.
  public var elements: [JSONView] {
    switch text.nodes[index].kind {
    case .object: return [self]
    case .array: break
    default: return []
    }
    var found: [JSONView] = []
    let end = Int(text.nodes[index].next)
    var at = index + 1
    while at < end {
      found.append(JSONView(text, at))
      at = Int(text.nodes[at].next)
    }
    return found
  }

  /// Whether it is an object.
  public var isObject: Bool { text.nodes[index].kind == .object }

  /// The members of an object with their names, in their order; those that are null are left out. Empty for what is no
  /// object.
  public var members: [(name: String, value: JSONView)] {
    guard isObject else { return [] }
    var found: [(name: String, value: JSONView)] = []
    let end = Int(text.nodes[index].next)
    var at = index + 1
    while at < end {
      if let name = JSONView(text, at).string, text.nodes[at + 1].kind != .null {
        found.append((name, JSONView(text, at + 1)))
      }
      at = Int(text.nodes[at + 1].next)
    }
    return found
  }

  /// A text, or a number as it is written; nil for anything else. Bytes that are no UTF-8 are replaced.
  public var string: String? {
    let node = text.nodes[index]
    switch node.kind {
    case .string: return text.withText(of: node) { JSONText.string($0, node) ?? String(decoding: $0, as: UTF8.self) }
    case .number: return text.withText(of: node) { String(decoding: $0, as: UTF8.self) }
    default: return nil
    }
  }

  /// A whole number, be it written as a number or as a text; what follows its point is left out.
  public var integer: Int64? {
    let node = text.nodes[index]
    switch node.kind {
    case .yes: return 1
    case .no: return 0
    case .number, .string: break
    default: return nil
    }
    let plain: Int64?? = text.withText(of: node) { bytes in
      guard let first = bytes.first else { return .some(nil) }
      let digits = bytes[(first == UInt8(ascii: "-") ? 1 : 0)...]
      guard !digits.isEmpty, digits.count <= 18 else { return nil }
      var value: Int64 = 0
      for byte in digits {
        guard (48...57).contains(byte) else { return nil }
        value = value * 10 + Int64(byte - 48)
      }
      return .some(first == UInt8(ascii: "-") ? -value : value)
    }
    if let plain { return plain }
    return number.flatMap { abs($0) < 9e15 ? Int64($0) : nil }
  }

  /// A number, be it written as a number or as a text; nil for what is not finite.
  public var number: Double? {
    let node = text.nodes[index]
    guard node.kind == .number || node.kind == .string else { return nil }
    return text.withText(of: node) { Double(String(decoding: $0, as: UTF8.self)) }.flatMap { $0.isFinite ? $0 : nil }
  }

  /// True for `true`, 1, `"1"` and `"true"`; false for all else.
  public var isTrue: Bool {
    switch text.nodes[index].kind {
    case .yes: true
    case .number, .string: integer == 1 || string == "true"
    default: false
    }
  }
}

extension JSONText {
  /// Whether a node is the name of a member; of an escaped name too.
  fileprivate func isName(_ index: Int, _ name: StaticString) -> Bool {
    let node = nodes[index]
    if node.isEscaped { return isName(index, name.description) }
    let count = name.utf8CodeUnitCount
    guard Int(node.end &- node.start) == count else { return false }
    return withText(of: node) { text in
      for offset in 0..<count where text[offset] != name.utf8Start[offset] { return false }
      return true
    }
  }
}

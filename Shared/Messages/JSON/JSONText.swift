/// A JSON text and the positions of its values, which are found in one pass. The initialiser returns nil if the bytes
/// are not JSON, or have more than `nodeLimit` values.
///
/// The parser is as strict as RFC 8259; of two members with one name the first counts.
final class JSONText: Sendable {
  /// One value, or the name of a member.
  struct Node: Sendable {
    enum Kind: UInt8, Sendable {
      case null, no, yes, number, string, array, object
    }

    var kind: Kind
    var isEscaped = false
    /// True for a string with non-ASCII characters.
    var isWide = false
    /// The position at which its text begins; for a string, after the quote.
    var start: Int32
    /// The position at which its text ends; for a string, before the quote.
    var end: Int32
    /// The index of the next node that is not within this one.
    var next: Int32 = 0
  }

  let bytes: [UInt8]
  /// The nodes in the order of the text: an object is followed by the name and the value of each member, an array by
  /// its elements.
  let nodes: [Node]

  private static let depthLimit = 100
  /// The most values of a text, names of members included. They take 16 bytes each, which for a text of short numbers
  /// is eight times its size.
  private static let nodeLimit = 2 << 20

  init?(_ bytes: [UInt8], nodeLimit: Int = JSONText.nodeLimit) {
    guard bytes.count < 1 << 30 else { return nil }
    self.bytes = bytes
    var nodes: [Node] = []
    // The answers of servers have about 24 bytes for each node; messages are shorter.
    nodes.reserveCapacity(min(32 + bytes.count / 24, nodeLimit))
    let isWhole = bytes.withUnsafeBufferPointer { bytes in
      var scan = Scan(bytes: bytes, nodeLimit: nodeLimit)
      guard scan.value(into: &nodes, depth: 0) else { return false }
      scan.space()
      return scan.at == bytes.count
    }
    guard isWhole else { return nil }
    self.nodes = nodes
  }

  /// Calls `body` with the bytes of a node's text.
  func withText<Result>(of node: Node, _ body: (UnsafeBufferPointer<UInt8>) throws -> Result) rethrows -> Result {
    try bytes.withUnsafeBufferPointer {
      try body(UnsafeBufferPointer(rebasing: $0[Int(node.start)..<Int(node.end)]))
    }
  }

  private struct Scan {
    let bytes: UnsafeBufferPointer<UInt8>
    let nodeLimit: Int
    var at = 0

    private var byte: UInt8 { at < bytes.count ? bytes[at] : 0 }

    mutating func space() {
      while at < bytes.count, bytes[at] == 32 || bytes[at] == 10 || bytes[at] == 13 || bytes[at] == 9 { at += 1 }
    }

    private mutating func skip(_ expected: UInt8) -> Bool {
      guard byte == expected, at < bytes.count else { return false }
      at += 1
      return true
    }

    mutating func value(into nodes: inout [Node], depth: Int) -> Bool {
      guard depth < depthLimit, nodes.count < nodeLimit else { return false }
      space()
      switch byte {
      case UInt8(ascii: "\""): return string(into: &nodes)
      case UInt8(ascii: "{"): return list(.object, UInt8(ascii: "}"), into: &nodes, depth: depth)
      case UInt8(ascii: "["): return list(.array, UInt8(ascii: "]"), into: &nodes, depth: depth)
      case UInt8(ascii: "t"): return word("true", .yes, into: &nodes)
      case UInt8(ascii: "f"): return word("false", .no, into: &nodes)
      case UInt8(ascii: "n"): return word("null", .null, into: &nodes)
      default: return number(into: &nodes)
      }
    }

    private mutating func list(_ kind: Node.Kind, _ end: UInt8, into nodes: inout [Node], depth: Int) -> Bool {
      let own = nodes.count
      nodes.append(Node(kind: kind, start: Int32(at), end: 0))
      at += 1
      space()
      if byte != end {
        repeat {
          if kind == .object {
            space()
            guard byte == UInt8(ascii: "\""), string(into: &nodes), isText(nodes[nodes.count - 1]) else { return false }
            space()
            guard skip(UInt8(ascii: ":")) else { return false }
          }
          guard value(into: &nodes, depth: depth + 1) else { return false }
          space()
        } while skip(UInt8(ascii: ","))
      }
      guard skip(end) else { return false }
      nodes[own].end = Int32(at)
      nodes[own].next = Int32(nodes.count)
      return true
    }

    /// Returns true if the name of a member is valid text; other strings are checked when they are read.
    private func isText(_ name: Node) -> Bool {
      guard name.isWide || name.isEscaped else { return true }
      return JSONText.string(UnsafeBufferPointer(rebasing: bytes[Int(name.start)..<Int(name.end)]), name) != nil
    }

    private mutating func string(into nodes: inout [Node]) -> Bool {
      at += 1
      var node = Node(kind: .string, start: Int32(at), end: 0, next: Int32(nodes.count + 1))
      while at < bytes.count {
        while JSONBuilder.isPlain(bytes, at) { at += 8 }
        guard at < bytes.count else { return false }
        switch bytes[at] {
        case UInt8(ascii: "\""):
          node.end = Int32(at)
          at += 1
          nodes.append(node)
          return true
        case UInt8(ascii: "\\"):
          node.isEscaped = true
          at += 2
        case 0..<32: return false
        case 128...255:
          node.isWide = true
          at += 1
        default: at += 1
        }
      }
      return false
    }

    private mutating func word(_ word: StaticString, _ kind: Node.Kind, into nodes: inout [Node]) -> Bool {
      let length = word.utf8CodeUnitCount
      guard at + length <= bytes.count else { return false }
      for offset in 0..<length where bytes[at + offset] != word.utf8Start[offset] { return false }
      nodes.append(Node(kind: kind, start: Int32(at), end: Int32(at + length), next: Int32(nodes.count + 1)))
      at += length
      return true
    }

    private mutating func digits() -> Bool {
      let start = at
      while at < bytes.count, (48...57).contains(bytes[at]) { at += 1 }
      return at > start
    }

    private mutating func number(into nodes: inout [Node]) -> Bool {
      let start = at
      _ = skip(UInt8(ascii: "-"))
      if !skip(UInt8(ascii: "0")) { guard digits() else { return false } }
      if skip(UInt8(ascii: ".")) { guard digits() else { return false } }
      if byte | 32 == UInt8(ascii: "e") {
        at += 1
        if !skip(UInt8(ascii: "+")) { _ = skip(UInt8(ascii: "-")) }
        guard digits() else { return false }
      }
      nodes.append(Node(kind: .number, start: Int32(start), end: Int32(at), next: Int32(nodes.count + 1)))
      return true
    }
  }
}

extension JSONText {
  func bool(_ index: Int) throws -> Bool {
    switch nodes[index].kind {
    case .yes: return true
    case .no: return false
    default: throw mismatch(index, Bool.self)
    }
  }

  /// Returns a whole number, which may be written with a point or an exponent, such as `1.0`.
  func integer<Value: FixedWidthInteger>(_ index: Int) throws -> Value {
    let node = nodes[index]
    guard node.kind == .number else { throw mismatch(index, Value.self) }
    if let value: Value = withText(of: node, { Self.integer($0) }) { return value }
    guard withText(of: node, { $0.contains { $0 == UInt8(ascii: ".") || $0 | 32 == UInt8(ascii: "e") } }),
      let value = Value(exactly: try double(index))
    else { throw corruption(index, Value.self) }
    return value
  }

  /// Returns the whole number of a text; nil if the text is not one, or if the number does not fit.
  static func integer<Value: FixedWidthInteger>(_ text: UnsafeBufferPointer<UInt8>) -> Value? {
    let isNegative = text.first == UInt8(ascii: "-")
    let digits = text[(isNegative ? 1 : 0)...]
    guard !digits.isEmpty else { return nil }
    var value: Value = 0
    for digit in digits {
      guard (48...57).contains(digit) else { return nil }
      let (tenfold, isTooLarge) = value.multipliedReportingOverflow(by: 10)
      let step = Value(truncatingIfNeeded: digit - 48)
      let (sum, overflows) =
        isNegative ? tenfold.subtractingReportingOverflow(step) : tenfold.addingReportingOverflow(step)
      guard !isTooLarge, !overflows else { return nil }
      value = sum
    }
    return value
  }

  /// Returns a number. With up to 15 digits and 22 decimal places, digits and power of ten are exact, so their quotient
  /// is the nearest number (W. Clinger, How to Read Floating Point Numbers Accurately, 1990).
  func double(_ index: Int) throws -> Double {
    let node = nodes[index]
    guard node.kind == .number else { throw mismatch(index, Double.self) }
    return try withText(of: node) { text in
      var digits: Int64 = 0
      var count = 0
      var places = 0
      var isFraction = false
      let isNegative = text[0] == UInt8(ascii: "-")
      for byte in text[(isNegative ? 1 : 0)...] {
        if byte == UInt8(ascii: ".") {
          isFraction = true
        } else if (48...57).contains(byte), count < 15 {
          digits = digits * 10 + Int64(byte - 48)
          count += 1
          if isFraction { places += 1 }
        } else {
          guard let value = Double(String(decoding: text, as: UTF8.self)), value.isFinite else {
            throw corruption(index, Double.self)
          }
          return value
        }
      }
      let value = Double(digits) / Self.powersOfTen[places]
      return isNegative ? -value : value
    }
  }

  private static let powersOfTen: [Double] = (0...15).map { places in
    (0..<places).reduce(1.0) { power, _ in power * 10 }
  }

  func string(_ index: Int) throws -> String {
    let node = nodes[index]
    guard node.kind == .string else { throw mismatch(index, String.self) }
    return try withText(of: node) { text in
      guard let string = Self.string(text, node) else { throw corruption(index, String.self) }
      return string
    }
  }

  /// Returns the string that a text encodes; nil if it is invalid.
  static func string(_ text: UnsafeBufferPointer<UInt8>, _ node: Node) -> String? {
    if node.isEscaped { return unescaped(text) }
    // ASCII is always valid UTF-8.
    return node.isWide ? String(validating: text, as: UTF8.self) : String(decoding: text, as: UTF8.self)
  }

  /// Returns the elements of an array, or the names of an object's members, each of which is followed by its value.
  func children(of index: Int) -> some Sequence<Int> {
    let end = Int(nodes[index].next)
    let isObject = nodes[index].kind == .object
    return sequence(state: index + 1) { [nodes] at -> Int? in
      guard at < end else { return nil }
      defer { at = Int(nodes[isObject ? at + 1 : at].next) }
      return at
    }
  }

  /// Returns the value of the first member with a name; nil if there is none.
  func member(of object: Int, named name: UnsafeBufferPointer<UInt8>) -> Int? {
    bytes.withUnsafeBufferPointer { bytes in
      nodes.withUnsafeBufferPointer { nodes in
        let end = Int(nodes[object].next)
        var at = object + 1
        while at < end {
          let node = nodes[at]
          if node.isEscaped {
            let text = UnsafeBufferPointer(rebasing: bytes[Int(node.start)..<Int(node.end)])
            if let plain = Self.unescaped(text), plain.utf8.elementsEqual(name) { return at + 1 }
          } else if Int(node.end &- node.start) == name.count,
            UnsafeBufferPointer(rebasing: bytes[Int(node.start)..<Int(node.end)]).elementsEqual(name)
          {
            return at + 1
          }
          at = Int(nodes[at + 1].next)
        }
        return nil
      }
    }
  }

  /// Returns the name of a member; nil if it is invalid.
  func name(_ index: Int) -> String? {
    let node = nodes[index]
    return withText(of: node) { Self.string($0, node) }
  }

  private static func unescaped(_ text: UnsafeBufferPointer<UInt8>) -> String? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count)
    var at = 0
    func unit() -> UInt32? {
      guard at + 4 <= text.count else { return nil }
      var unit: UInt32 = 0
      for byte in text[at..<at + 4] {
        switch byte {
        case 48...57: unit = unit << 4 | UInt32(byte - 48)
        case 65...70, 97...102: unit = unit << 4 | UInt32((byte | 32) - 87)
        default: return nil
        }
      }
      at += 4
      return unit
    }
    while at < text.count {
      let byte = text[at]
      at += 1
      guard byte == UInt8(ascii: "\\") else {
        bytes.append(byte)
        continue
      }
      guard at < text.count else { return nil }
      let escape = text[at]
      at += 1
      switch escape {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): bytes.append(escape)
      case UInt8(ascii: "b"): bytes.append(8)
      case UInt8(ascii: "f"): bytes.append(12)
      case UInt8(ascii: "n"): bytes.append(10)
      case UInt8(ascii: "r"): bytes.append(13)
      case UInt8(ascii: "t"): bytes.append(9)
      case UInt8(ascii: "u"):
        guard var code = unit() else { return nil }
        if (0xd800...0xdbff).contains(code) {
          guard at + 2 <= text.count, text[at] == UInt8(ascii: "\\"), text[at + 1] == UInt8(ascii: "u") else {
            return nil
          }
          at += 2
          guard let low = unit(), (0xdc00...0xdfff).contains(low) else { return nil }
          code = 0x10000 + (code - 0xd800) << 10 + (low - 0xdc00)
        }
        guard let scalar = Unicode.Scalar(code) else { return nil }
        bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
      default: return nil
      }
    }
    return String(validating: bytes, as: UTF8.self)
  }
}

/// Why a quick reading or writing stopped. Foundation's coders, which are asked next, say it in words.
struct UnsupportedJSON: Error {}

/// The values of a text's nodes.
extension JSONText {
  func bool(_ index: Int) throws -> Bool {
    switch nodes[index].kind {
    case .yes: return true
    case .no: return false
    default: throw UnsupportedJSON()
    }
  }

  /// A whole number. One that is written with a point or an exponent is left to the slow way.
  func integer<Value: FixedWidthInteger>(_ index: Int) throws -> Value {
    let node = nodes[index]
    guard node.kind == .number else { throw UnsupportedJSON() }
    return try withText(of: node) { text in
      let isNegative = text[0] == UInt8(ascii: "-")
      var value: Value = 0
      for digit in text[(isNegative ? 1 : 0)...] {
        guard (48...57).contains(digit) else { throw UnsupportedJSON() }
        let (tenfold, isTooLarge) = value.multipliedReportingOverflow(by: 10)
        let step = Value(truncatingIfNeeded: digit - 48)
        let (sum, overflows) =
          isNegative ? tenfold.subtractingReportingOverflow(step) : tenfold.addingReportingOverflow(step)
        guard !isTooLarge, !overflows else { throw UnsupportedJSON() }
        value = sum
      }
      return value
    }
  }

  /// A number. Up to 15 digits and 22 places both parts are exact, so their quotient is the nearest number there is
  /// (W. Clinger, How to Read Floating Point Numbers Accurately, 1990).
  func double(_ index: Int) throws -> Double {
    let node = nodes[index]
    guard node.kind == .number else { throw UnsupportedJSON() }
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
          guard let value = Double(String(decoding: text, as: UTF8.self)), value.isFinite else { throw UnsupportedJSON() }
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
    guard node.kind == .string else { throw UnsupportedJSON() }
    return try withText(of: node) { text in
      guard let string = Self.string(text, node) else { throw UnsupportedJSON() }
      return string
    }
  }

  /// The string that a text stands for; nil where it is none.
  static func string(_ text: UnsafeBufferPointer<UInt8>, _ node: Node) -> String? {
    if node.isEscaped { return unescaped(text) }
    // What is ASCII needs no second look.
    return node.isWide ? String(validating: text, as: UTF8.self) : String(decoding: text, as: UTF8.self)
  }

  /// The value of the first member of an object that has this name; nil where there is none.
  func member(of object: Int, named name: String) -> Int? {
    var plain = name
    return plain.withUTF8 { wanted in
      bytes.withUnsafeBufferPointer { bytes in
        nodes.withUnsafeBufferPointer { nodes in
          let end = Int(nodes[object].next)
          var at = object + 1
          while at < end {
            let node = nodes[at]
            if node.isEscaped {
              if isName(at, name) { return at + 1 }
            } else if Int(node.end &- node.start) == wanted.count,
              UnsafeBufferPointer(rebasing: bytes[Int(node.start)..<Int(node.end)]).elementsEqual(wanted)
            {
              return at + 1
            }
            at = Int(nodes[at + 1].next)
          }
          return nil
        }
      }
    }
  }

  /// Whether a node is the name of a member.
  func isName(_ index: Int, _ name: String) -> Bool {
    let node = nodes[index]
    if node.isEscaped { return withText(of: node) { Self.unescaped($0) } == name }
    return withText(of: node) { text in
      var name = name
      return name.withUTF8 { $0.count == text.count && $0.elementsEqual(text) }
    }
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

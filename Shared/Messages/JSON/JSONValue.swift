/// A value on its way to JSON text.
enum JSONValue {
  case null
  case bool(Bool)
  case integer(Int64)
  case unsigned(UInt64)
  case double(Double)
  case string(String)
  case array(JSONElements)
  case object(JSONMembers)
  /// What only the slow way can write.
  case unknown

  /// Appends the text, with the members of objects ordered by the bytes of their names.
  ///
  /// - Throws: `NotQuick` for a number that is not finite, and what is unknown.
  func write(to text: inout [UInt8]) throws {
    switch self {
    case .null: text.append(contentsOf: "null".utf8)
    case .bool(let value): text.append(contentsOf: value ? "true".utf8 : "false".utf8)
    case .integer(let value): text.append(contentsOf: value.description.utf8)
    case .unsigned(let value): text.append(contentsOf: value.description.utf8)
    case .double(let value):
      guard value.isFinite else { throw NotQuick() }
      let digits = value.description.utf8
      // A whole number shows none of its places.
      text.append(contentsOf: digits.suffix(2).elementsEqual(".0".utf8) ? digits.dropLast(2) : digits[...])
    case .string(let value): Self.write(value, to: &text)
    case .unknown: throw NotQuick()
    case .array(let elements):
      text.append(UInt8(ascii: "["))
      for (place, value) in elements.values.enumerated() {
        if place > 0 { text.append(UInt8(ascii: ",")) }
        try value.write(to: &text)
      }
      text.append(UInt8(ascii: "]"))
    case .object(let members):
      text.append(UInt8(ascii: "{"))
      for (place, member) in members.sorted().enumerated() {
        if place > 0 { text.append(UInt8(ascii: ",")) }
        Self.write(member.name, to: &text)
        text.append(UInt8(ascii: ":"))
        try member.value.write(to: &text)
      }
      text.append(UInt8(ascii: "}"))
    }
  }

  private static func write(_ string: String, to text: inout [UInt8]) {
    var string = string
    text.append(UInt8(ascii: "\""))
    string.withUTF8 { bytes in
      if bytes.contains(where: { $0 < 32 || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") }) {
        for byte in bytes { writeEscaped(byte, to: &text) }
      } else {
        text.append(contentsOf: bytes)
      }
    }
    text.append(UInt8(ascii: "\""))
  }

  private static func writeEscaped(_ byte: UInt8, to text: inout [UInt8]) {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): text += [UInt8(ascii: "\\"), byte]
    case 8: text.append(contentsOf: "\\b".utf8)
    case 9: text.append(contentsOf: "\\t".utf8)
    case 10: text.append(contentsOf: "\\n".utf8)
    case 12: text.append(contentsOf: "\\f".utf8)
    case 13: text.append(contentsOf: "\\r".utf8)
    case 0..<32:
      text.append(contentsOf: byte < 16 ? "\\u000".utf8 : "\\u001".utf8)
      text.append(contentsOf: String(byte & 15, radix: 16).utf8)
    default: text.append(byte)
    }
  }
}

/// The elements of an array that is being written.
final class JSONElements {
  var values: [JSONValue] = []
}

/// The members of an object that is being written.
final class JSONMembers {
  private var members: [(name: String, value: JSONValue)] = []
  private var isSorted = true

  init() { members.reserveCapacity(12) }

  func set(_ name: String, _ value: JSONValue) {
    if isSorted, let last = members.last, !Self.precedes(last.name, name) { isSorted = false }
    members.append((name, value))
  }

  /// The members by name; of two of one name the later.
  func sorted() -> [(name: String, value: JSONValue)] {
    if isSorted { return members }
    // The sort keeps the order of equals, which the standard library does without promising it; the place decides.
    let order = members.indices.sorted { left, right in
      if Self.precedes(members[left].name, members[right].name) { return true }
      return members[left].name == members[right].name && left < right
    }
    var kept: [(name: String, value: JSONValue)] = []
    kept.reserveCapacity(order.count)
    for place in order {
      if kept.last?.name == members[place].name { kept.removeLast() }
      kept.append(members[place])
    }
    return kept
  }

  private static func precedes(_ left: String, _ right: String) -> Bool {
    var (left, right) = (left, right)
    return left.withUTF8 { left in right.withUTF8 { left.lexicographicallyPrecedes($0) } }
  }
}

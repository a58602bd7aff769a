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
      var isFirst = true
      try members.forEachSorted { name, value in
        if !isFirst { text.append(UInt8(ascii: ",")) }
        isFirst = false
        Self.write(name, to: &text)
        text.append(UInt8(ascii: ":"))
        try value.write(to: &text)
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
  /// A member, with the first eight bytes of its name as a number, which nearly always says which of two comes first.
  private struct Member {
    var start: UInt64
    var name: String
    var value: JSONValue

    func precedes(_ other: Member) -> Bool {
      if start != other.start { return start < other.start }
      var (left, right) = (name, other.name)
      return left.withUTF8 { left in right.withUTF8 { left.lexicographicallyPrecedes($0) } }
    }
  }

  private var members: [Member] = []
  private var isSorted = true

  init() { members.reserveCapacity(16) }

  func set(_ name: String, _ value: JSONValue) {
    var start: UInt64 = 0
    var shift: UInt64 = 64
    for byte in name.utf8.prefix(8) {
      shift -= 8
      start |= UInt64(byte) << shift
    }
    let member = Member(start: start, name: name, value: value)
    if isSorted, let last = members.last, !last.precedes(member) { isSorted = false }
    members.append(member)
  }

  /// Calls `body` with the members by name; of two of one name with the later.
  func forEachSorted(_ body: (_ name: String, _ value: JSONValue) throws -> Void) rethrows {
    if !isSorted { sort() }
    for place in members.indices {
      // Equal names stand in the order in which they were set.
      if place + 1 < members.count, members[place].start == members[place + 1].start,
        members[place].name.utf8.elementsEqual(members[place + 1].name.utf8)
      {
        continue
      }
      try body(members[place].name, members[place].value)
    }
  }

  /// By insertion, which keeps the order of equals and is the quickest for the dozen of members that objects have.
  private func sort() {
    isSorted = true
    // Objects of very many members are maps.
    guard members.count <= 64 else {
      let order = members.indices.sorted { left, right in
        if members[left].precedes(members[right]) { return true }
        return left < right && !members[right].precedes(members[left])
      }
      members = order.map { members[$0] }
      return
    }
    members.withUnsafeMutableBufferPointer { members in
      for place in members.indices.dropFirst() {
        var place = place
        while place > 0, members[place].precedes(members[place - 1]) {
          members.swapAt(place, place - 1)
          place -= 1
        }
      }
    }
  }
}

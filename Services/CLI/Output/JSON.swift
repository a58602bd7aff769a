import Model

/// A JSON value with its members in the order they were written, so that what is printed is stable and reads well.
/// What is absent is printed as `null`: keys never come and go.
enum JSON: Sendable, Equatable {
  case null
  case bool(Bool)
  case integer(Int64)
  case number(Double)
  case string(String)
  case array([JSON])
  case object([Member])
  /// JSON text that is passed on as it came.
  case raw([UInt8])

  /// A member of an object.
  struct Member: Sendable, Equatable {
    let key: String
    let value: JSON
  }

  /// An object in the order written.
  static func object(_ members: KeyValuePairs<String, JSON>) -> JSON {
    .object(members.map { Member(key: $0.key, value: $0.value) })
  }
  /// Text, or null.
  static func text(_ value: (some CustomStringConvertible)?) -> JSON { value.map { .string($0.description) } ?? .null }
  /// A whole number, or null.
  static func count(_ value: (some BinaryInteger)?) -> JSON { value.map { .integer(Int64(clamping: $0)) } ?? .null }
  /// A length of time in seconds, or null.
  static func seconds(_ value: Milliseconds?) -> JSON { value.map { .number($0.seconds) } ?? .null }
  /// Each element of a list.
  static func list<Element>(_ values: [Element], _ json: (Element) -> JSON) -> JSON { .array(values.map(json)) }

  /// The value with one more member at its end; itself where it is no object.
  func with(_ key: String, _ value: JSON) -> JSON {
    guard case .object(let members) = self else { return self }
    return .object(members + [Member(key: key, value: value)])
  }
}

extension JSON: CustomStringConvertible {
  /// JSON text (RFC 8259) on one line.
  var description: String {
    var bytes: [UInt8] = []
    write(to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Appends JSON text.
  func write(to bytes: inout [UInt8]) {
    switch self {
    case .null: bytes += Array("null".utf8)
    case .bool(let value): bytes += Array((value ? "true" : "false").utf8)
    case .integer(let value): bytes += Array(String(value).utf8)
    case .number(let value): bytes += Array(Self.text(of: value).utf8)
    case .string(let value): Self.write(value, to: &bytes)
    case .raw(let value): bytes += value
    case .array(let values):
      bytes.append(UInt8(ascii: "["))
      for (index, value) in values.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        value.write(to: &bytes)
      }
      bytes.append(UInt8(ascii: "]"))
    case .object(let members):
      bytes.append(UInt8(ascii: "{"))
      for (index, member) in members.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        Self.write(member.key, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        member.value.write(to: &bytes)
      }
      bytes.append(UInt8(ascii: "}"))
    }
  }

  /// Whole numbers without a fraction; what JSON cannot say becomes null.
  private static func text(of value: Double) -> String {
    guard value.isFinite else { return "null" }
    guard let whole = Int64(exactly: value) else { return "\(value)" }
    return "\(whole)"
  }

  private static func write(_ text: String, to bytes: inout [UInt8]) {
    let hex = Array("0123456789abcdef".utf8)
    bytes.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
      case 10: bytes += Array("\\n".utf8)
      case 13: bytes += Array("\\r".utf8)
      case 9: bytes += Array("\\t".utf8)
      // DEL is legal in JSON, yet a terminal should not see it.
      case 0..<32, 127: bytes += Array("\\u00".utf8) + [hex[Int(byte >> 4)], hex[Int(byte & 15)]]
      default: bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }
}

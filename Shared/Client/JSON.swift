public import Messages
public import Model

/// A JSON value whose members keep the order in which they were written, so that the output is stable and readable.
public enum JSON: Sendable, Equatable {
  case null
  /// A missing value. Commands print `null`, so that all keys are always there; the page's API leaves the member out,
  /// as it sends many thousands of them.
  case absent
  case bool(Bool)
  case integer(Int64)
  case number(Double)
  case string(String)
  case array([JSON])
  case object([Member])
  /// JSON text that is written unchanged.
  case raw([UInt8])

  /// A member of an object.
  public struct Member: Sendable, Equatable {  // memberwise
    /// The name of the member.
    public let key: String
    /// Its value.
    public let value: JSON
  }

  /// The ways in which members without a value are written.
  public enum AbsentMembers: Sendable {
    case asNull, leftOut
  }

  /// Returns an object with its members in the order written.
  public static func object(_ members: KeyValuePairs<String, JSON>) -> JSON {
    .object(members.map { Member(key: $0.key, value: $0.value) })
  }
  /// Returns a string, or `absent`.
  public static func text(_ value: (some CustomStringConvertible)?) -> JSON {
    value.map { .string($0.description) } ?? .absent
  }
  /// Returns a whole number, or `absent`.
  public static func count(_ value: (some BinaryInteger)?) -> JSON {
    value.map { .integer(Int64(clamping: $0)) } ?? .absent
  }
  /// Returns a number of seconds, or `absent`.
  public static func seconds(_ value: Milliseconds?) -> JSON { value.map { .number($0.seconds) } ?? .absent }
  /// Returns an array with one element for each value.
  public static func list<Element>(_ values: some Sequence<Element>, _ json: (Element) -> JSON) -> JSON {
    .array(values.map(json))
  }
  /// Returns an array with the shape of each value.
  public static func list(_ values: some Sequence<some JSONRepresentable>) -> JSON { .array(values.map(\.json)) }
  /// Returns the shape of a value, or `absent`.
  public static func optional(_ value: (some JSONRepresentable)?) -> JSON { value?.json ?? .absent }

  /// The value itself, or `null` if it is absent, for keys on which readers rely.
  public var orNull: JSON { self == .absent ? .null : self }

  /// Returns the object with one more member at its end.
  public func with(_ key: String, _ value: JSON) -> JSON { with([key: value]) }

  /// Returns the object with further members at its end; a value that is not an object is returned unchanged.
  public func with(_ more: KeyValuePairs<String, any JSONRepresentable>) -> JSON {
    guard case .object(let members) = self else { return self }
    return .object(members + more.map { Member(key: $0.key, value: $0.value.json) })
  }
}

/// A value with a fixed JSON shape, in which commands and the page's API show it.
public protocol JSONRepresentable {
  /// The value as JSON.
  var json: JSON { get }
}

extension JSON: JSONRepresentable {
  public var json: JSON { self }
}

extension JSON: ExpressibleByDictionaryLiteral {
  /// Creates an object with its members in the order written, each in its shape.
  public init(dictionaryLiteral members: (String, any JSONRepresentable)...) {
    self = .object(members.map { Member(key: $0, value: $1.json) })
  }
}

extension JSONRepresentable where Self: CustomStringConvertible {
  public var json: JSON { .string(description) }
}

extension JSONRepresentable where Self: BinaryInteger & CustomStringConvertible {
  public var json: JSON { .integer(Int64(clamping: self)) }
}

extension String: JSONRepresentable {}
extension Int: JSONRepresentable {}
extension Int32: JSONRepresentable {}
extension Int64: JSONRepresentable {}
extension ItemID: JSONRepresentable {}
extension Timestamp: JSONRepresentable {}
extension LocalPath: JSONRepresentable {}
extension RoomName: JSONRepresentable {}
extension UniqueID: JSONRepresentable {}

extension Bool: JSONRepresentable {
  public var json: JSON { .bool(self) }
}

extension Double: JSONRepresentable {
  public var json: JSON { .number(self) }
}

extension Milliseconds: JSONRepresentable {
  /// The duration in seconds.
  public var json: JSON { .number(seconds) }
}

extension Rating: JSONRepresentable {
  /// The stars, 0 to 5 in halves.
  public var json: JSON { .number(stars) }
}

extension Done: JSONRepresentable {
  /// The shape `{"done":true}`.
  public var json: JSON { ["done": true] }
}

extension Array: JSONRepresentable where Element: JSONRepresentable {
  public var json: JSON { .list(self) }
}

extension Optional: JSONRepresentable where Wrapped: JSONRepresentable {
  /// The shape of the value, or `absent`.
  public var json: JSON { map(\.json) ?? .absent }
  /// The shape of the value, or `null`, for keys on which readers rely.
  public var orNull: JSON { map(\.json) ?? .null }
}

extension JSON: CustomStringConvertible {
  /// The JSON text (RFC 8259) on one line, with `null` for each absent member, as commands print it.
  public var description: String { String(decoding: bytes(.asNull), as: UTF8.self) }

  /// Returns JSON text (RFC 8259) on one line.
  public func bytes(_ absentMembers: AbsentMembers) -> [UInt8] {
    var bytes: [UInt8] = []
    write(to: &bytes, absentMembers)
    return bytes
  }

  private func write(to bytes: inout [UInt8], _ absentMembers: AbsentMembers) {
    switch self {
    case .null, .absent: bytes += "null".utf8
    case .bool(let value): bytes += (value ? "true" : "false").utf8
    case .integer(let value): bytes += String(value).utf8
    case .number(let value): bytes += Self.text(of: value).utf8
    case .string(let value): Self.write(value, to: &bytes)
    case .raw(let value): bytes += value
    case .array(let values):
      bytes.append(UInt8(ascii: "["))
      for (index, value) in values.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        value.write(to: &bytes, absentMembers)
      }
      bytes.append(UInt8(ascii: "]"))
    case .object(let members):
      bytes.append(UInt8(ascii: "{"))
      var isFirst = true
      for member in members {
        if case .absent = member.value, absentMembers == .leftOut { continue }
        if !isFirst { bytes.append(UInt8(ascii: ",")) }
        isFirst = false
        Self.write(member.key, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        member.value.write(to: &bytes, absentMembers)
      }
      bytes.append(UInt8(ascii: "}"))
    }
  }

  /// Returns the text of a number: without a fraction if it is whole, and `null` if JSON cannot express it.
  private static func text(of value: Double) -> String {
    guard value.isFinite else { return "null" }
    guard let whole = Int64(exactly: value) else { return "\(value)" }
    return "\(whole)"
  }

  private static func write(_ text: String, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"):
        bytes.append(UInt8(ascii: "\\"))
        bytes.append(byte)
      case 10: bytes += "\\n".utf8
      case 13: bytes += "\\r".utf8
      case 9: bytes += "\\t".utf8
      // JSON allows DEL, but terminals may interpret it.
      case 0..<32, 127: bytes += ((byte < 16 ? "\\u000" : "\\u00") + String(byte, radix: 16)).utf8
      default: bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }
}

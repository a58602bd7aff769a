import CSystemd
import Model

/// A D-Bus value of one of the types that MPRIS and notifications use.
enum DBusValue: Hashable, Sendable {
  case string(String)
  case objectPath(String)
  case bool(Bool)
  case byte(UInt8)
  case int32(Int32)
  case uint32(UInt32)
  case int64(Int64)
  case double(Double)
  case strings([String])
  /// Entries with values of any type, in this order.
  case dictionary([DBusEntry])

  /// The D-Bus signature of the value's type.
  var signature: String {
    switch self {
    case .string: "s"
    case .objectPath: "o"
    case .bool: "b"
    case .byte: "y"
    case .int32: "i"
    case .uint32: "u"
    case .int64: "x"
    case .double: "d"
    case .strings: "as"
    case .dictionary: "a{sv}"
    }
  }
}

struct DBusEntry: Hashable, Sendable {
  var key: String
  var value: DBusValue
}

extension String {
  /// The text with U+FFFD in place of the characters that D-Bus does not allow in strings, NUL and the noncharacters of
  /// Unicode: a title may contain them, and the bus would refuse the whole message.
  var dbusText: String {
    func isRefused(_ scalar: Unicode.Scalar) -> Bool {
      scalar.value == 0 || (0xFDD0...0xFDEF).contains(scalar.value) || scalar.value & 0xFFFE == 0xFFFE
    }
    guard unicodeScalars.contains(where: isRefused) else { return self }
    var text = String.UnicodeScalarView()
    text.append(contentsOf: unicodeScalars.map { isRefused($0) ? "\u{FFFD}" : $0 })
    return String(text)
  }
}

extension DBusValue {
  /// Appends the value to a message. Throws `nowplaying.badMessage` where sd-bus refuses the value.
  func append(to message: OpaquePointer) throws {
    switch self {
    case .string(let text): try Self.append(text, as: "s", to: message)
    case .objectPath(let path): try Self.append(path, as: "o", to: message)
    case .bool(let value):
      var number: Int32 = value ? 1 : 0
      try check(sd_bus_message_append_basic(message, CChar(ascii: "b"), &number))
    case .int32(var value): try check(sd_bus_message_append_basic(message, CChar(ascii: "i"), &value))
    case .byte(var value): try check(sd_bus_message_append_basic(message, CChar(ascii: "y"), &value))
    case .uint32(var value): try check(sd_bus_message_append_basic(message, CChar(ascii: "u"), &value))
    case .int64(var value): try check(sd_bus_message_append_basic(message, CChar(ascii: "x"), &value))
    case .double(var value): try check(sd_bus_message_append_basic(message, CChar(ascii: "d"), &value))
    case .strings(let texts):
      try check(sd_bus_message_open_container(message, CChar(ascii: "a"), "s"))
      for text in texts { try Self.append(text, as: "s", to: message) }
      try check(sd_bus_message_close_container(message))
    case .dictionary(let entries):
      try check(sd_bus_message_open_container(message, CChar(ascii: "a"), "{sv}"))
      for entry in entries {
        try check(sd_bus_message_open_container(message, CChar(ascii: "e"), "sv"))
        try Self.append(entry.key, as: "s", to: message)
        try check(sd_bus_message_open_container(message, CChar(ascii: "v"), entry.value.signature))
        try entry.value.append(to: message)
        try check(sd_bus_message_close_container(message))
        try check(sd_bus_message_close_container(message))
      }
      try check(sd_bus_message_close_container(message))
    }
  }

  private static func append(_ text: String, as type: Unicode.Scalar, to message: OpaquePointer) throws {
    _ = try text.withCString { try check(sd_bus_message_append_basic(message, CChar(ascii: type), $0)) }
  }
}

/// Reads the arguments of a received message, in their order.
struct DBusReader {
  let message: OpaquePointer

  func int64() throws -> Int64 { try basic("x", 0) }
  func uint32() throws -> UInt32 { try basic("u", 0) }
  func double() throws -> Double { try basic("d", 0) }
  /// D-Bus transfers a boolean as 32 bits.
  func bool() throws -> Bool { try basic("b", Int32(0)) != 0 }
  func string() throws -> String { try text("s") }
  func objectPath() throws -> String { try text("o") }

  private func text(_ type: Unicode.Scalar) throws -> String {
    try basic(type, nil as UnsafePointer<CChar>?).map { String(cString: $0) } ?? ""
  }

  private func basic<Value: BitwiseCopyable>(_ type: Unicode.Scalar, _ initial: Value) throws -> Value {
    var value = initial
    try check(sd_bus_message_read_basic(message, CChar(ascii: type), &value))
    return value
  }
}

extension CChar {
  /// Returns the code of an ASCII character, as sd-bus takes the codes of types.
  init(ascii scalar: Unicode.Scalar) { self = CChar(truncatingIfNeeded: scalar.value) }
}

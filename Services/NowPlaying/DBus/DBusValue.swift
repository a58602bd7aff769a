import CSystemd
import Glibc
import Model

/// A value as D-Bus knows it, of the few types that the interface uses.
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
  case objectPaths([String])
  /// Names with values of any type, in the order given.
  case dictionary([DBusEntry])

  /// The D-Bus signature of its type.
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
    case .objectPaths: "ao"
    case .dictionary: "a{sv}"
    }
  }
}

/// One named value of a dictionary.
struct DBusEntry: Hashable, Sendable {
  var key: String
  var value: DBusValue
}

extension String {
  /// The text without what D-Bus refuses in strings: NUL and the code points that Unicode keeps for no character.
  /// One such code point would have the whole message refused, and a title may hold any.
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
  /// Appends the value to a message under construction.
  ///
  /// - Throws: `nowplaying.badMessage` where sd-bus refuses it.
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
    case .strings(let texts): try Self.append(texts, of: "s", to: message)
    case .objectPaths(let paths): try Self.append(paths, of: "o", to: message)
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

  private static func append(_ texts: [String], of type: Unicode.Scalar, to message: OpaquePointer) throws {
    try check(sd_bus_message_open_container(message, CChar(ascii: "a"), String(type)))
    for text in texts { try append(text, as: type, to: message) }
    try check(sd_bus_message_close_container(message))
  }

  private static func append(_ text: String, as type: Unicode.Scalar, to message: OpaquePointer) throws {
    _ = try text.withCString { try check(sd_bus_message_append_basic(message, CChar(ascii: type), $0)) }
  }
}

/// Reads the arguments of a message that came in, in their order.
struct DBusReader {
  let message: OpaquePointer

  func int64() throws -> Int64 {
    var value: Int64 = 0
    try check(sd_bus_message_read_basic(message, CChar(ascii: "x"), &value))
    return value
  }

  func uint32() throws -> UInt32 {
    var value: UInt32 = 0
    try check(sd_bus_message_read_basic(message, CChar(ascii: "u"), &value))
    return value
  }

  func double() throws -> Double {
    var value = 0.0
    try check(sd_bus_message_read_basic(message, CChar(ascii: "d"), &value))
    return value
  }

  func bool() throws -> Bool {
    var value: Int32 = 0
    try check(sd_bus_message_read_basic(message, CChar(ascii: "b"), &value))
    return value != 0
  }

  func string() throws -> String { try text("s") ?? "" }

  func objectPath() throws -> String { try text("o") ?? "" }

  /// An array of object paths; at most so many of them, the others are passed over.
  func objectPaths(upTo limit: Int) throws -> [String] {
    try check(sd_bus_message_enter_container(message, CChar(ascii: "a"), "o"))
    var paths: [String] = []
    while let path = try text("o") { if paths.count < limit { paths.append(path) } }
    try check(sd_bus_message_exit_container(message))
    return paths
  }

  /// The next text of a type; nil at the end of an array.
  private func text(_ type: Unicode.Scalar) throws -> String? {
    var text: UnsafePointer<CChar>?
    guard try check(sd_bus_message_read_basic(message, CChar(ascii: type), &text)) > 0 else { return nil }
    return text.map { String(cString: $0) }
  }
}

/// Turns the negative errno that sd-bus functions return into an error.
@discardableResult
func check(_ result: Int32) throws -> Int32 {
  guard result < 0 else { return result }
  throw LunaraError(
    "nowplaying.badMessage", "A message could not be exchanged with the session bus.", cause: String(errno: -result))
}

extension String {
  /// What the C library says of an errno.
  init(errno code: Int32) {
    // The buffer of glibc's strerror belongs to the calling thread.
    self = strerror(code).map { String(cString: $0) } ?? "error \(code)"
  }
}

extension CChar {
  /// The code of an ASCII character, as sd-bus names its types.
  init(ascii scalar: Unicode.Scalar) { self = CChar(truncatingIfNeeded: scalar.value) }
}

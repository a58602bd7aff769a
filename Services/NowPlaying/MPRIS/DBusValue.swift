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

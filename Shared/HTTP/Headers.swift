/// Names and values of a message's headers, in their order.
enum Headers {
  /// The first value of a name; names are compared without regard to case (RFC 9110, 5.1).
  static func first(_ name: String, in headers: [(String, String)]) -> String? {
    headers.first { isSame($0.0, name) }?.1
  }

  /// Whether two names are the same but for the case of their ASCII letters.
  static func isSame(_ left: String, _ right: String) -> Bool {
    left.utf8.count == right.utf8.count && zip(left.utf8, right.utf8).allSatisfy { folded($0) == folded($1) }
  }

  private static func folded(_ byte: UInt8) -> UInt8 { (65...90).contains(byte) ? byte + 32 : byte }

  /// Whether a header can be sent as it is: a token, and a value without line breaks or NUL (RFC 9110, 5.5).
  static func isValid(_ name: String, _ value: String) -> Bool {
    !name.isEmpty && name.utf8.allSatisfy(isToken) && value.utf8.allSatisfy { $0 != 10 && $0 != 13 && $0 != 0 }
  }

  private static func isToken(_ byte: UInt8) -> Bool {
    switch byte {
    case 48...57, 65...90, 94...122, 33, 35...39, 42, 43, 45, 46, 124, 126: true
    default: false
    }
  }
}

/// What of a text JSON writes otherwise than it is (RFC 8259, section 7).
extension JSONDraft {
  private static let ones: UInt64 = 0x0101_0101_0101_0101
  private static let tops: UInt64 = 0x8080_8080_8080_8080

  /// Not 0 where one of eight bytes is a control character, a quote or a backslash: taking a number from each byte borrows
  /// from its top bit where the byte is smaller (H. S. Warren, Hacker's Delight, section 6-1).
  @inline(__always)
  private static func special(_ bytes: UInt64) -> UInt64 {
    let quotes = bytes ^ (ones &* 0x22)
    let backslashes = bytes ^ (ones &* 0x5C)
    return
      (((bytes &- ones &* 0x20) & ~bytes) | ((quotes &- ones) & ~quotes) | ((backslashes &- ones) & ~backslashes))
      & tops
  }

  /// Whether the next eight bytes are there, are ASCII, and stand for themselves within quotes.
  @inline(__always)
  static func isPlain(_ text: UnsafeBufferPointer<UInt8>, _ at: Int) -> Bool {
    guard at + 8 <= text.count, let start = UnsafeRawPointer(text.baseAddress) else { return false }
    let bytes = start.loadUnaligned(fromByteOffset: at, as: UInt64.self)
    return (special(bytes) | bytes & tops) == 0
  }

  /// Whether a text has a control character, a quote or a backslash.
  static func needsEscape(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let start = UnsafeRawPointer(text.baseAddress) else { return false }
    var at = 0
    while at + 8 <= text.count {
      if special(start.loadUnaligned(fromByteOffset: at, as: UInt64.self)) != 0 { return true }
      at += 8
    }
    while at < text.count {
      let byte = text[at]
      if byte < 0x20 || byte == 0x22 || byte == 0x5C { return true }
      at += 1
    }
    return false
  }

  /// Appends a byte as it stands within quotes.
  static func append(escaped byte: UInt8, to text: inout JSONBuffer) {
    switch byte {
    case UInt8(ascii: "\""): text.append("\\\"")
    case UInt8(ascii: "\\"): text.append("\\\\")
    case 8: text.append("\\b")
    case 9: text.append("\\t")
    case 10: text.append("\\n")
    case 12: text.append("\\f")
    case 13: text.append("\\r")
    case 0..<32:
      text.append(byte < 16 ? "\\u000" : "\\u001")
      let digit = byte & 15
      text.append(digit < 10 ? 48 + digit : 87 + digit)
    default: text.append(byte)
    }
  }
}

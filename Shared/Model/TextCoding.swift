/// A value that is printed and encoded as text.
public protocol TextCodable: LosslessStringConvertible, Codable {}

extension TextCodable {
  /// Reads the text; text of another form is a decoding error.
  public init(from decoder: any Decoder) throws {
    let text = try String(from: decoder)
    guard let value = Self(text) else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "\(text) is no \(Self.self)"))
    }
    self = value
  }

  /// Writes the text.
  public func encode(to encoder: any Encoder) throws { try description.encode(to: encoder) }
}

/// Converts bytes to text of two hexadecimal digits each, and back.
public enum Hexadecimal {
  private static let digits = StaticString("0123456789abcdef")

  /// Returns the text of bytes, in lower case.
  public static func text(_ bytes: some Sequence<UInt8>) -> String {
    var text: [UInt8] = []
    text.reserveCapacity(2 * bytes.underestimatedCount)
    for byte in bytes {
      text.append(digits.utf8Start[Int(byte >> 4)])
      text.append(digits.utf8Start[Int(byte & 15)])
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Returns the 16 digits of a number, with leading zeros.
  public static func text(_ number: UInt64) -> String {
    text(stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: number >> UInt64($0)) })
  }

  /// Returns the bytes of a text of digits in either case; nil if it has another form.
  public static func bytes(of text: some Collection<UInt8>) -> [UInt8]? {
    guard text.count.isMultiple(of: 2) else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count / 2)
    var digits = text.makeIterator()
    while let first = digits.next() {
      guard let high = digit(first), let low = digits.next().flatMap(digit) else { return nil }
      bytes.append(high << 4 | low)
    }
    return bytes
  }

  /// Returns the value of a digit; nil for another character.
  public static func digit(_ character: UInt8) -> UInt8? {
    switch character {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): character - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): character - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}

/// Percent-encoding as in URLs (RFC 3986, 2.1).
public enum PercentCoding {
  /// Encodes all bytes except those that RFC 3986 calls unreserved (letters, digits and `-._~`).
  ///
  /// - Parameters:
  ///   - bytes: the bytes.
  ///   - kept: further ASCII characters that are not encoded, for example `/`.
  public static func encode(_ bytes: some Sequence<UInt8>, keeping kept: StaticString = "") -> String {
    let digits = StaticString("0123456789ABCDEF").utf8Start
    let kept = UnsafeBufferPointer(start: kept.utf8Start, count: kept.utf8CodeUnitCount)
    var text: [UInt8] = []
    text.reserveCapacity(bytes.underestimatedCount)
    for byte in bytes {
      switch byte {
      case 97...122, 65...90, 48...57, 45, 46, 95, 126: text.append(byte)
      case _ where kept.contains(byte): text.append(byte)
      default: text += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Encodes a text's UTF-8.
  public static func encode(_ text: String, keeping kept: StaticString = "") -> String {
    encode(text.utf8, keeping: kept)
  }

  /// Decodes percent-encoded text to bytes; nil if an escape is invalid.
  ///
  /// - Parameters:
  ///   - text: the text.
  ///   - plusIsSpace: true to decode `+` as a space, as in forms and queries.
  public static func decode(_ text: some StringProtocol, plusIsSpace: Bool = false) -> [UInt8]? {
    var bytes: [UInt8] = []
    var iterator = text.utf8.makeIterator()
    while let byte = iterator.next() {
      switch byte {
      case UInt8(ascii: "%"):
        guard let high = iterator.next().flatMap(Hexadecimal.digit),
          let low = iterator.next().flatMap(Hexadecimal.digit)
        else { return nil }
        bytes.append(high << 4 | low)
      case UInt8(ascii: "+") where plusIsSpace: bytes.append(UInt8(ascii: " "))
      default: bytes.append(byte)
      }
    }
    return bytes
  }
}

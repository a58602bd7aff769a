/// An absolute path on this host, as the bytes the kernel knows it by: names of files need not be UTF-8. Encoded as a
/// `file:` URL
/// with the other bytes percent-encoded.
public struct LocalPath: Hashable, Sendable {
  /// The bytes of the path, without a final NUL.
  public var bytes: [UInt8]

  /// Makes a path from its bytes.
  public init(bytes: [UInt8]) { self.bytes = bytes }

  /// Makes a path from text.
  public init(_ text: String) { self.bytes = Array(text.utf8) }

  /// Reads a `file:` URL without a host; nil for anything else, and for a NUL, which ends a path for the kernel.
  public init?(url: String) {
    guard url.hasPrefix("file:///") else { return nil }
    var bytes: [UInt8] = []
    var rest = url.utf8.dropFirst(7)
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%") {
        guard let high = rest.popFirst().flatMap(Self.hexValue), let low = rest.popFirst().flatMap(Self.hexValue) else {
          return nil
        }
        bytes.append(high << 4 | low)
      } else {
        bytes.append(byte)
      }
    }
    guard !bytes.contains(0) else { return nil }
    self.bytes = bytes
  }

  /// The `file:` URL (RFC 8089) of the path.
  public var url: String {
    let hex = Array("0123456789ABCDEF".utf8)
    var text = Array("file://".utf8)
    for byte in bytes {
      switch byte {
      case 97...122, 65...90, 48...57, 45, 46, 47, 95, 126: text.append(byte)
      default: text += [UInt8(ascii: "%"), hex[Int(byte >> 4)], hex[Int(byte & 15)]]
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  private static func hexValue(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 48...57: byte - 48
    case 65...70: byte - 55
    case 97...102: byte - 87
    default: nil
    }
  }
}

extension LocalPath: CustomStringConvertible {
  /// The path as text for people; bytes that are no UTF-8 show as the replacement character.
  public var description: String { String(decoding: bytes, as: UTF8.self) }
}

extension LocalPath: Codable {
  /// Reads a `file:` URL.
  public init(from decoder: any Decoder) throws {
    let text = try decoder.singleValueContainer().decode(String.self)
    guard let path = LocalPath(url: text) else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "\(text) is no file URL"))
    }
    self = path
  }

  /// Writes a `file:` URL.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(url)
  }
}

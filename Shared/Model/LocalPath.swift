/// An absolute path on this host as bytes, since file names need not be UTF-8. Encoded as a `file:` URL, in which the
/// bytes that a URL cannot contain are percent-encoded.
public struct LocalPath: Hashable, Sendable {
  /// The bytes of the path, without a final NUL.
  public var bytes: [UInt8]

  public init(bytes: [UInt8]) { self.bytes = bytes }

  public init(_ text: String) { self.bytes = Array(text.utf8) }

  /// Reads a `file:` URL without a host; nil for other text, and for a path with a NUL.
  public init?(url: String) {
    guard url.hasPrefix("file:///"), let bytes = PercentCoding.decode(url.dropFirst(7)), !bytes.contains(0) else {
      return nil
    }
    self.bytes = bytes
  }

  /// The `file:` URL (RFC 8089) of the path.
  public var url: String { "file://" + PercentCoding.encode(bytes, keeping: "/") }
}

extension LocalPath: CustomStringConvertible {
  /// The path as text for people; bytes that are not UTF-8 are replaced.
  public var description: String { String(decoding: bytes, as: UTF8.self) }
}

extension LocalPath: Codable {
  /// Reads a `file:` URL.
  public init(from decoder: any Decoder) throws {
    let text = try String(from: decoder)
    guard let path = LocalPath(url: text) else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "\(text) is no file URL"))
    }
    self = path
  }

  /// Writes a `file:` URL.
  public func encode(to encoder: any Encoder) throws { try url.encode(to: encoder) }
}

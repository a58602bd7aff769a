import FoundationEssentials

/// Bytes as text (RFC 4648).
enum Base64 {
  static func text(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }
}

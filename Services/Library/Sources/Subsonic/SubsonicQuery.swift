/// The query of a request, in the form that addresses and forms share (application/x-www-form-urlencoded).
enum SubsonicQuery {
  /// The parts as text.
  static func text(_ parts: [(String, String)]) -> String {
    parts.map { "\(encoded($0.0))=\(encoded($0.1))" }.joined(separator: "&")
  }

  /// A value with everything escaped but what RFC 3986 calls unreserved.
  private static func encoded(_ value: String) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    var bytes: [UInt8] = []
    for byte in value.utf8 {
      switch byte {
      case 48...57, 65...90, 97...122, UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"):
        bytes.append(byte)
      default: bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

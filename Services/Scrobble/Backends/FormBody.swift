/// `application/x-www-form-urlencoded`, with everything escaped but what RFC 3986 calls unreserved.
enum FormBody {
  /// The bytes of a form.
  static func encoded(_ parameters: [String: String]) -> [UInt8] {
    var bytes: [UInt8] = []
    for (name, value) in parameters.sorted(by: { $0.key < $1.key }) {
      if !bytes.isEmpty { bytes.append(UInt8(ascii: "&")) }
      escape(name, into: &bytes)
      bytes.append(UInt8(ascii: "="))
      escape(value, into: &bytes)
    }
    return bytes
  }

  /// A text as it may stand in a query.
  static func escaped(_ text: String) -> String {
    var bytes: [UInt8] = []
    escape(text, into: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func escape(_ text: String, into bytes: inout [UInt8]) {
    let digits = Array("0123456789ABCDEF".utf8)
    for byte in text.utf8 {
      switch byte {
      case 48...57, 65...90, 97...122, UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"):
        bytes.append(byte)
      default: bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
  }
}

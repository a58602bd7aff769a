/// The query of a request to Plex, built by hand: operators such as `>>=` have to be sent as they are, and only values
/// are encoded. With the operators encoded a server ignores the filter, or answers 400.
struct PlexQuery: Hashable, Sendable {
  private(set) var text = ""

  init(_ parts: KeyValuePairs<String, String> = [:]) { for (name, value) in parts { add(name, value) } }

  /// Adds `name=value`; the name may end with an operator's signs (`addedAt>>`).
  mutating func add(_ name: String, _ value: String) {
    text += (text.isEmpty ? "?" : "&") + name + "=" + Self.encoded(value)
  }

  /// The query with one more part.
  func with(_ name: String, _ value: String) -> PlexQuery {
    var query = self
    query.add(name, value)
    return query
  }

  /// A value with everything escaped but what RFC 3986 calls unreserved, and commas, which part lists of ids.
  static func encoded(_ value: String) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(value.utf8.count)
    for byte in value.utf8 {
      switch byte {
      case 48...57, 65...90, 97...122, UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"),
        UInt8(ascii: ","):
        bytes.append(byte)
      default: bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

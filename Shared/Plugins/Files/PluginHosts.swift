/// The hosts that a plugin may ask.
public enum PluginHosts {
  /// Returns true if one of the hosts is `host`, or stands for it: `*.example.org` stands for every host below
  /// `example.org`.
  public static func allow(_ host: String, _ hosts: [String]) -> Bool {
    let host = host.lowercased()
    return hosts.contains { one in
      one == host || one.hasPrefix("*.") && host.hasSuffix(one.dropFirst()) && host.utf8.count > one.utf8.count - 1
    }
  }

  /// Returns a host in lower case; nil for what is none: a name needs a dot, `*` may stand only for all that is below a
  /// host, and addresses in numbers and the names of private networks are no hosts of a plugin.
  public static func valid(_ text: String) -> String? {
    let host = text.lowercased()
    let name = host.hasPrefix("*.") ? host.dropFirst(2) : host[...]
    let labels = name.split(separator: ".", omittingEmptySubsequences: false)
    guard labels.count > 1, name.utf8.count <= 253, let last = labels.last,
      labels.allSatisfy({ label in
        (1...63).contains(label.utf8.count) && label.first != "-"
          && label.utf8.allSatisfy { ($0 | 0x20 >= 97 && $0 | 0x20 <= 122) || ($0 >= 48 && $0 <= 57) || $0 == 45 }
      }), last.contains(where: { !$0.isNumber }), !["local", "internal", "localhost"].contains(last)
    else { return nil }
    return host
  }

  /// Returns the hosts of the https addresses in a text of code.
  static func named(in code: String) -> [String] {
    let marker = Array("https://".utf8)
    let bytes = Array(code.utf8)
    var found: [String] = []
    var index = 0
    while let start = bytes[index...].firstRange(of: marker)?.upperBound {
      let end = bytes[start...].firstIndex { !isHostByte($0) } ?? bytes.endIndex
      // A host that ends in the middle, such as that of `https://${shop}.example.org`, is not known.
      if end > start, end == bytes.endIndex || bytes[end] != UInt8(ascii: "$"),
        let host = valid(String(decoding: bytes[start..<end], as: UTF8.self))
      {
        found.append(host)
      }
      index = max(end, start)
    }
    return found
  }

  /// Returns the host of a pattern of addresses; nil if it has none, as in `spotify:track:*`.
  static func of(pattern: String) -> String? {
    var rest = pattern[...]
    for scheme in ["http://", "https://"] where rest.hasPrefix(scheme) { rest = rest.dropFirst(scheme.count) }
    return valid(String(rest.prefix { $0 != "/" && $0 != "?" }))
  }

  /// Returns hosts without repetitions, sorted.
  static func sorted(_ hosts: [String]) -> [String] { Set(hosts).sorted() }

  private static func isHostByte(_ byte: UInt8) -> Bool {
    (byte | 0x20 >= 97 && byte | 0x20 <= 122) || (byte >= 48 && byte <= 57) || byte == 45 || byte == 46
  }
}

import System

/// A numeric address to which a connection is made.
public struct ConnectionAddress: Hashable, Sendable {
  /// The four or sixteen bytes of the address; an IPv4 address in an IPv6 one has four. Empty for no IP address.
  public let bytes: [UInt8]
  /// The port.
  public let port: UInt16

  public init(bytes: [UInt8], port: UInt16) {
    self.bytes = IPAddress.plain(bytes)
    self.port = port
  }
}

/// The networks to which a numeric address belongs.
enum NetworkAddress {
  /// Returns the four or sixteen bytes of a numeric address as an address of http writes it, an IPv6 one in brackets;
  /// nil for a name.
  static func bytes(_ host: String) -> [UInt8]? {
    let isV6 = host.hasPrefix("[") && host.hasSuffix("]")
    let text = isV6 ? String(host.dropFirst().dropLast().prefix { $0 != "%" }) : host
    return IPAddress.bytes(text).flatMap { ($0.count == 16) == isV6 ? $0 : nil }
  }

  /// Returns true for an address of the public network: not for those of this machine, of private and local networks,
  /// of groups, and those that are reserved (RFC 6890).
  ///
  /// - Parameter bytes: the four or sixteen bytes of the address; any other number is none.
  static func isPublic(_ bytes: [UInt8]) -> Bool { bytes.count == 4 ? isPublic(v4: bytes) : isPublic(v6: bytes) }

  /// Returns true for a public address of four bytes.
  static func isPublic(v4 bytes: [UInt8]) -> Bool {
    guard bytes.count == 4 else { return false }
    switch (bytes[0], bytes[1], bytes[2]) {
    case (0, _, _), (10, _, _), (127, _, _), (224...255, _, _): return false
    case (100, 64...127, _), (169, 254, _), (172, 16...31, _), (192, 168, _), (198, 18...19, _): return false
    case (192, 0, 0), (192, 0, 2), (198, 51, 100), (203, 0, 113): return false
    default: return true
    }
  }

  /// Returns true for a public address of sixteen bytes; one that wraps an address of four bytes is what that is.
  static func isPublic(v6 bytes: [UInt8]) -> Bool {
    guard bytes.count == 16 else { return false }
    let plain = IPAddress.plain(bytes)
    if plain.count == 4 { return isPublic(v4: plain) }
    // NAT64 (RFC 6052) and 6to4 (RFC 3056) wrap one as well.
    if bytes.starts(with: [0, 0x64, 0xFF, 0x9B]) { return isPublic(v4: Array(bytes[12...])) }
    if bytes.starts(with: [0x20, 0x02]) { return isPublic(v4: Array(bytes[2..<6])) }
    // Only 2000::/3 is given out to the public; of it 2001:db8::/32 is for documents and 2001::/32 for tunnels.
    return bytes[0] & 0xE0 == 0x20 && !bytes.starts(with: [0x20, 0x01, 0x0D, 0xB8])
      && !bytes.starts(with: [0x20, 0x01, 0, 0])
  }
}

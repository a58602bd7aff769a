public import Glibc

/// The part of a host's address that counts as one client: an IPv4 address, or an IPv6 network of 64 bits, as one host
/// may use any address of its network.
public struct HostPrefix: Hashable, Sendable {
  private let bytes: [UInt8]

  /// Reads a numeric address; nil for a name. An IPv4 address in an IPv6 one counts as the IPv4 address.
  public init?(_ host: String) {
    var (short, long) = (in_addr(), in6_addr())
    if inet_pton(AF_INET, host, &short) == 1 {
      bytes = withUnsafeBytes(of: short) { Array($0) }
    } else if inet_pton(AF_INET6, host, &long) == 1 {
      bytes = Self.prefix(of: long)
    } else {
      return nil
    }
  }

  /// Reads the address of a socket; nil for one of no IP family.
  public init?(_ address: UnsafePointer<sockaddr>) {
    let raw = UnsafeRawPointer(address)
    switch Int32(address.pointee.sa_family) {
    case AF_INET: bytes = withUnsafeBytes(of: raw.loadUnaligned(as: sockaddr_in.self).sin_addr) { Array($0) }
    case AF_INET6: bytes = Self.prefix(of: raw.loadUnaligned(as: sockaddr_in6.self).sin6_addr)
    default: return nil
    }
  }

  private static func prefix(of address: in6_addr) -> [UInt8] {
    let all = withUnsafeBytes(of: address) { Array($0) }
    let isMapped = all.prefix(10).allSatisfy { $0 == 0 } && all[10] == 0xff && all[11] == 0xff
    return Array(isMapped ? all[12...] : all[..<8])
  }
}

import Glibc

/// The names and addresses with which a machine reaches itself without a name server.
public enum Loopback {
  /// Returns true for `localhost`, 127.0.0.0/8, ::1, and those of IPv4 written as IPv6, with or without brackets. Any
  /// other name may lead to another machine, however it begins.
  public static func isHost(_ host: String) -> Bool {
    if host.lowercased() == "localhost" { return true }
    let isBracketed = host.hasPrefix("[") && host.hasSuffix("]")
    return IPAddress.bytes(isBracketed ? String(host.dropFirst().dropLast()) : host).map(contains) ?? false
  }

  /// Returns true for the four or sixteen bytes of such an address.
  static func contains(_ bytes: [UInt8]) -> Bool {
    let bytes = IPAddress.plain(bytes)
    return bytes.count == 4 ? bytes[0] == 127 : bytes == [UInt8](repeating: 0, count: 15) + [1]
  }
}

/// Numeric addresses of IPv4 and IPv6, as their four or sixteen bytes.
public enum IPAddress {
  /// Returns the bytes of an address in its usual form, IPv6 without brackets and zone; nil for a name.
  public static func bytes(_ text: String) -> [UInt8]? {
    for (family, count) in [(AF_INET, 4), (AF_INET6, 16)] {
      var bytes = [UInt8](repeating: 0, count: count)
      if inet_pton(family, text, &bytes) == 1 { return bytes }
    }
    return nil
  }

  /// Returns the usual form of an address; nil if it does not have four or sixteen bytes.
  public static func text(_ bytes: [UInt8]) -> String? {
    guard bytes.count == 4 || bytes.count == 16 else { return nil }
    var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    let family = bytes.count == 4 ? AF_INET : AF_INET6
    guard inet_ntop(family, bytes, &text, socklen_t(text.count)) != nil else { return nil }
    return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Returns the four bytes of an IPv4 address that is written as IPv6; any other address as it is.
  public static func plain(_ bytes: [UInt8]) -> [UInt8] {
    let isMapped = bytes.count == 16 && bytes[..<10].allSatisfy { $0 == 0 } && bytes[10...11].allSatisfy { $0 == 0xFF }
    return isMapped ? Array(bytes[12...]) : bytes
  }
}

/// The addresses of this machine.
public enum LocalAddresses {
  /// Returns true for an address with which a connection from this machine ends at this machine: a loopback one, the
  /// one that stands for all, and those of its interfaces.
  ///
  /// - Parameter bytes: the four or sixteen bytes of the address.
  public static func contain(_ bytes: [UInt8]) -> Bool {
    let bytes = IPAddress.plain(bytes)
    // The kernel takes 0.0.0.0 and :: as the target of a connection for the machine itself.
    return bytes.allSatisfy { $0 == 0 } || Loopback.contains(bytes) || ofInterfaces().contains(bytes)
  }

  private static func ofInterfaces() -> Set<[UInt8]> {
    var list: UnsafeMutablePointer<ifaddrs>?
    guard getifaddrs(&list) == 0 else { return [] }
    defer { freeifaddrs(list) }
    var found: Set<[UInt8]> = []
    var next = list
    while let entry = next?.pointee {
      next = entry.ifa_next
      guard let address = entry.ifa_addr else { continue }
      let raw = UnsafeRawPointer(address)
      switch Int32(address.pointee.sa_family) {
      case AF_INET:
        found.insert(withUnsafeBytes(of: raw.loadUnaligned(as: sockaddr_in.self).sin_addr) { Array($0) })
      case AF_INET6:
        found.insert(withUnsafeBytes(of: raw.loadUnaligned(as: sockaddr_in6.self).sin6_addr) { Array($0) })
      default: continue
      }
    }
    return found
  }
}

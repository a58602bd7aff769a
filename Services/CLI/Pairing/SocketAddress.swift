import Glibc

/// An address of the network with a port, as the kernel takes it.
struct SocketAddress: Sendable {
  private var storage = sockaddr_storage()
  private var length: socklen_t

  /// What a host and port stand for; empty where the name is not known.
  static func resolve(_ host: String, _ port: UInt16) -> [SocketAddress] {
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    hints.ai_flags = AI_NUMERICSERV
    var list: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(host, "\(port)", &hints, &list) == 0 else { return [] }
    defer { freeaddrinfo(list) }
    var found: [SocketAddress] = []
    var next = list
    while let entry = next {
      next = entry.pointee.ai_next
      if let address = entry.pointee.ai_addr { found.append(SocketAddress(address, entry.pointee.ai_addrlen)) }
    }
    return found
  }

  /// The addresses to which one datagram reaches everybody on a network that this machine is on, loopback aside.
  static func broadcasts(_ port: UInt16) -> [SocketAddress] {
    var list: UnsafeMutablePointer<ifaddrs>?
    guard getifaddrs(&list) == 0 else { return [] }
    defer { freeifaddrs(list) }
    var found: [SocketAddress] = []
    var next = list
    while let entry = next?.pointee {
      next = entry.ifa_next
      guard let address = entry.ifa_addr, Int32(address.pointee.sa_family) == AF_INET, let mask = entry.ifa_netmask,
        entry.ifa_flags & UInt32(IFF_UP) != 0, entry.ifa_flags & UInt32(IFF_LOOPBACK) == 0
      else { continue }
      let (own, net) = (number(address), number(mask))
      // Made of address and mask, as what the kernel names depends on how the address was set.
      found.append(SocketAddress(version4: own | ~net, port: port))
    }
    return found
  }

  private static func number(_ address: UnsafeMutablePointer<sockaddr>) -> UInt32 {
    address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { UInt32(bigEndian: $0.pointee.sin_addr.s_addr) }
  }

  private init(version4 number: UInt32, port: UInt16) {
    length = socklen_t(MemoryLayout<sockaddr_in>.size)
    withUnsafeMutableBytes(of: &storage) {
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = port.bigEndian
      address.sin_addr.s_addr = number.bigEndian
      $0.storeBytes(of: address, as: sockaddr_in.self)
    }
  }

  private init(_ address: UnsafePointer<sockaddr>, _ length: socklen_t) {
    self.length = length
    withUnsafeMutableBytes(of: &storage) {
      $0.copyMemory(from: UnsafeRawBufferPointer(start: address, count: min(Int(length), $0.count)))
    }
  }

  /// An address that the kernel fills in.
  init(filledBy body: (UnsafeMutablePointer<sockaddr>, inout socklen_t) -> Void) {
    length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    var filled = length
    withUnsafeMutablePointer(to: &storage) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, &filled) }
    }
    length = filled
  }

  /// `AF_INET` or `AF_INET6`.
  var family: Int32 { Int32(storage.ss_family) }

  /// The same host with another port.
  func with(port: UInt16) -> SocketAddress {
    var changed = self
    withUnsafeMutableBytes(of: &changed.storage) {
      // At the same place in both families.
      $0.storeBytes(of: port.bigEndian, toByteOffset: 2, as: UInt16.self)
    }
    return changed
  }

  /// The port.
  var port: UInt16 {
    withUnsafeBytes(of: storage) { UInt16(bigEndian: $0.loadUnaligned(fromByteOffset: 2, as: UInt16.self)) }
  }

  /// The host as people write it; an IPv4 one that came by way of IPv6 without that.
  var host: String {
    var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
    let result = withPointer { getnameinfo($0, $1, &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST) }
    guard result == 0 else { return "?" }
    let host = String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return host.hasPrefix("::ffff:") && host.contains(".") ? String(host.dropFirst(7)) : host
  }

  /// Calls `body` with the address as the kernel takes it.
  func withPointer<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) throws -> Result) rethrows -> Result {
    try withUnsafePointer(to: storage) {
      try $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { try body($0, length) }
    }
  }
}

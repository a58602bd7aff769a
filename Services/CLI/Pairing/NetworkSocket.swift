import CPlatform
import Glibc
import Model
import System

/// Functions for network sockets. All sockets are non-blocking, and child processes do not inherit them.
enum NetworkSocket {
  fileprivate static func make(_ family: Int32, _ kind: __socket_type) -> Descriptor? {
    let number = socket(family, Int32(kind.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
    return number < 0 ? nil : Descriptor(owning: number)
  }

  fileprivate static func set(_ option: Int32, _ level: Int32, of socket: Descriptor, _ value: Int32) {
    var value = value
    setsockopt(socket.number, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
  }

  /// Listens for connections on every interface. Throws `cli.pairPort`.
  static func listener(_ port: UInt16) throws -> Descriptor {
    for host in ["::", "0.0.0.0"] {
      guard let address = SocketAddress.resolve(host, port).first, let socket = make(address.family, SOCK_STREAM) else {
        continue
      }
      if address.family == AF_INET6 { set(Int32(IPV6_V6ONLY), Int32(IPPROTO_IPV6), of: socket, 0) }
      // SO_REUSEADDR lets a second `lunara pair` listen while connections of the first are in TIME_WAIT.
      set(SO_REUSEADDR, SOL_SOCKET, of: socket, 1)
      if address.withPointer({ bind(socket.number, $0, $1) }) == 0, listen(socket.number, 16) == 0 { return socket }
      // These errors mean that the machine has no IPv6.
      if errno != EADDRNOTAVAIL, errno != EAFNOSUPPORT { break }
    }
    throw LunaraError(
      "cli.pairPort",
      "Port \(port) cannot be listened on. Does another `lunara pair` run here? Else choose another with --port PORT.",
      cause: .current)
  }

  /// Listens for connections from this machine only; nil if the port is taken.
  static func loopbackListener(_ port: UInt16) -> Descriptor? {
    guard let address = SocketAddress.resolve("127.0.0.1", port).first, let socket = make(AF_INET, SOCK_STREAM) else {
      return nil
    }
    set(SO_REUSEADDR, SOL_SOCKET, of: socket, 1)
    return address.withPointer({ bind(socket.number, $0, $1) }) == 0 && listen(socket.number, 8) == 0 ? socket : nil
  }

  /// Creates a socket that receives datagrams on every IPv4 interface; nil if the port is taken.
  static func datagramListener(_ port: UInt16) -> Descriptor? {
    guard let address = SocketAddress.resolve("0.0.0.0", port).first, let socket = make(AF_INET, SOCK_DGRAM),
      address.withPointer({ bind(socket.number, $0, $1) }) == 0
    else { return nil }
    return socket
  }

  static func broadcaster() -> Descriptor? {
    guard let socket = make(AF_INET, SOCK_DGRAM) else { return nil }
    set(SO_BROADCAST, SOL_SOCKET, of: socket, 1)
    return socket
  }

  static func port(of socket: Descriptor) -> UInt16 {
    SocketAddress { address, length in _ = getsockname(socket.number, address, &length) }.port
  }

  /// Returns this machine's address in a connection, without the port.
  static func host(of socket: Descriptor) -> String {
    SocketAddress { address, length in _ = getsockname(socket.number, address, &length) }.host
  }

  /// Accepts a pending connection; nil if there is none.
  static func accept(_ listener: Descriptor) -> (socket: Descriptor, from: SocketAddress)? {
    var number: Int32 = -1
    let from = SocketAddress { address, length in
      number = lunara_accept(listener.number, address, &length)
    }
    return number < 0 ? nil : (Descriptor(owning: number), from)
  }

  /// Connects to an address within a time limit; nil if nothing accepts the connection.
  static func connect(to address: SocketAddress, within limit: Milliseconds) -> Descriptor? {
    guard let socket = make(address.family, SOCK_STREAM) else { return nil }
    if address.withPointer({ Glibc.connect(socket.number, $0, $1) }) == 0 { return socket }
    guard errno == EINPROGRESS else { return nil }
    var polled = pollfd(fd: socket.number, events: Int16(POLLOUT), revents: 0)
    guard poll(&polled, 1, Int32(clamping: limit.rawValue)) == 1 else { return nil }
    var failure: Int32 = 0
    var size = socklen_t(MemoryLayout<Int32>.size)
    getsockopt(socket.number, SOL_SOCKET, SO_ERROR, &failure, &size)
    return failure == 0 ? socket : nil
  }

  /// Sends bytes that are few enough for the connection's buffer. Returns false if not all were sent, such as when the
  /// other side is gone.
  @discardableResult
  static func send(_ bytes: [UInt8], on socket: Descriptor) -> Bool {
    Glibc.send(socket.number, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count
  }

  /// Returns a pending datagram, of at most 512 bytes; nil if there is none.
  static func receive(_ socket: Descriptor) -> (bytes: [UInt8], from: SocketAddress)? {
    var bytes = [UInt8](repeating: 0, count: 512)
    var count = -1
    let from = SocketAddress { address, length in
      count = recvfrom(socket.number, &bytes, bytes.count, 0, address, &length)
    }
    return count < 0 ? nil : (Array(bytes.prefix(count)), from)
  }

  /// Sends a datagram. Errors are ignored, as datagrams may get lost anyway.
  static func send(_ bytes: [UInt8], to address: SocketAddress, by socket: Descriptor) {
    _ = address.withPointer { sendto(socket.number, bytes, bytes.count, Int32(MSG_NOSIGNAL), $0, $1) }
  }
}

extension NetworkSocket {
  /// Returns the reason why nobody can listen at an address of this machine: `addressInUse` if another socket listens
  /// there; nil if it is possible.
  static func refusal(toListenAt address: SocketAddress) -> Errno? {
    guard let socket = make(address.family, SOCK_STREAM) else { return .current }
    set(SO_REUSEADDR, SOL_SOCKET, of: socket, 1)
    return address.withPointer { bind(socket.number, $0, $1) } == 0 ? nil : .current
  }
}

/// A network address with a port, or the path of a local socket, as a `sockaddr` of the kernel.
struct SocketAddress: Sendable {
  private var storage = sockaddr_storage()
  private var length: socklen_t

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

  /// Returns the IPv4 broadcast addresses of all networks that this machine is on, except loopback.
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
      // The kernel's broadcast address is not used, as it depends on how the interface's address was set.
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

  /// Creates the address of a local (Unix) socket; nil if its path is too long.
  init?(file path: String) {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    guard path.utf8.count < MemoryLayout.size(ofValue: address.sun_path) else { return nil }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    length = socklen_t(MemoryLayout<sockaddr_un>.size)
    withUnsafeMutableBytes(of: &storage) { $0.storeBytes(of: address, as: sockaddr_un.self) }
  }

  private init(_ address: UnsafePointer<sockaddr>, _ length: socklen_t) {
    self.length = length
    withUnsafeMutableBytes(of: &storage) {
      $0.copyMemory(from: UnsafeRawBufferPointer(start: address, count: min(Int(length), $0.count)))
    }
  }

  init(filledBy body: (UnsafeMutablePointer<sockaddr>, inout socklen_t) -> Void) {
    length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    var filled = length
    withUnsafeMutablePointer(to: &storage) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, &filled) }
    }
    length = filled
  }

  var family: Int32 { Int32(storage.ss_family) }

  func with(port: UInt16) -> SocketAddress {
    var changed = self
    withUnsafeMutableBytes(of: &changed.storage) {
      // The port has the same offset in IPv4 and IPv6 addresses.
      $0.storeBytes(of: port.bigEndian, toByteOffset: 2, as: UInt16.self)
    }
    return changed
  }

  var port: UInt16 {
    withUnsafeBytes(of: storage) { UInt16(bigEndian: $0.loadUnaligned(fromByteOffset: 2, as: UInt16.self)) }
  }

  /// The numeric host; an IPv4-mapped IPv6 address is written as IPv4.
  var host: String {
    var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
    let result = withPointer { getnameinfo($0, $1, &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST) }
    guard result == 0 else { return "?" }
    let host = String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return host.hasPrefix("::ffff:") && host.contains(".") ? String(host.dropFirst(7)) : host
  }

  func withPointer<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) throws -> Result) rethrows -> Result {
    try withUnsafePointer(to: storage) {
      try $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { try body($0, length) }
    }
  }
}

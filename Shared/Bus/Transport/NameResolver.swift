import Glibc
import Model

/// Queries of addresses that the system answers. They may block, so they are made on the I/O thread only while a node
/// starts.
enum HostAddress {
  /// Returns the numeric addresses of a host; empty if its name is not known.
  static func resolve(_ host: String) -> [String] {
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    return withList(host, &hints) { entry in numeric(entry.pointee.ai_addr, entry.pointee.ai_addrlen) }
  }

  /// Returns the address that this machine uses to reach another one; nil if there is no route.
  static func local(towards host: String) -> String? {
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_DGRAM.rawValue)
    return withList(host, &hints) { entry -> String? in
      // Connecting a datagram socket sends nothing, but makes the kernel choose the route.
      let descriptor = socket(entry.pointee.ai_family, entry.pointee.ai_socktype | Int32(SOCK_CLOEXEC.rawValue), 0)
      guard descriptor >= 0 else { return nil }
      defer { close(descriptor) }
      // Any port will do, but the kernel needs one.
      entry.pointee.ai_addr.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
        $0.pointee.sin_port = UInt16(9).bigEndian
      }
      guard connect(descriptor, entry.pointee.ai_addr, entry.pointee.ai_addrlen) == 0 else { return nil }
      var address = sockaddr_storage()
      var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
      return withUnsafeMutablePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
          getsockname(descriptor, pointer, &length) == 0 ? numeric(pointer, length) : nil
        }
      }
    }.first
  }

  /// Returns the first address of this machine that is not a loopback one, IPv4 before IPv6; nil if there is none.
  static func own() -> String? {
    var list: UnsafeMutablePointer<ifaddrs>?
    guard getifaddrs(&list) == 0 else { return nil }
    defer { freeifaddrs(list) }
    var found: [(family: Int32, text: String)] = []
    var next = list
    while let entry = next?.pointee {
      next = entry.ifa_next
      guard let address = entry.ifa_addr, entry.ifa_flags & UInt32(IFF_UP) != 0,
        entry.ifa_flags & UInt32(IFF_LOOPBACK) == 0
      else { continue }
      let family = Int32(address.pointee.sa_family)
      let size = family == AF_INET ? MemoryLayout<sockaddr_in>.size : MemoryLayout<sockaddr_in6>.size
      guard family == AF_INET || family == AF_INET6, let text = numeric(address, socklen_t(size)) else { continue }
      // A link-local address needs a zone, which nanomsg refuses.
      if !text.hasPrefix("fe80:") { found.append((family, text)) }
    }
    return (found.first { $0.family == AF_INET } ?? found.first)?.text
  }

  private static func withList<Value>(
    _ host: String, _ hints: inout addrinfo, _ read: (UnsafeMutablePointer<addrinfo>) -> Value?
  ) -> [Value] {
    var list: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(host, nil, &hints, &list) == 0 else { return [] }
    defer { freeaddrinfo(list) }
    var found: [Value] = []
    var next = list
    while let entry = next {
      next = entry.pointee.ai_next
      if let value = read(entry) { found.append(value) }
    }
    return found
  }

  private static func numeric(_ address: UnsafePointer<sockaddr>, _ length: socklen_t) -> String? {
    var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
    guard getnameinfo(address, length, &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST) == 0 else { return nil }
    return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}

/// The addresses of the host names that this node connects to.
struct NameResolver {
  private struct Entry {
    var hosts: [String] = []
    var isAsked = false
    var at: ContinuousClock.Instant?
  }

  /// Looks names up on a thread of its own: that may take long, and a socket that connects to a name cannot be closed
  /// before the name is resolved.
  actor Lookup {
    private let thread = IOThread()
    private let resolve: @Sendable (String) -> [String]

    init(_ resolve: @escaping @Sendable (String) -> [String]) { self.resolve = resolve }

    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    isolated deinit { thread.stop() }

    func hosts(of name: String) -> [String] { resolve(name) }
  }

  /// The time for which found addresses are used.
  private static let memory = Duration.seconds(60)
  /// The time after which a name that was not found is looked up again.
  private static let pause = Duration.milliseconds(900)

  private let resolve: @Sendable (String) -> [String]
  private var lookup: Lookup?
  private var entries: [String: Entry] = [:]

  /// Creates a resolver from a function that looks up a host and may block.
  init(_ resolve: @escaping @Sendable (String) -> [String]) { self.resolve = resolve }

  /// Returns the known addresses of a name, and the lookup that the caller has to run; nil if none is due.
  mutating func addresses(of address: TCPAddress) -> (known: [TCPAddress], asking: Lookup?) {
    guard !address.isNumeric else { return ([address], nil) }
    let known = entries[address.host] ?? Entry()
    let addresses = known.hosts.map { TCPAddress(host: $0, port: address.port) }
    let length = known.hosts.isEmpty ? Self.pause : Self.memory
    guard !known.isAsked, known.at.map({ $0 + length < .now }) ?? true else { return (addresses, nil) }
    entries[address.host, default: Entry()].isAsked = true
    let lookup = lookup ?? Lookup(resolve)
    self.lookup = lookup
    return (addresses, lookup)
  }

  /// Returns the addresses that are known now, without asking for any.
  func known(_ address: TCPAddress) -> [String] {
    address.isNumeric ? [address.host] : entries[address.host]?.hosts ?? []
  }

  /// Returns true if an address contains a name that was looked up in vain.
  func isUnknown(_ text: String) -> Bool {
    guard let known = TCPAddress(text).flatMap({ entries[$0.host] }) else { return false }
    return known.at != nil && known.hosts.isEmpty
  }

  /// Moves the first address of a name to the end, as it could not be reached.
  mutating func rotate(_ text: String) {
    guard let name = TCPAddress(text)?.host, var known = entries[name], known.hosts.count > 1 else { return }
    known.hosts.append(known.hosts.removeFirst())
    entries[name] = known
  }

  /// Stores the addresses that were found for a name; returns true if they are the first.
  mutating func store(_ hosts: [String], for name: String) -> Bool {
    // An address with a zone contains a percent sign; nanomsg refuses it.
    let hosts = hosts.filter { !$0.contains("%") }
    let isFirst = entries[name]?.hosts.isEmpty != false
    entries[name] = Entry(hosts: hosts.isEmpty ? entries[name]?.hosts ?? [] : hosts, at: .now)
    return isFirst && !hosts.isEmpty
  }
}

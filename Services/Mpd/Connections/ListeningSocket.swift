import CPlatform
import Glibc
import Model
import System

/// A socket at which clients connect.
struct ListeningSocket: Sendable {
  let descriptor: Descriptor
  /// The port, which the system chose if 0 was asked for.
  let port: UInt16

  /// Listens at a numeric address or a name of this host.
  ///
  /// - Throws: `mpd.cannotListen`.
  init(host: String, port: UInt16) throws {
    func failure(_ cause: String) -> LunaraError {
      LunaraError(
        "mpd.cannotListen",
        "MPD clients cannot be served at \(host):\(port). Stop the program that uses it, or choose another address with LUNARA_MPD.",
        cause: cause)
    }
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV
    var list: UnsafeMutablePointer<addrinfo>?
    let result = getaddrinfo(host, "\(port)", &hints, &list)
    defer { if let list { freeaddrinfo(list) } }
    guard result == 0, let list else { throw failure(String(cString: gai_strerror(result))) }
    let number = Glibc.socket(
      list.pointee.ai_family, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
    guard number >= 0 else { throw failure(Errno.current.text) }
    descriptor = Descriptor(owning: number)
    Self.set(SO_REUSEADDR, SOL_SOCKET, of: number, 1)
    // Accepted connections inherit these: an answer leaves at once, and a client that lost its power is noticed.
    Self.set(Int32(TCP_NODELAY), Int32(IPPROTO_TCP), of: number, 1)
    Self.set(SO_KEEPALIVE, SOL_SOCKET, of: number, 1)
    guard bind(number, list.pointee.ai_addr, list.pointee.ai_addrlen) == 0, Glibc.listen(number, 128) == 0 else {
      throw failure(Errno.current.text)
    }
    self.port = Self.port(of: number) ?? port
  }

  private static func set(_ option: Int32, _ level: Int32, of socket: Int32, _ value: Int32) {
    var value = value
    // A failure is ignored: without these settings connections are only slower, or last longer.
    setsockopt(socket, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
  }

  private static func port(of socket: Int32) -> UInt16? {
    var address = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let isKnown = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(socket, $0, &length) == 0 }
    }
    guard isKnown else { return nil }
    // The port is at the same place in addresses of both families.
    return withUnsafeBytes(of: &address) { UInt16($0[2]) << 8 | UInt16($0[3]) }
  }

  /// Accepts a connection that waits; nil if none does, or if too many files are open.
  func accept() -> Descriptor? {
    let number = lunara_accept(descriptor.number, nil, nil)
    return number >= 0 ? Descriptor(owning: number) : nil
  }
}

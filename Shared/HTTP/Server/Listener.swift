// `sockaddr` belongs to whichever of these two the compiler reads first.
import CMicroHTTPD
import Glibc
import Model
import System

/// A socket that accepts connections.
struct Listener {
  /// The socket, which the user of the listener has to close.
  let descriptor: Int32
  /// The port on which it listens.
  let port: UInt16

  /// Listens on a numeric address or a name of this host; port 0 means any free one.
  ///
  /// With a `sendTimeout` in milliseconds, the kernel closes a connection whose client acknowledges nothing for that
  /// long, and buffers only 128 KiB for a slow one. Accepted connections inherit both settings (tcp(7), socket(7)).
  init(address: String, port: UInt16, sendTimeout: Int32? = nil) throws {
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV
    var found: UnsafeMutablePointer<addrinfo>?
    let result = getaddrinfo(address, "\(port)", &hints, &found)
    defer { if let found { freeaddrinfo(found) } }
    guard result == 0, let found else {
      throw LunaraError(
        "http.cannotListen", "\(address) is no address of this computer. Give one that is, such as 127.0.0.1.",
        cause: String(cString: gai_strerror(result)))
    }
    let descriptor = socket(found.pointee.ai_family, found.pointee.ai_socktype | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { throw Self.error(address, port) }
    do {
      var yes: Int32 = 1
      let size = socklen_t(MemoryLayout<Int32>.size)
      if var sendTimeout {
        var buffer: Int32 = 128 * 1024
        // Failures are ignored: without these settings connections only last longer and take more memory.
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_USER_TIMEOUT, &sendTimeout, size)
        setsockopt(descriptor, SOL_SOCKET, SO_SNDBUF, &buffer, size)
      }
      guard setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, size) == 0,
        fcntl(descriptor, F_SETFL, O_NONBLOCK) == 0,
        bind(descriptor, found.pointee.ai_addr, found.pointee.ai_addrlen) == 0, listen(descriptor, 64) == 0
      else { throw Self.error(address, port) }
      self.port = try Self.port(of: descriptor) ?? port
      self.descriptor = descriptor
    } catch {
      close(descriptor)
      throw error
    }
  }

  private static func port(of descriptor: Int32) throws -> UInt16? {
    var address = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    return withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        getsockname(descriptor, pointer, &length) == 0 ? NumericAddress(pointer)?.port : nil
      }
    }
  }

  private static func error(_ address: String, _ port: UInt16) -> LunaraError {
    let cause = Errno.current
    switch cause {
    case .addressInUse:
      return LunaraError(
        "http.addressInUse",
        "Port \(port) of \(address) is taken by another program. Stop that one or choose another port.",
        cause: cause)
    case .permissionDenied:
      return LunaraError(
        "http.cannotListen", "This user may not listen on port \(port). Choose one from 1024 on.", cause: cause)
    default:
      return LunaraError("http.cannotListen", "It is not possible to listen on \(address), port \(port).", cause: cause)
    }
  }
}

/// A socket's address in numbers.
struct NumericAddress {
  /// The host without its port; an IPv4 address in an IPv6 one is shown as IPv4.
  let host: String
  let port: UInt16

  /// Reads an address; nil for one of no IP family.
  init?(_ address: UnsafePointer<sockaddr>) {
    let isIPv6 = Int32(address.pointee.sa_family) == AF_INET6
    guard isIPv6 || Int32(address.pointee.sa_family) == AF_INET else { return nil }
    let length = socklen_t(isIPv6 ? MemoryLayout<sockaddr_in6>.size : MemoryLayout<sockaddr_in>.size)
    var host = [CChar](repeating: 0, count: 64)
    var service = [CChar](repeating: 0, count: 8)
    guard
      getnameinfo(
        address, length, &host, socklen_t(host.count), &service, socklen_t(service.count),
        NI_NUMERICHOST | NI_NUMERICSERV) == 0
    else { return nil }
    let text = Self.text(host)
    self.host = text.hasPrefix("::ffff:") && text.contains(".") ? String(text.dropFirst(7)) : text
    port = UInt16(Self.text(service)) ?? 0
  }

  private static func text(_ characters: [CChar]) -> String {
    String(decoding: characters.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}

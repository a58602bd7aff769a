import CNanomsg
import Glibc
import Model

/// One nanomsg socket, which is closed when it is released. Used on the node's I/O thread only, except for closing.
final class Socket {
  enum Role {
    /// A SUB socket that binds and receives all messages that peers publish to it.
    case inbox
    /// A PUB socket that connects to inboxes.
    case publisher
    /// A raw REP socket that binds and receives requests.
    case requests
    /// A raw REQ socket that connects to the request socket of one node.
    case connection
  }

  struct Endpoint {
    fileprivate let id: Int32
  }

  private let handle: Int32

  /// Opens a socket; `bufferSize` is in bytes, of which the kernel may grant less.
  init(_ role: Role, bufferSize: Int32 = 4 << 20) throws {
    let (domain, kind): (Int32, Int32) =
      switch role {
      case .inbox: (AF_SP, lunara_nn_sub)
      case .publisher: (AF_SP, lunara_nn_pub)
      case .requests: (AF_SP_RAW, lunara_nn_rep)
      case .connection: (AF_SP_RAW, lunara_nn_req)
      }
    handle = nn_socket(domain, kind)
    guard handle >= 0 else { throw Self.failure("open a socket") }
    if role != .inbox { try set(NN_SNDBUF, bufferSize) }
    if role != .publisher { try set(NN_RCVBUF, bufferSize) }
    // Disables Nagle's algorithm: small frames are sent at once.
    try set(NN_TCP_NODELAY, 1, level: lunara_nn_tcp)
    try set(NN_RECONNECT_IVL, 10)
    try set(NN_RECONNECT_IVL_MAX, 1000)
    if role == .inbox {
      guard nn_setsockopt(handle, lunara_nn_sub, NN_SUB_SUBSCRIBE, "", 0) == 0 else { throw Self.failure("subscribe") }
    }
  }

  deinit { nn_close(handle) }

  private func set(_ option: Int32, _ value: Int32, level: Int32 = NN_SOL_SOCKET) throws {
    var value = value
    guard nn_setsockopt(handle, level, option, &value, MemoryLayout<Int32>.size) == 0 else {
      throw Self.failure("set option \(option)")
    }
  }

  /// Binds an address of this machine: other machines are listened to by `RemoteListener`.
  func bind(_ address: String) throws {
    guard nn_bind(handle, address) >= 0 else { throw Self.failure("bind \(address)") }
  }

  /// Sets `NN_IPV4ONLY` by the form of the address. IPv6 addresses, and names that may have such, need 0. With 0 an
  /// IPv4 address is connected from an IPv6 one, which fails, and nanomsg 1.1.5 aborts at the second attempt
  /// (`ctcp.c`).
  private func chooseFamily(for address: String) throws {
    guard let address = TCPAddress(address) else { return }
    try set(NN_IPV4ONLY, address.isNumeric && !address.host.contains(":") ? 1 : 0)
  }

  var isConnected: Bool { nn_get_statistic(handle, NN_STAT_CURRENT_CONNECTIONS) > 0 }

  func connect(_ address: String) throws -> Endpoint {
    try chooseFamily(for: address)
    let id = nn_connect(handle, address)
    guard id >= 0 else { throw Self.failure("connect \(address)") }
    return Endpoint(id: id)
  }

  func disconnect(_ endpoint: Endpoint) {
    // This fails if the endpoint is gone already, which does not matter.
    nn_shutdown(handle, endpoint.id)
  }

  /// Returns the descriptor that becomes readable when there is a message (`NN_RCVFD`) or room to send one
  /// (`NN_SNDFD`).
  func descriptor(forSending: Bool = false) throws -> Int32 {
    var descriptor: Int32 = -1
    var size = MemoryLayout<Int32>.size
    guard nn_getsockopt(handle, NN_SOL_SOCKET, forSending ? NN_SNDFD : NN_RCVFD, &descriptor, &size) == 0 else {
      throw Self.failure("get a descriptor")
    }
    return descriptor
  }

  /// Sends to all connected inboxes that have room now.
  func send(_ bytes: [UInt8]) {
    _ = bytes.withUnsafeBytes { nn_send(handle, $0.baseAddress, $0.count, NN_DONTWAIT) }
  }

  /// Sends a message with a header; returns false if no peer has room now.
  func send(_ bytes: [UInt8], header: [UInt8]) -> Bool {
    bytes.withUnsafeBytes { body in
      lunara_nn_send_headed(handle, header, header.count, body.baseAddress, body.count) >= 0
    }
  }

  func receive<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result? {
    var message: UnsafeMutableRawPointer?
    let count = lunara_nn_receive(handle, &message)
    guard count >= 0, let message else { return nil }
    defer { nn_freemsg(message) }
    return body(UnsafeRawBufferPointer(start: message, count: Int(count)))
  }

  func receiveHeaded<Result>(_ body: (UnsafeRawBufferPointer, _ header: [UInt8]) -> Result) -> Result? {
    var message: UnsafeMutableRawPointer?
    var control: UnsafeMutableRawPointer?
    var header: UnsafeRawPointer?
    var headerCount = 0
    let count = lunara_nn_receive_headed(handle, &message, &control, &header, &headerCount)
    guard count >= 0, let message else { return nil }
    defer {
      nn_freemsg(message)
      if let control { nn_freemsg(control) }
    }
    return body(
      UnsafeRawBufferPointer(start: message, count: Int(count)),
      Array(UnsafeRawBufferPointer(start: header, count: headerCount)))
  }

  private static func failure(_ what: String) -> LunaraError {
    let number = nn_errno()
    return LunaraError(
      "bus.socketFailed", "The bus cannot \(what). \(remedy(after: number))",
      cause: String(cString: nn_strerror(number)))
  }

  /// Returns what a person can do about an error of a socket.
  static func remedy(after number: Int32) -> String {
    switch number {
    case EADDRNOTAVAIL, ENODEV:
      "This machine does not have that address. Is its network up? Else correct LUNARA_LISTEN."
    case EADDRINUSE: "Another program uses that address. Stop it, or choose another port with LUNARA_LISTEN."
    case EACCES, EPERM: "This user may not do that. Check the owner of the folder, or choose a port above 1023."
    case EMFILE, ENFILE: "Too many files are open. Raise the limit of open files (`ulimit -n`)."
    case ENOSPC: "The disk is full: make room."
    default: "Is the disk full, or are too many files open?"
    }
  }
}

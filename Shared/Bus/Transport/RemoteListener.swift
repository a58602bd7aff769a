import CPlatform
import Glibc
import Model
import System

/// Listens on a TCP port for other machines, and speaks with the nanomsg sockets there: as a SUB for those that
/// publish, as a REP for those that ask. Used on the node's I/O thread only, except for closing.
///
/// nanomsg itself does not listen there, because it allocates the length that a stranger announces and limits neither
/// the number of connections nor their time. This listener holds only bytes that have arrived, at most 32 KiB of them
/// until the sender has proven to have the key, unless it is at the address of a peer, and `StrangerPlaces` limits the
/// connections of others.
final class RemoteListener {
  /// One connection that was accepted.
  private final class Connection {
    let socket: Descriptor
    let address: HostPrefix
    var reader: SPMessageReader
    /// True once a frame of it has shown that the other side has the household's key.
    var isProven = false
    /// The bytes that the kernel has not accepted yet.
    var unsent: ArraySlice<UInt8> = []

    init(_ socket: Descriptor, from address: HostPrefix, _ reader: SPMessageReader) {
      self.socket = socket
      self.address = address
      self.reader = reader
    }
  }

  /// The largest message of a proven sender, and of any sender at the address of a peer: a frame with what nanomsg adds
  /// to it.
  private static let messageLimit = Frame.sizeLimit + 256
  /// The largest message of a stranger.
  private static let strangerLimit = Sealer.strangerLimit + 64
  /// The largest number of bytes that wait until the other side accepts them.
  private static let unsentLimit = 1 << 20
  /// The number that stands for the listening socket; those of connections are larger.
  private static let listenerNumber: UInt32 = 0

  private let kind: SPSocketKind
  private let socket: Descriptor
  private let poll: Descriptor
  private var connections: [UInt32: Connection] = [:]
  private var lastNumber = listenerNumber
  private var places = StrangerPlaces()
  /// True while no connections are accepted, because the process has too many open files.
  private var isPaused = false
  private var buffer = [UInt8](repeating: 0, count: 64 * 1024)
  /// The number of connections that were closed to make room, or because they did not prove themselves in time.
  private(set) var closedStrangers = 0

  /// The descriptor that is readable when there is something to do.
  var descriptor: Int32 { poll.number }

  /// The number of open connections.
  var count: Int { connections.count }

  /// The number of open connections whose senders have not proven that they have the household's key.
  var strangers: Int { places.count }

  /// Listens at a numeric address, `*` for all; nil if the port is in use.
  ///
  /// - Parameters:
  ///   - kind: `subscriber` or `answerer`.
  ///   - address: the address.
  ///   - bufferSize: the size of the kernel's buffers of each connection, in bytes; the kernel may grant less.
  /// - Throws: `bus.socketFailed`.
  init?(_ kind: SPSocketKind, at address: TCPAddress, bufferSize: Int32) throws {
    self.kind = kind
    guard let socket = try Self.listen(at: address, bufferSize: bufferSize) else { return nil }
    self.socket = socket
    let number = epoll_create1(Int32(EPOLL_CLOEXEC))
    guard number >= 0 else { throw Self.failure("listen at \(address)") }
    poll = Descriptor(owning: number)
    guard control(EPOLL_CTL_ADD, socket, Self.listenerNumber, EPOLLIN.rawValue) else {
      throw Self.failure("listen at \(address)")
    }
  }

  // MARK: - Listening

  private static func listen(at address: TCPAddress, bufferSize: Int32) throws -> Descriptor? {
    // On a machine without IPv6 `*` means all IPv4 addresses.
    for host in address.host == "*" ? ["::", "0.0.0.0"] : [address.host] {
      var hints = addrinfo()
      hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
      hints.ai_flags = AI_PASSIVE | AI_NUMERICHOST | AI_NUMERICSERV
      var list: UnsafeMutablePointer<addrinfo>?
      defer { if let list { freeaddrinfo(list) } }
      guard getaddrinfo(host, "\(address.port)", &hints, &list) == 0, let list else { continue }
      let number = Glibc.socket(
        list.pointee.ai_family, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
      guard number >= 0 else { continue }
      let socket = Descriptor(owning: number)
      if host == "::" { set(Int32(IPV6_V6ONLY), Int32(IPPROTO_IPV6), of: socket, 0) }
      set(SO_REUSEADDR, SOL_SOCKET, of: socket, 1)
      // Accepted connections inherit these (tcp(7)).
      set(SO_SNDBUF, SOL_SOCKET, of: socket, bufferSize)
      set(SO_RCVBUF, SOL_SOCKET, of: socket, bufferSize)
      set(Int32(TCP_NODELAY), Int32(IPPROTO_TCP), of: socket, 1)
      // A peer that lost its power is noticed after a minute.
      set(SO_KEEPALIVE, SOL_SOCKET, of: socket, 1)
      set(Int32(TCP_KEEPIDLE), Int32(IPPROTO_TCP), of: socket, 30)
      set(Int32(TCP_KEEPINTVL), Int32(IPPROTO_TCP), of: socket, 10)
      set(Int32(TCP_KEEPCNT), Int32(IPPROTO_TCP), of: socket, 3)
      if bind(number, list.pointee.ai_addr, list.pointee.ai_addrlen) == 0, Glibc.listen(number, 128) == 0 {
        return socket
      }
      if errno == EADDRINUSE { return nil }
    }
    throw failure("listen at \(address)")
  }

  private static func set(_ option: Int32, _ level: Int32, of socket: Descriptor, _ value: Int32) {
    var value = value
    // A failure is ignored: without these settings connections are only slower, or last longer.
    setsockopt(socket.number, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
  }

  private static func failure(_ what: String) -> LunaraError {
    LunaraError(
      "bus.socketFailed", "The bus cannot \(what). Is the disk full, or are too many files open?", cause: .current)
  }

  @discardableResult
  private func control(_ action: Int32, _ descriptor: Descriptor, _ number: UInt32, _ events: UInt32) -> Bool {
    var event = epoll_event(events: events, data: epoll_data_t(u32: number))
    return epoll_ctl(poll.number, action, descriptor.number, &event) == 0
  }

  // MARK: - Connections

  private func accept(at now: ContinuousClock.Instant) {
    // A few at a time, so that the peers' messages get their turn in a flood of connections.
    for _ in 0..<16 {
      var address = sockaddr_storage()
      var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
      let (number, prefix) = withUnsafeMutablePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          (lunara_accept(socket.number, $0, &length), HostPrefix($0))
        }
      }
      guard number >= 0 else {
        if [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(errno) { pause() }
        return
      }
      let accepted = Descriptor(owning: number)
      if let prefix { add(accepted, from: prefix, at: now) }
    }
  }

  private func add(_ accepted: Descriptor, from address: HostPrefix, at now: ContinuousClock.Instant) {
    lastNumber = lastNumber == .max ? Self.listenerNumber + 1 : lastNumber + 1
    let connection = Connection(accepted, from: address, SPMessageReader(from: kind.counterpart))
    guard connections[lastNumber] == nil, control(EPOLL_CTL_ADD, accepted, lastNumber, EPOLLIN.rawValue) else {
      return
    }
    connections[lastNumber] = connection
    if let evicted = places.arrived(lastNumber, from: address, at: now) { closeStranger(evicted) }
    write(kind.greeting[...], to: lastNumber, connection)
  }

  /// Stops accepting until the next call of `doRound`, as the process has no descriptor left.
  private func pause() {
    isPaused = true
    control(EPOLL_CTL_MOD, socket, Self.listenerNumber, 0)
    if let oldest = places.removeOldest() { closeStranger(oldest) }
  }

  /// The addresses from which senders have proven to have the household's key.
  var provenHosts: Set<HostPrefix> { Set(places.proven) }

  /// Replaces the addresses of the household's other machines, which have places of their own and may send messages of
  /// any size.
  func list(peers: Set<HostPrefix>) { places.list(peers) }

  /// Closes the connections that have not proven themselves in time. To be called about once a second.
  func doRound(at now: ContinuousClock.Instant) {
    for overdue in places.removeOverdue(at: now) { closeStranger(overdue) }
    if isPaused {
      isPaused = false
      control(EPOLL_CTL_MOD, socket, Self.listenerNumber, EPOLLIN.rawValue)
    }
  }

  private func closeStranger(_ number: UInt32) {
    closedStrangers += 1
    remove(number)
  }

  private func remove(_ number: UInt32) {
    places.left(number)
    // Closing a descriptor removes it from the poll (epoll(7)).
    connections.removeValue(forKey: number)?.socket.close()
  }

  // MARK: - Receiving

  /// Accepts connections, and passes complete messages to `handle` with the header by which they are answered. A part
  /// of what has arrived may remain for the next call.
  ///
  /// - Parameters:
  ///   - now: the time.
  ///   - handle: returns true if the message proves that its sender has the household's key.
  func receive(at now: ContinuousClock.Instant, _ handle: (UnsafeRawBufferPointer, _ header: [UInt8]) -> Bool) {
    var events = [epoll_event](repeating: epoll_event(), count: 64)
    let count = epoll_wait(poll.number, &events, Int32(events.count), 0)
    for event in events.prefix(max(0, Int(count))) {
      let number = event.data.u32
      guard number != Self.listenerNumber else {
        accept(at: now)
        continue
      }
      guard let connection = connections[number] else { continue }
      if event.events & EPOLLOUT.rawValue != 0 { write([], to: number, connection) }
      // The write may have ended the connection, whose number another thread may use by now.
      if event.events & ~EPOLLOUT.rawValue != 0, connections[number] === connection {
        read(number, connection, handle)
      }
    }
  }

  private func read(
    _ number: UInt32, _ connection: Connection, _ handle: (UnsafeRawBufferPointer, [UInt8]) -> Bool
  ) {
    let portion = connection.isProven ? buffer.count : 4096
    let count = recv(connection.socket.number, &buffer, portion, 0)
    guard count > 0 else {
      if count == 0 || ![EAGAIN, EINTR].contains(errno) { remove(number) }
      return
    }
    buffer.withUnsafeBytes { connection.reader.append(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
    do throws(SPMessageReader.Failure) {
      // A message may end the connection, if its answer cannot be sent.
      while connections[number] === connection,
        let message = try connection.reader.next(limit: limit(of: connection))
      {
        handleMessage(message, of: number, connection, handle)
      }
    } catch {
      remove(number)
    }
  }

  /// Returns the largest length of a connection's next message, in bytes. A peer's first message on a new connection
  /// may be as long as any other: it proves its sender only when it is complete.
  private func limit(of connection: Connection) -> Int {
    connection.isProven || places.isPeer(connection.address) ? Self.messageLimit : Self.strangerLimit
  }

  private func handleMessage(
    _ message: ArraySlice<UInt8>, of number: UInt32, _ connection: Connection,
    _ handle: (UnsafeRawBufferPointer, [UInt8]) -> Bool
  ) {
    var length = 0
    if kind == .answerer {
      guard let found = SPMessageReader.headerLength(of: message) else { return }
      length = found
    }
    let header = number.bytes + message.prefix(length)
    let isProof = message.dropFirst(length).withUnsafeBytes { handle($0, header) }
    guard isProof, !connection.isProven else { return }
    connection.isProven = true
    places.proved(number)
  }

  // MARK: - Sending

  /// Sends an answer to the connection that its header names. Returns false if the connection is gone, or has too much
  /// to send; the asker asks again.
  func send(_ bytes: [UInt8], header: [UInt8]) -> Bool {
    guard let number = UInt32(bytes: Array(header.prefix(4))), let connection = connections[number] else {
      return false
    }
    let message = SPMessageReader.encode(header: header.dropFirst(4), bytes)
    guard
      connection.unsent.isEmpty
        || (connection.isProven && connection.unsent.count + message.count <= Self.unsentLimit)
    else { return false }
    return write(message[...], to: number, connection)
  }

  /// Sends what waits and then these bytes, as far as the kernel accepts them; returns false if the connection ended.
  @discardableResult
  private func write(_ bytes: ArraySlice<UInt8>, to number: UInt32, _ connection: Connection) -> Bool {
    let wasWaiting = !connection.unsent.isEmpty
    if wasWaiting { connection.unsent += bytes } else { connection.unsent = bytes }
    while !connection.unsent.isEmpty {
      let count = connection.unsent.withUnsafeBytes {
        Glibc.send(connection.socket.number, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else {
        guard errno == EAGAIN else {
          remove(number)
          return false
        }
        break
      }
      connection.unsent = connection.unsent.dropFirst(count)
    }
    let isWaiting = !connection.unsent.isEmpty
    if !isWaiting { connection.unsent = [] }
    if isWaiting != wasWaiting {
      control(
        EPOLL_CTL_MOD, connection.socket, number, isWaiting ? EPOLLIN.rawValue | EPOLLOUT.rawValue : EPOLLIN.rawValue)
    }
    return true
  }
}

import CMicroHTTPD
import Glibc
import Model
import Synchronization
import System

/// An HTTP/1.1 server on libmicrohttpd: one thread for all connections, handlers as tasks.
///
/// The body of a request may have 1 MiB, or less by `Limits.body`, and those of all requests together 16 MiB; its
/// headers may have 32 KiB. A larger or malformed request is refused without the handler. A connection is closed when
/// it is silent for 30 s, or takes 40 s for the first line of a request, or for the rest of it.
public final class HTTPServer: Sendable {
  /// The limits of times and sizes.
  public struct Limits: Sendable {
    /// The number of connections that are open at once; further ones wait in the kernel's queue.
    public var connections = 256
    /// The number of them that one address may have; 0 for any number. A further connection takes the place of the one
    /// that has waited longest for a request, or is refused if all are in use. An IPv6 network of 64 bits counts as one
    /// address.
    public var clientConnections = 0
    /// The number of connections that only known clients may have; 0 for none. Others that find no place take the place
    /// of the one that has waited longest for a request.
    public var reserved = 0
    /// Returns true if a numeric address is that of a known client; called on the server's only thread.
    public var isKnown: @Sendable (String) -> Bool = { _ in false }
    /// Returns the number of bytes, 8 MiB at most, that the body of a request with these headers may have; called on
    /// the server's only thread.
    public var body: @Sendable (HTTPServerRequest) -> Int = { _ in Exchange.bodyLimit }
    /// Makes the answer to a request that is refused; called on the server's only thread.
    public var refusal: @Sendable (HTTPServerRefusal) -> HTTPServerResponse = {
      HTTPServerResponse(status: $0.status, text: $0.text + "\n")
    }
    /// The number of milliseconds after which a connection is closed whose client accepts no bytes; nil for never.
    public var sendTimeout: Int32?
    /// The number of bytes of bodies that are kept at once, of all requests.
    var bodies = 16 * Exchange.bodyLimit
    /// The time that the first line of a request may take, from the start of the connection or the end of the request
    /// before, and the time that the rest of the request may take.
    var deadline = Duration.seconds(40)
    /// The number of seconds without a byte in either direction after which a connection is closed.
    var patience: UInt32 = 30
    /// The number of bytes a connection's headers may take.
    var memory = 32 * 1024
    /// The time between two checks for clients that have gone.
    var watch = Duration.seconds(2)
    /// The time for which a stop waits for answers that are being sent.
    var grace = Duration.milliseconds(400)

    public init() {}
  }

  /// The port it listens on.
  public let port: UInt16
  private let core: ServerCore
  /// Safe because (1) the pointer never changes; (2) only the task that ends the server uses it after `init`, and `end`
  /// makes one such task at most; (3) libmicrohttpd lets any thread quiesce and stop a daemon but its own.
  private struct Daemon: @unchecked Sendable { let pointer: OpaquePointer }
  private let daemon: Daemon
  /// The task that ends the server; nil before `stop()`.
  private let end = Mutex<Task<Void, Never>?>(nil)

  /// Listens on an address and a port.
  ///
  /// - Parameters:
  ///   - address: `127.0.0.1`, `::1`, `0.0.0.0`, `::` for all of both families, or a name of this host.
  ///   - port: 0 for any free one.
  ///   - limits: the most that is taken of a request, and the times that are waited.
  ///   - identity: the certificate with which connections are encrypted; nil for none.
  ///   - handler: answers each request in a task of its own, which is cancelled when the server stops.
  /// - Throws: `http.addressInUse`, `http.cannotListen`, `http.badCertificate`.
  public init(
    address: String, port: UInt16, limits: Limits = Limits(), identity: TLSCertificate? = nil,
    handler: @escaping @Sendable (HTTPServerRequest) async -> HTTPServerResponse
  ) throws {
    let core = ServerCore(limits, handler)
    let listener = try Listener(address: address, port: port, sendTimeout: limits.sendTimeout)
    // The callbacks have an unretained reference to the core; `end(_:_:)` retains it until the daemon is gone.
    let context = Unmanaged.passUnretained(core).toOpaque()
    let connections = UInt32(clamping: limits.connections)
    let daemon = SystemThread.withSignalsBlocked {
      if let identity {
        lunara_https_start(
          listener.descriptor, context, Self.process, Self.begin, Self.complete, Self.change, Self.accept,
          connections,
          limits.patience, limits.memory, identity.certificate, identity.key)
      } else {
        lunara_http_start(
          listener.descriptor, context, Self.process, Self.begin, Self.complete, Self.change, Self.accept,
          connections,
          limits.patience, limits.memory)
      }
    }
    guard let daemon else {
      let error = Errno.current
      close(listener.descriptor)
      guard identity == nil else {
        throw LunaraError(
          "http.badCertificate", "The certificate and the key cannot be used. They must be PEM and belong together.")
      }
      throw LunaraError(
        "http.cannotListen", "The server on \(address), port \(listener.port), could not be started.",
        cause: error)
    }
    self.core = core
    self.port = listener.port
    self.daemon = Daemon(pointer: daemon)
  }

  deinit { _ = beginToStop() }

  /// Takes no more connections, ends handlers and streams, and returns within a second when all are closed.
  public func stop() async { await beginToStop().value }

  private func beginToStop() -> Task<Void, Never> {
    end.withLock { end in
      let task = end ?? Task { [daemon, core] in await Self.end(daemon, core) }
      end = task
      return task
    }
  }

  /// The number of requests that are being received, answered or sent.
  var openRequests: Int { core.exchanges }

  private static func end(_ daemon: Daemon, _ core: ServerCore) async {
    let listener = MHD_quiesce_daemon(daemon.pointer)
    if listener >= 0 { close(listener) }
    await core.interrupt()
    await withCheckedContinuation { continuation in
      // Joins the server's thread, so it is not for the cooperative pool.
      let stop: @Sendable () -> Void = {
        MHD_stop_daemon(daemon.pointer)
        withExtendedLifetime(core) { continuation.resume() }
      }
      do { try SystemThread.start("http-stop", stop) } catch { stop() }
    }
  }

  private static let begin:
    @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<CChar>?, OpaquePointer?) -> UnsafeMutableRawPointer? = {
      context, target, connection in
      guard let context, let target, let connection else { return nil }
      let core = Unmanaged<ServerCore>.fromOpaque(context).takeUnretainedValue()
      let exchange = Exchange(core, target: String(cString: target), connection: connection)
      core.add(exchange)
      core.expect(connection)
      // Released when the request is completed.
      return Unmanaged.passRetained(exchange).toOpaque()
    }

  private static let process: MHD_AccessHandlerCallback = { _, _, _, method, _, piece, size, context in
    guard let method, let size, let context, let exchange = context.pointee else { return .NO }
    let bytes = UnsafeRawBufferPointer(start: piece, count: piece == nil ? 0 : size.pointee)
    size.pointee = 0
    return Unmanaged<Exchange>.fromOpaque(exchange).takeUnretainedValue().process(method: method, piece: bytes)
  }

  private static let complete: MHD_RequestCompletedCallback = { _, _, context, _ in
    guard let context, let exchange = context.pointee else { return }
    context.pointee = nil
    Unmanaged<Exchange>.fromOpaque(exchange).takeRetainedValue().complete()
  }

  private static let change: MHD_NotifyConnectionCallback = { context, connection, _, event in
    guard let context, let connection else { return }
    let core = Unmanaged<ServerCore>.fromOpaque(context).takeUnretainedValue()
    if event == .CONNECTION_NOTIFY_STARTED {
      core.opened(connection, from: lunara_http_client(connection).flatMap { HostPrefix($0) })
      core.expect(connection)
    } else {
      core.expectNothing(of: connection)
      core.closed(connection)
    }
  }

  private static let accept: MHD_AcceptPolicyCallback = { context, address, _ in
    guard let context, let address, let prefix = HostPrefix(address) else { return .YES }
    let core = Unmanaged<ServerCore>.fromOpaque(context).takeUnretainedValue()
    return core.makesRoom(for: prefix, host: NumericAddress(address)?.host ?? "") ? .YES : .NO
  }
}

/// The certificate and key of a server that encrypts connections (TLS 1.2 and 1.3, by GnuTLS in libmicrohttpd).
public struct TLSCertificate: Sendable {
  /// The certificate with its chain, and the key; PEM, each ended by a NUL.
  let certificate: [CChar]
  let key: [CChar]

  /// Reads both from files.
  ///
  /// - Parameters:
  ///   - certificate: the path of the certificate, with those that lead to an authority behind it.
  ///   - key: the path of its key.
  /// - Throws: `http.badCertificate`.
  public init(certificate: String, key: String) throws {
    self.certificate = try Self.read(certificate, "CERTIFICATE")
    self.key = try Self.read(key, "PRIVATE KEY")
  }

  /// Reads a PEM file that holds a block of this kind.
  private static func read(_ path: String, _ kind: String) throws -> [CChar] {
    let bytes: [UInt8]
    do throws(Errno) { bytes = try Files.read(path) } catch {
      throw LunaraError(
        "http.badCertificate", "\(path) cannot be read. Check its name, and that this user may read it.", cause: error)
    }
    let text = String(decoding: bytes, as: UTF8.self)
    guard text.contains("-----BEGIN "), text.contains("\(kind)-----"), !text.utf8.contains(0) else {
      throw LunaraError("http.badCertificate", "\(path) is no PEM file with a \(kind.lowercased()).")
    }
    return bytes.map { CChar(bitPattern: $0) } + [0]
  }
}

import CMicroHTTPD
import Glibc
import Model
import Synchronization

/// An HTTP/1.1 server on libmicrohttpd: one thread for all connections, handlers as tasks.
///
/// Bodies of requests are taken up to 1 MiB, or less where that is said, and 16 MiB of all together; headers up to 32 KiB
/// in all; what is larger or malformed is refused without the handler. A connection that is silent for 30 s is closed, as
/// is one that takes 40 s for the first line of a request, or for the rest of it.
public final class HTTPServer: Sendable {
  /// The port it listens on.
  public let port: UInt16
  private let core: ServerCore
  /// Safe because (1) a daemon is made to be used from any thread; (2) it is freed only by the one `end` that takes it
  /// out of the lock.
  private struct Daemon: @unchecked Sendable { let pointer: OpaquePointer }
  private enum Stage {
    case running(Daemon)
    case stopping([CheckedContinuation<Void, Never>])
    case stopped
  }
  private let stage: Mutex<Stage>

  /// Listens on an address (`127.0.0.1`, `::1`, `0.0.0.0`, `::` for all of both families) and a port, 0 for any free
  /// one.
  ///
  /// `handler` answers each request in a task of its own, cancelled when the server stops. With an `identity` connections
  /// are encrypted. With a `delivery` time, one whose other end takes nothing for that long is closed. Of `connectionLimit` connections one address has `clientLimit` at most, 0 for any number. `bodyLimit`
  /// is asked, on the server's only thread, how many bytes the body of a request may have of which the headers are known;
  /// 1 MiB at most. `refusal` makes what is answered without the handler, on that thread as well. Throws `http.addressInUse`, `http.cannotListen` and `http.badCertificate`.
  public convenience init(
    address: String, port: UInt16, connectionLimit: Int = 256, clientLimit: Int = 0, identity: TLSCertificate? = nil,
    delivery: Duration? = nil, bodyLimit: (@Sendable (HTTPServerRequest) -> Int)? = nil,
    refusal: (@Sendable (HTTPServerRefusal) -> HTTPServerResponse)? = nil,
    handler: @escaping @Sendable (HTTPServerRequest) async -> HTTPServerResponse
  ) throws {
    var limits = ServerCore.Limits()
    limits.connections = connectionLimit
    limits.clientConnections = clientLimit
    if let bodyLimit { limits.body = { min(bodyLimit($0), Exchange.bodyLimit) } }
    if let refusal { limits.refusal = refusal }
    limits.delivery = delivery.map { Int32(clamping: $0.components.seconds * 1000) }
    try self.init(address: address, port: port, limits: limits, identity: identity, handler: handler)
  }

  /// The same with other limits.
  init(
    address: String, port: UInt16, limits: ServerCore.Limits, identity: TLSCertificate? = nil,
    handler: @escaping @Sendable (HTTPServerRequest) async -> HTTPServerResponse
  ) throws {
    let core = ServerCore(limits, handler)
    let listener = try Listener(address: address, port: port, delivery: limits.delivery)
    // The callbacks hold the core without counting it: `end` keeps it until the daemon is gone.
    let context = Unmanaged.passUnretained(core).toOpaque()
    let connections = UInt32(clamping: limits.connections)
    let each = UInt32(clamping: limits.clientConnections)
    let daemon = OwnThread.withoutSignals {
      if let identity {
        lunara_https_start(
          listener.descriptor, context, Self.process, Self.begin, Self.complete, Self.change, connections, each,
          limits.patience, limits.memory, identity.certificate, identity.key)
      } else {
        lunara_http_start(
          listener.descriptor, context, Self.process, Self.begin, Self.complete, Self.change, connections, each,
          limits.patience, limits.memory)
      }
    }
    guard let daemon else {
      let number = errno
      close(listener.descriptor)
      guard identity == nil else {
        throw LunaraError(
          "http.badCertificate", "The certificate and the key cannot be used. They must be PEM and belong together.")
      }
      throw LunaraError(
        "http.cannotListen", "The server on \(address), port \(listener.port), could not be started.",
        cause: String(cString: strerror(number)))
    }
    self.core = core
    self.port = listener.port
    stage = Mutex(.running(Daemon(pointer: daemon)))
  }

  deinit {
    let running: Daemon? = stage.withLock { stage in
      defer { stage = .stopped }
      guard case .running(let daemon) = stage else { return nil }
      return daemon
    }
    if let running { Task { [core] in await Self.end(running, core) } }
  }

  /// Takes no more connections, ends handlers and streams, and returns within a second when all are closed.
  public func stop() async {
    await withCheckedContinuation { continuation in
      let daemon: Daemon? = stage.withLock { stage in
        switch stage {
        case .running(let daemon):
          stage = .stopping([continuation])
          return daemon
        case .stopping(let waiting): stage = .stopping(waiting + [continuation])
        case .stopped: continuation.resume()
        }
        return nil
      }
      guard let daemon else { return }
      Task {
        await Self.end(daemon, core)
        let waiting: [CheckedContinuation<Void, Never>] = stage.withLock { stage in
          defer { stage = .stopped }
          guard case .stopping(let waiting) = stage else { return [] }
          return waiting
        }
        for continuation in waiting { continuation.resume() }
      }
    }
  }

  /// How many requests are being received, answered or sent.
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
      do { try OwnThread.start(stop) } catch { stop() }
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
    if event == .CONNECTION_NOTIFY_STARTED { core.expect(connection) } else { core.expectNothing(of: connection) }
  }
}

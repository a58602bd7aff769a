import CMicroHTTPD
import Glibc
import Model
import Synchronization

/// One request and its answer.
///
/// libmicrohttpd calls it on the server's thread; the handler and a stream's producer run as tasks. While the exchange
/// waits for a task the connection is suspended, so it needs no thread.
final class Exchange: Sendable {
  /// The largest body of a request that is accepted, in bytes.
  static let bodyLimit = 1024 * 1024
  /// The number of bytes of a larger body that are read before the connection is closed.
  static let patienceLimit = 8 * bodyLimit

  enum Phase {
    /// The headers have arrived.
    case beginning
    /// The body is being received.
    case receiving
    /// The handler runs.
    case answering
    /// The answer is there, but not yet given to libmicrohttpd.
    case answered(HTTPServerResponse)
    /// libmicrohttpd sends the answer.
    case sending
    /// The connection must not be touched any more.
    case over
  }

  struct State {
    var phase = Phase.beginning
    var request: HTTPServerRequest?
    /// The number of bytes of the body that have arrived, those beyond the limit included.
    var received = 0
    /// The number of bytes that the body may have.
    var bodyLimit = Exchange.bodyLimit
    /// The number of bytes of the body that are kept in memory.
    var held = 0
    /// True if the bodies of all requests together left no room for this one.
    var isCrowded = false
    var isSuspended = false
    /// The handler or the producer.
    var work: Task<Void, Never>?
    var buffer = SendBuffer()
    /// The producer that waits until there is room.
    var waiter: CheckedContinuation<Bool, Never>?
  }

  let server: ServerCore
  let target: String
  /// Safe because (1) libmicrohttpd keeps it valid until it calls `complete`; (2) `complete` sets the phase `over`
  /// under the lock, and code outside libmicrohttpd's callbacks uses it only under the lock and in another phase; (3)
  /// suspending and resuming are safe on any thread (libmicrohttpd(3)).
  nonisolated(unsafe) let connection: OpaquePointer
  let state = Mutex(State())

  /// Creates the exchange for a request; `target` is its unparsed path and query.
  init(_ server: ServerCore, target: String, connection: OpaquePointer) {
    self.server = server
    self.target = target
    self.connection = connection
  }

  /// Resumes the connection if it is suspended. To be called under the lock.
  func resume(_ state: inout State) {
    guard state.isSuspended else { return }
    state.isSuspended = false
    MHD_resume_connection(connection)
  }

  /// Suspends the connection, unless the server is stopping. To be called under the lock.
  func suspend(_ state: inout State) -> Bool {
    // This runs under the exchange's lock, so a stop that begins now finds the connection suspended and resumes it.
    guard !server.isStopping else { return false }
    state.isSuspended = true
    MHD_suspend_connection(connection)
    return true
  }

  /// Cancels the handler or the stream of the exchange, because the server stops.
  func interrupt() {
    let work: Task<Void, Never>? = state.withLock { state in
      switch state.phase {
      case .answering: state.phase = .answered(server.answer(to: .stopping))
      case .sending where state.buffer.isRelayed: state.buffer.isBroken = true
      case .sending: state.buffer.isFinished = true
      default: return nil
      }
      resume(&state)
      return state.work
    }
    work?.cancel()
  }

  /// Ends the exchange. libmicrohttpd calls this when the request is completed or its connection was lost.
  func complete() {
    let (work, waiter, unsent) = state.withLock { state in
      let unsent: HTTPServerResponse? = if case .answered(let response) = state.phase { response } else { nil }
      state.phase = .over
      forgetBody(&state)
      defer {
        state.work = nil
        state.waiter = nil
        state.buffer = SendBuffer()
      }
      return (state.work, state.waiter, unsent)
    }
    work?.cancel()
    waiter?.resume(returning: false)
    unsent?.drop()
    server.remove(self)
    // Another request may come, or the socket is closed next.
    server.expect(connection)
  }

  /// Gives back the room of the body. To be called under the lock.
  func forgetBody(_ state: inout State) {
    server.release(state.held)
    state.held = 0
    state.request?.body = []
  }
}

extension HTTPServerResponse {
  /// The same, after which the connection ends.
  var closing: HTTPServerResponse {
    var response = self
    response.headers.append(("Connection", "close"))
    return response
  }
}

import CMicroHTTPD
import Glibc
import Model
import Synchronization

/// One request and its answer.
///
/// libmicrohttpd calls it from the server's thread; the handler and a stream's producer run as tasks. While one of them
/// is waited for, the connection is suspended, so it takes no thread.
final class Exchange: Sendable {
  /// The largest body that is taken.
  static let bodyLimit = 1024 * 1024
  /// The number of bytes that are read of a larger one before the connection is cut.
  static let patienceLimit = 8 * bodyLimit

  enum Phase {
    /// The headers are there.
    case beginning
    /// The body comes.
    case receiving
    /// The handler runs.
    case answering
    /// The answer is there, but not yet given to libmicrohttpd.
    case answered(HTTPServerResponse)
    /// libmicrohttpd sends it.
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
  /// Safe because (1) libmicrohttpd keeps it valid until it says that the request is completed; (2) that makes the
  /// phase `over` under the lock, and outside libmicrohttpd's own callbacks it is used only under the lock in another
  /// phase; (3) suspending and resuming are safe on any thread (libmicrohttpd(3)).
  nonisolated(unsafe) let connection: OpaquePointer
  let state = Mutex(State())

  /// Makes the exchange of a request for `target`, the unparsed path and query.
  init(_ server: ServerCore, target: String, connection: OpaquePointer) {
    self.server = server
    self.target = target
    self.connection = connection
  }

  /// Lets the connection go on if it was suspended. To be called under the lock.
  func resume(_ state: inout State) {
    guard state.isSuspended else { return }
    state.isSuspended = false
    MHD_resume_connection(connection)
  }

  /// Suspends the connection, unless the server is stopping. To be called under the lock.
  func suspend(_ state: inout State) -> Bool {
    // Under this exchange's lock, so that a stop that begins now finds it suspended and resumes it.
    guard !server.isStopping else { return false }
    state.isSuspended = true
    MHD_suspend_connection(connection)
    return true
  }

  /// Ends what still runs for the exchange, because the server stops.
  func interrupt() {
    let work: Task<Void, Never>? = state.withLock { state in
      switch state.phase {
      case .answering: state.phase = .answered(server.answer(to: .stopping))
      case .sending: state.buffer.isFinished = true
      default: return nil
      }
      resume(&state)
      return state.work
    }
    work?.cancel()
  }

  /// Takes note that libmicrohttpd is done with the request, for whatever reason.
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

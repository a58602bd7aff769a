import Model
import Synchronization

/// A client for http and https on libcurl: one thread for all its requests, which runs only while there are some.
public final class HTTPClient: Sendable {
  private let userAgent: String
  private let thread: TransferThread

  /// Makes a client that calls itself `userAgent`, for example `Lunara/0.1`.
  public convenience init(userAgent: String) { self.init(userAgent: userAgent, linger: .seconds(10)) }

  /// The same with another time that connections are kept.
  init(userAgent: String, linger: Duration) {
    self.userAgent = userAgent
    thread = TransferThread(linger: linger)
  }

  deinit { thread.retire() }

  /// Whether its thread runs at the moment.
  var isBusy: Bool { thread.isRunning }

  /// Sends a request and returns the whole answer, whatever its status. Cancelling the task breaks the connection off.
  ///
  /// Throws `http.unreachable`, `http.timeout`, `http.insecure`, `http.tooLarge`, `http.tooManyRedirects`,
  /// `http.brokenAnswer` (an answer that was cut is never returned), `http.badAddress`, `http.badRequest`,
  /// `http.failed`,
  /// or `CancellationError`.
  public func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    try Self.check(request)
    let clock = ContinuousClock()
    let end = clock.now + request.timeout
    var current = request
    for _ in 0...max(0, request.redirectLimit) {
      let result = try await transfer(current, within: clock.now.duration(to: end), into: nil).result
      guard
        let next = try Redirection.next(after: current, status: result.response.status, location: result.location)
      else { return result.response }
      current = next
    }
    throw ClientError.tooManyRedirects(Origin(request.url)?.name ?? "", request.redirectLimit)
  }

  /// Sends a request and returns as soon as the answer's headers are there, whatever its status; the body is read from
  /// the stream as it comes. Redirections are not followed. Cancelling the task breaks the connection off.
  ///
  /// `request.timeout` and `request.responseLimit` do not count here: it may last for ever. Without a byte for `idle`,
  /// in whole seconds, it is given up with `http.timeout`. Throws as `send` does.
  public func stream(_ request: HTTPRequest, idle: Duration) async throws -> HTTPStream {
    try Self.check(request)
    let inflow = Inflow(limit: HTTPStream.limit)
    let (result, transfer) = try await transfer(request, within: idle, into: inflow)
    return HTTPStream(result.response, inflow, transfer, thread)
  }

  private static func check(_ request: HTTPRequest) throws {
    guard Headers.isValid(request.method, "") else { throw ClientError.badRequest("its method is no word") }
    for (name, value) in request.headers where !Headers.isValid(name, value) {
      throw ClientError.badRequest("its header \(name) is malformed")
    }
  }

  private func transfer(
    _ request: HTTPRequest, within time: Duration, into inflow: Inflow?
  ) async throws -> (result: Transfer.Result, transfer: Transfer?) {
    guard let server = Origin(request.url) else { throw ClientError.badAddress(cause: nil) }
    // Filled before the transfer starts; the cancellation may come earlier than that.
    let started = Mutex<Transfer?>(nil)
    let result = try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let transfer = Transfer(
          request, to: server, userAgent: userAgent, timeout: time, into: inflow, continuation)
        started.withLock { $0 = transfer }
        if Task.isCancelled { transfer.isCancelled.store(true, ordering: .releasing) }
        do { try thread.start(transfer) } catch { continuation.resume(throwing: error) }
      }
    } onCancel: {
      if let transfer = started.withLock({ $0 }) { thread.cancel(transfer) }
    }
    return (result, started.withLock { $0 })
  }
}

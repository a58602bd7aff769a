import CCurl
import Model
import Synchronization

/// A client for http and https on libcurl: one thread for all its requests, which runs only while there are some.
public final class HTTPClient: Sendable {
  private let userAgent: String
  private let thread: TransferThread

  /// Makes a client that calls itself `userAgent`, for example `Lunara/0.1`, and keeps connections for `linger`.
  public init(userAgent: String, linger: Duration = .seconds(10)) {
    self.userAgent = userAgent
    thread = TransferThread(linger: linger)
  }

  deinit { thread.retire() }

  /// True if its thread runs at the moment.
  var isBusy: Bool { thread.isRunning }

  /// Sends a request and returns the whole answer, whatever its status. Cancelling the task breaks the connection off.
  ///
  /// No redirection leads to another host in a private network, unless that is at the address of the first server.
  ///
  /// Throws `http.unreachable`, `http.timeout`, `http.insecure`, `http.tooLarge`, `http.tooManyRedirects`,
  /// `http.redirectRefused`, `http.privateAddress`, `http.addressRefused`, `http.brokenAnswer` (an answer that was cut
  /// is never returned), `http.badAddress`, `http.badRequest`, `http.failed`, or `CancellationError`.
  public func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    try Self.check(request)
    let clock = ContinuousClock()
    let end = clock.now + request.timeout
    var (current, sent) = (request, [request])
    for _ in 0...max(0, request.redirectLimit) {
      let result = try await transfer(current, within: clock.now.duration(to: end), into: nil).result
      guard
        let next = try Redirection.next(after: current, result)
      else {
        if let error = Redirection.refusal(by: result.response.status, after: sent) { throw error }
        var response = result.response
        response.url = current.url
        return response
      }
      current = next
      sent.append(next)
    }
    throw ClientError.tooManyRedirects(request)
  }

  /// Sends a request and returns as soon as the answer's headers are there, whatever its status; the body is read from
  /// the stream as it comes. Cancelling the task breaks the connection off.
  ///
  /// Redirections are followed only if `followsRedirections` is true, at most `request.redirectLimit` of them.
  /// `request.timeout` and `request.responseLimit` do not apply: an answer may last for ever. An answer without a byte
  /// for `idle`, in whole seconds, ends with `http.timeout`. Throws the same errors as `send`.
  public func stream(
    _ request: HTTPRequest, idle: Duration, followsRedirections: Bool = false
  ) async throws -> HTTPStream {
    try Self.check(request)
    var (current, sent) = (request, [request])
    for _ in 0...max(0, followsRedirections ? request.redirectLimit : 0) {
      let buffer = ReceiveBuffer(limit: HTTPStream.limit)
      let (result, transfer) = try await transfer(current, within: idle, into: buffer)
      let stream = HTTPStream(result.response, buffer, transfer, thread)
      guard followsRedirections,
        let next = try Redirection.next(after: current, result)
      else {
        if let error = Redirection.refusal(by: stream.status, after: sent) {
          stream.cancel()
          throw error
        }
        return stream
      }
      current = next
      sent.append(next)
    }
    throw ClientError.tooManyRedirects(request)
  }

  private static func check(_ request: HTTPRequest) throws {
    guard Headers.isValid(request.method, "") else { throw ClientError.badRequest("its method is not valid") }
    for (name, value) in request.headers where !Headers.isValid(name, value) {
      throw ClientError.badRequest("its header \(name) is malformed")
    }
  }

  private func transfer(
    _ request: HTTPRequest, within time: Duration, into buffer: ReceiveBuffer?
  ) async throws -> (result: Transfer.Result, transfer: Transfer?) {
    guard let server = Origin(request.url) else { throw ClientError.badAddress(cause: nil) }
    // Set before the transfer starts. The task may be cancelled even before.
    let started = Mutex<Transfer?>(nil)
    let result = try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let transfer = Transfer(
          request, to: server, userAgent: userAgent, timeout: time, into: buffer, continuation)
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

/// The errors of the client. They name the server, never the whole address, which may hold a token.
enum ClientError {
  /// Translates a failed transfer into an error that a person can act on.
  static func from(_ result: CURLcode, words: String, server: String, request: HTTPRequest) -> LunaraError {
    let cause = words.isEmpty ? String(cString: curl_easy_strerror(result)) : words
    switch result {
    case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY, CURLE_COULDNT_CONNECT, CURLE_INTERFACE_FAILED:
      return LunaraError(
        "http.unreachable", "\(server) cannot be reached. Check that it runs, its address, and the network.",
        cause: cause)
    case CURLE_OPERATION_TIMEDOUT:
      return LunaraError(
        "http.timeout", "\(server) did not answer within \(request.timeout). Try again, or check the network.",
        cause: cause)
    case CURLE_URL_MALFORMAT, CURLE_UNSUPPORTED_PROTOCOL:
      return badAddress(cause: cause)
    case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_ISSUER_ERROR:
      return LunaraError(
        "http.insecure",
        "The certificate of \(server) is not trusted, so nothing was sent. Use the name that it was issued for, let this computer trust its issuer, or check the clock.",
        cause: cause)
    case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CACERT_BADFILE, CURLE_USE_SSL_FAILED:
      return LunaraError(
        "http.insecure",
        "No encrypted connection to \(server) could be made. Check its certificate and this computer's clock.",
        cause: cause)
    case CURLE_FILESIZE_EXCEEDED: return tooLarge(server, request, cause: cause)
    case CURLE_GOT_NOTHING, CURLE_PARTIAL_FILE, CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_WEIRD_SERVER_REPLY,
      CURLE_BAD_CONTENT_ENCODING, CURLE_HTTP2, CURLE_HTTP2_STREAM:
      return LunaraError(
        "http.brokenAnswer",
        "\(server) closed the connection early or sent an invalid answer. Try again; if it happens again, see its log.",
        cause: cause)
    default:
      return LunaraError("http.failed", "The request to \(server) failed. Try again.", cause: cause)
    }
  }

  static func tooLarge(_ server: String, _ request: HTTPRequest, cause: String? = nil) -> LunaraError {
    LunaraError(
      "http.tooLarge", "\(server) sent more than the \(request.responseLimit) bytes that were expected at most.",
      cause: cause)
  }

  static func tooManyRedirects(_ request: HTTPRequest) -> LunaraError {
    LunaraError(
      "http.tooManyRedirects",
      "\(Origin(request.url)?.name ?? "") redirected more than \(request.redirectLimit) times. Check its address.")
  }

  static func privateAddress(_ server: String) -> LunaraError {
    LunaraError(
      "http.privateAddress",
      "\(server) is in a private network, from which nothing is read for an address that was given from outside.")
  }

  static func addressRefused(_ server: String) -> LunaraError {
    LunaraError("http.addressRefused", "\(server) is at an address that this request may not ask.")
  }

  static func badAddress(cause: String?) -> LunaraError {
    LunaraError(
      "http.badAddress", "The address is malformed. Give one that begins with http:// or https://.", cause: cause)
  }

  /// A method or header that cannot be sent.
  static func badRequest(_ what: String) -> LunaraError {
    LunaraError("http.badRequest", "A request could not be sent: \(what). This is a fault of the program; report it.")
  }
}

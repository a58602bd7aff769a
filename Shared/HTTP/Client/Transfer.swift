import CCurl
import Glibc
import Model
import Synchronization
import System

/// One request that libcurl carries out.
///
/// `@unchecked Sendable` is safe because (1) the stored properties that change are touched only by the thread that runs
/// the transfers, libcurl's callbacks included; (2) it gets the transfer through a lock, after the initialiser; (3)
/// `isCancelled` is atomic.
final class Transfer: @unchecked Sendable {
  struct Result: Sendable {
    let response: HTTPResponse
    let location: String?
    /// The bytes of the address that was asked; nil if it is not known.
    let address: [UInt8]?
  }

  private static let headerLimit = 256 * 1024

  let isCancelled = Atomic(false)
  private let request: HTTPRequest
  private let server: Origin
  private let userAgent: String
  private let timeout: Duration
  private let continuation: CheckedContinuation<Result, any Error>
  /// The buffer for the body of a streamed answer, which the caller gets as soon as the headers have arrived; nil for
  /// an answer that the caller gets as a whole.
  private let buffer: ReceiveBuffer?
  /// True if the caller has got the answer, the headers of a streamed one, or an error.
  private var isDelivered = false

  private(set) var handle: UnsafeMutableRawPointer?
  private var headerList: UnsafeMutablePointer<curl_slist>?
  private var errorText: UnsafeMutablePointer<CChar>?
  private var headers: [(String, String)] = []
  private var headerBytes = 0
  private var body: [UInt8] = []
  private var isTooLarge = false
  /// True if a connection was refused because its address is in a private network.
  private var isPrivate = false
  /// True if `mayConnect` of the request refused an address.
  private var isRefused = false
  private var guardOfAddresses: UnsafeMutablePointer<lunara_curl_guard>?

  /// Creates a transfer that may take `timeout` in all; with a `buffer`, that is the longest time without a byte.
  init(
    _ request: HTTPRequest, to server: Origin, userAgent: String, timeout: Duration, into buffer: ReceiveBuffer? = nil,
    _ continuation: CheckedContinuation<Result, any Error>
  ) {
    self.request = request
    self.server = server
    self.userAgent = userAgent
    self.timeout = timeout
    self.continuation = continuation
    self.buffer = buffer
  }

  /// Makes libcurl's handle for the transfer; nil if there is no memory.
  func begin() -> UnsafeMutableRawPointer? {
    guard let handle = curl_easy_init() else { return nil }
    self.handle = handle
    let errorText = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))
    errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    self.errorText = errorText
    lunara_curl_set_pointer(handle, CURLOPT_ERRORBUFFER, errorText)
    lunara_curl_set_text(handle, CURLOPT_URL, request.url)
    lunara_curl_set_text(handle, CURLOPT_PROTOCOLS_STR, "http,https")
    lunara_curl_set_text(handle, CURLOPT_USERAGENT, userAgent)
    // All encodings that libcurl can undo.
    lunara_curl_set_text(handle, CURLOPT_ACCEPT_ENCODING, "")
    // No signals: this is not the main thread.
    lunara_curl_set_number(handle, CURLOPT_NOSIGNAL, 1)
    let milliseconds = max(1, Int(timeout / .milliseconds(1)))
    lunara_curl_set_number(handle, CURLOPT_CONNECTTIMEOUT_MS, min(milliseconds, 10_000))
    if buffer == nil {
      lunara_curl_set_number(handle, CURLOPT_TIMEOUT_MS, milliseconds)
      lunara_curl_set_size(handle, CURLOPT_MAXFILESIZE_LARGE, curl_off_t(request.responseLimit))
    } else {
      // Gives up after that time with less than one byte a second. Time in which the reader pauses does not count.
      lunara_curl_set_number(handle, CURLOPT_LOW_SPEED_LIMIT, 1)
      lunara_curl_set_number(handle, CURLOPT_LOW_SPEED_TIME, max(1, milliseconds / 1000))
    }
    if request.effect == .changes {
      // Where a connection that was used before closes without a byte, libcurl sends the request again, though the
      // server may have carried it out. It does so for streams of HTTP/2 too, as others may join a new connection.
      lunara_curl_set_number(handle, CURLOPT_FRESH_CONNECT, 1)
      lunara_curl_set_number(handle, CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
    }
    // A proxy resolves names itself, so behind one only addresses that are written as private are detected.
    let isRedirected = request.start.map { $0.host != server.host } ?? false
    let isGuarded =
      request.refusesPrivateAddresses || request.mayConnect != nil
      || isRedirected && (server.isPrivate || !Self.usesProxy)
    if server.isLoopback || isGuarded { lunara_curl_set_text(handle, CURLOPT_NOPROXY, "*") }
    if isGuarded { guardConnections(of: handle) }
    setMethod(handle)
    setHeaders(handle)
    lunara_curl_set_takers(
      handle, { Transfer.at($3)?.receiveBody($0, $1 &* $2) ?? 0 },
      { Transfer.at($3)?.receiveHeader($0, $1 &* $2) ?? 0 },
      Unmanaged.passUnretained(self).toOpaque())
    return handle
  }

  /// True if libcurl may use a proxy.
  private static var usesProxy: Bool {
    let names: [String] = ["http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"]
    return names.contains { getenv($0) != nil }
  }

  /// Checks the address of each connection before connecting.
  private func guardConnections(of handle: UnsafeMutableRawPointer) {
    // A connection that another transfer opened was not checked, so none is used again.
    lunara_curl_set_number(handle, CURLOPT_FRESH_CONNECT, 1)
    let guarding = UnsafeMutablePointer<lunara_curl_guard>.allocate(capacity: 1)
    guarding.initialize(
      to: lunara_curl_guard(
        accept: { bytes, count, port, context in
          let bytes = Array(UnsafeBufferPointer(start: bytes, count: count))
          return Transfer.at(context)?.accepts(ConnectionAddress(bytes: bytes, port: port)) == true ? 1 : 0
        }, context: Unmanaged.passUnretained(self).toOpaque()))
    guardOfAddresses = guarding
    lunara_curl_set_guard(handle, guarding)
  }

  /// Returns true for an address to which the request may connect, and remembers why for one that it may not.
  private func accepts(_ address: ConnectionAddress) -> Bool {
    guard request.mayConnect?(address) ?? true else {
      isRefused = true
      return false
    }
    if NetworkAddress.isPublic(address.bytes) { return true }
    let isOwn = request.start.map { $0.host == server.host || $0.address == address.bytes } ?? true
    isPrivate = request.refusesPrivateAddresses || !isOwn
    return !isPrivate
  }

  /// Frees what `begin` made. The handle must have been taken out of libcurl's set before.
  func end() {
    if let handle { curl_easy_cleanup(handle) }
    handle = nil
    curl_slist_free_all(headerList)
    headerList = nil
    errorText?.deallocate()
    errorText = nil
    guardOfAddresses?.deallocate()
    guardOfAddresses = nil
  }

  /// Gives the caller the answer or the error, and frees the handle.
  func finish(_ code: CURLcode) {
    defer { end() }
    guard let handle, code == CURLE_OK else {
      let words = errorText.map { String(cString: $0) } ?? ""
      if isTooLarge { return fail(ClientError.tooLarge(server.name, request)) }
      if isRefused { return fail(ClientError.addressRefused(server.name)) }
      if isPrivate { return fail(ClientError.privateAddress(server.name)) }
      return fail(ClientError.from(code, words: words, server: server.name, request: request))
    }
    deliver(handle)
    buffer?.end(.success(()))
  }

  /// Frees the handle, and gives the caller `CancellationError`.
  func abort() {
    end()
    fail(CancellationError())
  }

  private func fail(_ error: any Error) {
    if isDelivered {
      buffer?.end(.failure(error))
    } else {
      isDelivered = true
      continuation.resume(throwing: error)
    }
  }

  private func deliver(_ handle: UnsafeMutableRawPointer) {
    guard !isDelivered else { return }
    isDelivered = true
    let response = HTTPResponse(status: lunara_curl_status(handle), headers: headers, body: body)
    // libcurl knows where an answer redirects to only after its end, which a stream does not wait for.
    let location =
      buffer == nil
      ? lunara_curl_redirect(handle).map { String(cString: $0) }
      : Headers.first("Location", in: headers).flatMap { Redirection.address(of: $0, from: request.url) }
    let isDirect = server.isLoopback || !Self.usesProxy
    let address = isDirect ? IPAddress.bytes(String(cString: lunara_curl_address(handle))) : nil
    continuation.resume(
      returning: Result(response: response, location: location, address: address.map(IPAddress.plain)))
  }

  private func setMethod(_ handle: UnsafeMutableRawPointer) {
    if request.method == "HEAD" {
      lunara_curl_set_number(handle, CURLOPT_NOBODY, 1)
      return
    }
    if request.body != nil || request.method == "POST" {
      let body = request.body ?? []
      lunara_curl_set_size(handle, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(body.count))
      body.withUnsafeBytes { bytes in
        // libcurl copies POSTFIELDSIZE bytes; with a nil pointer it would ask a callback for them.
        let start = bytes.baseAddress.map { UnsafeMutableRawPointer(mutating: $0) }
        if let start {
          lunara_curl_set_pointer(handle, CURLOPT_COPYPOSTFIELDS, start)
        } else {
          lunara_curl_set_text(handle, CURLOPT_COPYPOSTFIELDS, "")
        }
      }
    }
    lunara_curl_set_text(handle, CURLOPT_CUSTOMREQUEST, request.method)
  }

  private func setHeaders(_ handle: UnsafeMutableRawPointer) {
    // Empty headers remove what libcurl adds by itself: a content type, and a wait before larger bodies.
    var lines = ["Expect:"]
    if Headers.first("Content-Type", in: request.headers) == nil { lines.append("Content-Type:") }
    // libcurl takes a header without a value in the form `Name;`.
    lines += request.headers.map { $0.1.isEmpty ? "\($0.0);" : "\($0.0): \($0.1)" }
    for line in lines { headerList = curl_slist_append(headerList, line) ?? headerList }
    lunara_curl_set_pointer(handle, CURLOPT_HTTPHEADER, headerList)
  }

  private static func at(_ context: UnsafeMutableRawPointer?) -> Transfer? {
    context.map { Unmanaged<Transfer>.fromOpaque($0).takeUnretainedValue() }
  }

  /// Receives a piece of the body; returning another number than `count` ends the transfer.
  private func receiveBody(_ bytes: UnsafeMutablePointer<CChar>?, _ count: Int) -> Int {
    if let buffer {
      // libcurl keeps the piece and gives it again once the transfer continues.
      return buffer.append(UnsafeRawBufferPointer(start: bytes, count: count)) ? count : Int(CURL_WRITEFUNC_PAUSE)
    }
    guard body.count + count <= request.responseLimit else {
      isTooLarge = true
      return 0
    }
    body.append(contentsOf: UnsafeRawBufferPointer(start: bytes, count: count))
    return count
  }

  /// Receives one line of the headers. A status line begins them again: those before it belong to an interim answer.
  private func receiveHeader(_ bytes: UnsafeMutablePointer<CChar>?, _ count: Int) -> Int {
    headerBytes += count
    guard headerBytes <= Self.headerLimit else {
      isTooLarge = true
      return 0
    }
    let line = String(decoding: UnsafeRawBufferPointer(start: bytes, count: count), as: UTF8.self)
    if line.hasPrefix("HTTP/") {
      headers = []
    } else if let colon = line.firstIndex(of: ":") {
      headers.append((String(line[..<colon]), String(line[line.index(after: colon)...].trimming(" \t\r\n"))))
    } else if buffer != nil, let handle, lunara_curl_status(handle) >= 200 {
      // This is the empty line after the headers of a final answer, not of an interim one.
      deliver(handle)
    }
    return count
  }
}

import CMicroHTTPD
import Glibc
import Model
import Synchronization

extension Exchange {
  /// Gives an answer to libmicrohttpd.
  func queue(_ response: HTTPServerResponse) -> MHD_Result {
    let request = state.withLock { $0.request }
    let isRead = request.map { $0.method == "GET" || $0.method == "HEAD" } ?? false
    var response = response
    response.headers.removeAll { Headers.isSame($0.0, "Content-Length") }
    guard response.headers.allSatisfy({ Headers.isValid($0.0, $0.1) }), (200...599).contains(response.status) else {
      response.drop()
      let answer = server.answer(to: .broken)
      return send(answer, bodyOf(answer.bytes[...]))
    }
    switch response.body {
    case .bytes(let bytes):
      guard isRead, response.status == 200, let request, let tag = Headers.first("ETag", in: response.headers) else {
        return send(response, bodyOf(bytes[...]))
      }
      let selection = ContentSelection(tag: tag, modified: nil, length: UInt64(bytes.count), header: request.header)
      let part = selection.bytes.map { bytes[Int($0.lowerBound)..<Int($0.upperBound)] } ?? []
      return send(response.selecting(selection), bodyOf(part))
    case .opened(let file):
      if Headers.first("ETag", in: response.headers) == nil { response.headers.append(("ETag", file.tag)) }
      response.headers += [("Last-Modified", HTTPDate.format(file.modified)), ("Accept-Ranges", "bytes")]
      let selection = ContentSelection(
        tag: Headers.first("ETag", in: response.headers), modified: file.modified, length: file.length
      ) { isRead && response.status == 200 ? request?.header($0) : nil }
      if response.status == 200 { response = response.selecting(selection) }
      guard let bytes = selection.bytes, !bytes.isEmpty else { return send(response, bodyOf([])) }
      let body = fetched(UInt64(bytes.count), by: 64 * 1024) { file.read(at: bytes.lowerBound + $0, into: $1) }
      return send(response, body)
    case .stream(let stream):
      guard request?.method == "HEAD" else { return send(response, streamed(stream)) }
      response.drop()
      // libmicrohttpd sends the end of a body of unknown length even for HEAD, and the client would take it for the
      // next answer.
      return send(response.closing, streamed(nil))
    case .relayed(let length, let next):
      guard request?.method == "HEAD" else { return send(response, relayed(length, next)) }
      guard let length else { return send(response.closing, streamed(nil)) }
      // libmicrohttpd sends the length, and fetches no piece.
      return send(response, fetched(length, by: 8192) { _, _ in nil })
    }
  }

  /// Makes a body of `length` bytes that libmicrohttpd fetches in pieces of at most `size` bytes; nil if there is no
  /// memory. `fetch` is called with the offset and the place of a piece, and returns the number of its bytes, or one of
  /// libmicrohttpd's codes; nil breaks the answer off.
  func fetched(
    _ length: UInt64, by size: Int, _ fetch: @escaping (UInt64, UnsafeMutableRawBufferPointer) -> Int?
  ) -> OpaquePointer? {
    // Retained until libmicrohttpd drops the body.
    let context = Unmanaged.passRetained(Fetcher(fetch))
    let body = MHD_create_response_from_callback(
      length, size,
      { context, offset, buffer, room in
        guard let context, let buffer else { return Int(lunara_http_end_with_error) }
        return Unmanaged<Fetcher>.fromOpaque(context).takeUnretainedValue()
          .fetch(offset, UnsafeMutableRawBufferPointer(start: buffer, count: room)) ?? Int(lunara_http_end_with_error)
      }, context.toOpaque(), { if let context = $0 { Unmanaged<Fetcher>.fromOpaque(context).release() } })
    if body == nil { context.release() }
    return body
  }

  private func bodyOf(_ bytes: ArraySlice<UInt8>) -> OpaquePointer? {
    bytes.withUnsafeBytes { bytes in
      MHD_create_response_from_buffer(
        bytes.count, UnsafeMutableRawPointer(mutating: bytes.baseAddress), .RESPMEM_MUST_COPY)
    }
  }

  private func send(_ response: HTTPServerResponse, _ body: OpaquePointer?) -> MHD_Result {
    guard let body else { return .NO }
    defer { MHD_destroy_response(body) }
    for (name, value) in response.headers where MHD_add_response_header(body, name, value) == .NO { return .NO }
    return MHD_queue_response(connection, UInt32(response.status), body)
  }
}

/// Holds a closure for libmicrohttpd.
private final class Fetcher {
  let fetch: (UInt64, UnsafeMutableRawBufferPointer) -> Int?

  init(_ fetch: @escaping (UInt64, UnsafeMutableRawBufferPointer) -> Int?) { self.fetch = fetch }
}

extension HTTPServerResponse {
  /// The same with the status and the headers of a selection.
  fileprivate func selecting(_ selection: ContentSelection) -> HTTPServerResponse {
    var response = self
    response.status = selection.status
    if let range = selection.contentRange { response.headers.append(("Content-Range", range)) }
    return response
  }

  fileprivate var bytes: [UInt8] {
    if case .bytes(let bytes) = body { bytes } else { [] }
  }
}

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
      return refuse(.broken)
    }
    switch response.body {
    case .bytes(let bytes):
      guard isRead, response.status == 200, let request, let tag = Headers.first("ETag", in: response.headers) else {
        return send(response, bodyOf(bytes[...]))
      }
      let selection = ContentSelection(tag: tag, modified: nil, length: UInt64(bytes.count), header: request.header)
      return send(
        response.selecting(selection),
        bodyOf(selection.bytes.map { bytes[Int($0.lowerBound)..<Int($0.upperBound)] } ?? []))
    case .file(let path):
      guard let file = ServedFile(path) else { return refuse(.missing) }
      return send(response, file, isRead ? request : nil) { bytes in
        let body = MHD_create_response_from_fd_at_offset64(UInt64(bytes.count), file.descriptor, bytes.lowerBound)
        // From here on libmicrohttpd closes it.
        if body == nil { close(file.descriptor) }
        return body
      } else: {
        close(file.descriptor)
      }
    case .opened(let open):
      return send(response, open.file, isRead ? request : nil) { bytes in
        bodyOf(open, bytes)
      } else: {
      }
    case .stream(let stream):
      guard request?.method == "HEAD" else { return send(response, streamed(stream)) }
      response.drop()
      // Of a body of unknown length the end would be sent, as the beginning of the next answer.
      return send(response.closing, streamed(nil))
    }
  }

  private func refuse(_ refusal: HTTPServerRefusal) -> MHD_Result {
    let answer = server.answer(to: refusal)
    return send(answer, bodyOf(answer.bytes[...]))
  }

  /// Sends what is asked for of a file: `body` makes it from the file's bytes, `otherwise` is called where none are sent.
  private func send(
    _ response: HTTPServerResponse, _ file: ServedFile, _ request: HTTPServerRequest?,
    _ body: (Range<UInt64>) -> OpaquePointer?, else otherwise: () -> Void
  ) -> MHD_Result {
    var response = response
    if Headers.first("ETag", in: response.headers) == nil { response.headers.append(("ETag", file.tag)) }
    let tag = Headers.first("ETag", in: response.headers)
    response.headers += [("Last-Modified", HTTPDate.format(file.modified)), ("Accept-Ranges", "bytes")]
    let selection = ContentSelection(tag: tag, modified: file.modified, length: file.length) { name in
      response.status == 200 ? request?.header(name) : nil
    }
    if response.status == 200 { response = response.selecting(selection) }
    guard let bytes = selection.bytes, !bytes.isEmpty else {
      otherwise()
      return send(response, bodyOf([]))
    }
    return send(response, body(bytes))
  }

  /// Bytes of a file that libmicrohttpd fetches piece by piece.
  private func bodyOf(_ file: OpenFile, _ bytes: Range<UInt64>) -> OpaquePointer? {
    // Retained until libmicrohttpd drops the body.
    let context = Unmanaged.passRetained(FilePart(file: file, start: bytes.lowerBound)).toOpaque()
    let body = MHD_create_response_from_callback(
      UInt64(bytes.count), 64 * 1024,
      { context, offset, buffer, room in
        guard let context, let buffer else { return Int(lunara_http_end_with_error) }
        let part = Unmanaged<FilePart>.fromOpaque(context).takeUnretainedValue()
        return part.file.read(at: part.start + offset, into: UnsafeMutableRawBufferPointer(start: buffer, count: room))
          ?? Int(lunara_http_end_with_error)
      }, context,
      { context in
        if let context { Unmanaged<FilePart>.fromOpaque(context).release() }
      })
    if body == nil { Unmanaged<FilePart>.fromOpaque(context).release() }
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

/// A file and where its part begins.
private final class FilePart {
  let file: OpenFile
  let start: UInt64

  init(file: OpenFile, start: UInt64) {
    self.file = file
    self.start = start
  }
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

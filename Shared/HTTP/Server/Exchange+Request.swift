import CMicroHTTPD
import Glibc
import Model
import Synchronization

extension Exchange {
  /// Handles a call of libmicrohttpd's access handler: first the headers, then pieces of the body, then its end.
  func process(method: UnsafePointer<CChar>, piece: UnsafeRawBufferPointer) -> MHD_Result {
    let response: HTTPServerResponse? = state.withLock { state in
      switch state.phase {
      case .beginning:
        return begin(&state, String(cString: method))
      case .receiving where !piece.isEmpty:
        receive(&state, piece)
        return nil
      case .receiving:
        return start(&state)
      case .answered(let response):
        state.phase = .sending
        return response
      case .answering, .sending, .over:
        return nil
      }
    }
    if let response { return queue(response) }
    // A client that continues sending a body that is much too large is cut off.
    return state.withLock { $0.received > Self.patienceLimit } ? .NO : .YES
  }

  /// Reads the headers; gives an answer where the request is refused before its body.
  private func begin(_ state: inout State, _ method: String) -> HTTPServerResponse? {
    state.phase = .receiving
    let headers = self.headers()
    guard let target = RequestTarget(target) else { return refuse(&state, .malformed) }
    guard Headers.haveOneLength(headers) else { return refuse(&state, .ambiguousLength) }
    // A body that is only somewhat too large is read and dropped: a client that still sends when the connection ends
    // would not see the answer.
    if let length = Headers.first("Content-Length", in: headers), UInt64(length) ?? .max > UInt64(Self.patienceLimit) {
      return refuse(&state, .tooLarge)
    }
    let request = HTTPServerRequest(
      method: method, path: target.path, query: target.query, repeatedQuery: target.repeatedQuery, headers: headers,
      remoteAddress: lunara_http_client(connection).flatMap { NumericAddress($0)?.host } ?? "")
    state.bodyLimit = min(server.limits.body(request), Self.patienceLimit)
    state.request = request
    return nil
  }

  private func refuse(_ state: inout State, _ refusal: HTTPServerRefusal) -> HTTPServerResponse {
    state.phase = .sending
    return server.answer(to: refusal)
  }

  private func headers() -> [(String, String)] {
    var headers: [(String, String)] = []
    withUnsafeMutablePointer(to: &headers) { headers in
      _ = MHD_get_connection_values(
        connection, .HEADER_KIND,
        { context, _, name, value in
          guard let context, let name else { return .YES }
          let headers = context.assumingMemoryBound(to: [(String, String)].self)
          headers.pointee.append((String(cString: name), value.map { String(cString: $0) } ?? ""))
          return .YES
        }, headers)
    }
    return headers
  }

  private func receive(_ state: inout State, _ piece: UnsafeRawBufferPointer) {
    state.received += piece.count
    guard !state.isCrowded, state.received <= state.bodyLimit, server.hold(piece.count) else {
      state.isCrowded = state.received <= state.bodyLimit
      return forgetBody(&state)
    }
    state.held += piece.count
    state.request?.body.append(contentsOf: piece)
  }

  /// Makes the handler answer the whole request, while the connection is suspended.
  private func start(_ state: inout State) -> HTTPServerResponse? {
    server.expectNothing(of: connection)
    guard state.received <= state.bodyLimit, let request = state.request else { return refuse(&state, .tooLarge) }
    guard !state.isCrowded else { return refuse(&state, .crowded) }
    guard suspend(&state) else { return refuse(&state, .stopping) }
    state.phase = .answering
    state.work = Task {
      let response = await server.handler(request)
      let isWanted = self.state.withLock { state in
        self.forgetBody(&state)
        guard case .answering = state.phase else { return false }
        state.phase = .answered(response)
        state.work = nil
        self.resume(&state)
        return true
      }
      if !isWanted { response.drop() }
    }
    return nil
  }
}

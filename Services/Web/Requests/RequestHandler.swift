import HTTP
import Messages
import Model
import ServiceKit

/// Answers each HTTP request: determines the client, checks its access, calls the endpoint or serves a file of the
/// page, and adds the security headers.
struct RequestHandler: Sendable {
  private let api: EndpointContext
  private let files: PageFiles
  private let requestGuard: RequestGuard
  private let proxies: Set<String>
  private let isEncrypted: Bool
  private let log: Log

  init(api: EndpointContext, files: PageFiles, listen: WebService.ListenAddress, log: Log) {
    self.api = api
    self.files = files
    requestGuard = RequestGuard(address: listen.address, names: listen.names)
    proxies = listen.proxies
    isEncrypted = listen.identity != nil
    self.log = log
  }

  /// Answers a request. Every error becomes a response as well.
  func respond(to request: HTTPServerRequest) async -> HTTPServerResponse {
    let response: HTTPServerResponse
    do {
      response = try await answer(request)
    } catch {
      let error = LunaraError(error)
      response = .failure(error)
      if response.status >= 500 { log.warning(error) }
    }
    api.metrics.count(status: response.status)
    log.debug("\(request.method) \(request.path)", ["status": "\(response.status)"])
    return response.withSafetyHeaders
  }

  /// Returns the response to a request that the server refused before `respond`, in the same form as other errors.
  static func answer(to refusal: HTTPServerRefusal) -> HTTPServerResponse {
    let error =
      switch refusal {
      case .malformed, .ambiguousLength: LunaraError("web.malformed", refusal.text)
      case .tooLarge: LunaraError("web.tooLarge", refusal.text)
      case .crowded: LunaraError("web.busy", refusal.text)
      case .stopping: LunaraError("web.stopping", "Lunara is stopping or restarting. Try again in a moment.")
      case .broken: LunaraError("internal.unexpected", refusal.text)
      }
    return HTTPServerResponse.failure(error).withSafetyHeaders
  }

  /// Returns the largest size, in bytes, of the body of a request whose headers are known. A client without a known
  /// session may send only 4 KiB, enough to sign in, and list files may be larger than all else.
  func bodyLimit(of request: HTTPServerRequest) -> Int {
    let isKnown = api.authenticator.knows(client(of: request).session)
    guard isKnown, requestGuard.refusal(isCommand: false, header: request.header) == nil else { return 4 << 10 }
    return request.path == Endpoint.listFilePath ? 8 << 20 : 1 << 20
  }

  private func answer(_ request: HTTPServerRequest) async throws -> HTTPServerResponse {
    // The host name is checked first, so that a request with another name learns nothing, not even which paths exist.
    if let refusal = requestGuard.refusal(isCommand: false, header: request.header) { throw refusal }
    guard let (endpoint, arguments) = try Endpoint.find(method: request.method, path: request.path) else {
      return try page(request)
    }
    let hasBody = request.method != "DELETE" || !request.body.isEmpty
    let refusal = requestGuard.refusal(
      isCommand: endpoint.isCommand, isInterface: true, hasBody: hasBody, header: request.header)
    if let refusal { throw refusal }
    let call = Call(request: request, arguments: arguments, client: client(of: request))
    if endpoint.access == .members { try await api.authenticator.authenticate(call.client.session) }
    let response = try await endpoint.handle(api, call)
    return api.compressor.compress(response, of: endpoint, to: request)
  }

  /// Returns a file of the page. A path that is not that of a file, of the API or of a card is an address within the
  /// page, for which index.html is sent. Throws `web.notFound`, `web.methodNotAllowed`, `web.noPageFiles`.
  private func page(_ request: HTTPServerRequest) throws -> HTTPServerResponse {
    guard request.method == "GET" || request.method == "HEAD" else {
      throw LunaraError("web.methodNotAllowed", "\(request.path) takes GET, not \(request.method).", cause: "GET")
    }
    let name = String(request.path.dropFirst())
    let isAddress = !name.contains(".") && !name.hasPrefix("api/") && !name.hasPrefix("now/")
    guard let file = files[isAddress ? "index.html" : name] else {
      throw LunaraError("web.notFound", "There is no page \(request.path). The page is at /.")
    }
    return try api.compressor.response(with: file, to: request)
  }

  /// Returns the client of a request. Only a trusted proxy may name another client than the connected one.
  private func client(of request: HTTPServerRequest) -> Call.Caller {
    let session = SessionToken(cookies: request.header("Cookie")) { api.authenticator.knows($0) }
    guard proxies.contains(request.remoteAddress) else {
      return Call.Caller(address: request.remoteAddress, isEncrypted: isEncrypted, session: session)
    }
    let isEncrypted = isEncrypted || request.header("X-Forwarded-Proto")?.lowercased() == "https"
    let address = ClientAddress.forwarded(request.headers) ?? request.remoteAddress
    return Call.Caller(address: address, isEncrypted: isEncrypted, session: session)
  }
}

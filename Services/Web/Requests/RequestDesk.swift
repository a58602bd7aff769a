import HTTP
import Messages
import Model
import ServiceKit

/// What each request goes through: who asks, whether it may pass, what answers it, and what is said around the answer.
struct RequestDesk: Sendable {
  private let api: API
  private let guardian: RequestGuard
  private let proxies: Set<String>
  private let isEncrypted: Bool
  private let log: Log

  /// Makes a desk.
  init(api: API, place: WebService.Place, log: Log) {
    self.api = api
    guardian = RequestGuard(address: place.address, names: place.names)
    proxies = place.proxies
    isEncrypted = place.identity != nil
    self.log = log
  }

  /// Answers a request.
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
    return response.guarded
  }

  /// What is answered to what never reaches `respond`, in the shape of all errors.
  static func answer(to refusal: HTTPServerRefusal) -> HTTPServerResponse {
    let error =
      switch refusal {
      case .malformed: LunaraError("web.malformed", refusal.text)
      case .tooLarge: LunaraError("web.tooLarge", refusal.text)
      case .crowded: LunaraError("web.busy", refusal.text)
      case .stopping: LunaraError("web.stopping", "The page is being stopped or started anew. Try again in a moment.")
      case .missing: LunaraError("web.notFound", refusal.text)
      case .broken: LunaraError("internal.unexpected", refusal.text)
      }
    return HTTPServerResponse.failure(error).guarded
  }

  /// How large the body of a request may be, of which only the headers are known: a stranger, who may sign in, says
  /// little.
  func bodyLimit(of request: HTTPServerRequest) -> Int {
    let isKnown = api.authenticator.knows(client(of: request).session)
    return isKnown && guardian.refusal(isCommand: false, header: request.header) == nil ? 1 << 20 : 4 << 10
  }

  private func answer(_ request: HTTPServerRequest) async throws -> HTTPServerResponse {
    // Names are judged first: what comes under another is not even told what there is.
    if let refusal = guardian.refusal(isCommand: false, header: request.header) { throw refusal }
    guard let (endpoint, arguments) = try Endpoint.find(method: request.method, path: request.path) else {
      return try api.page(request)
    }
    let hasBody = request.method != "DELETE" || !request.body.isEmpty
    let refusal = guardian.refusal(
      isCommand: endpoint.isCommand, isInterface: true, hasBody: hasBody, header: request.header)
    if let refusal { throw refusal }
    return try await api.answer(
      endpoint, Call(request: request, arguments: arguments, client: client(of: request)))
  }

  /// Who asks. Only a proxy that is trusted may speak for another; the last address it names is the one it saw itself.
  private func client(of request: HTTPServerRequest) -> Call.Client {
    let session = SessionToken(cookies: request.header("Cookie")) { api.authenticator.knows($0) }
    guard proxies.contains(request.remoteAddress) else {
      return Call.Client(address: request.remoteAddress, isEncrypted: isEncrypted, session: session)
    }
    let isEncrypted = isEncrypted || request.header("X-Forwarded-Proto")?.lowercased() == "https"
    let address = ClientAddress.forwarded(request.headers) ?? request.remoteAddress
    return Call.Client(address: address, isEncrypted: isEncrypted, session: session)
  }
}

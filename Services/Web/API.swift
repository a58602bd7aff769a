import Bus
import HTTP
import Messages
import Model

/// Answers the requests of browsers by asking the bus. It decides nothing: intents go to the router, transport to the
/// room, reading to the library.
struct API: Sendable {
  let node: Node
  let household: Household
  let hostID: String
  let files: PageFiles
  let authenticator: SessionAuthenticator
  let heads = FileHeads()
  let packing = Packing()
  let metrics = Metrics()
  let client = HTTPClient(userAgent: "lunara-web")
  let palettes = Palettes()

  /// Answers one request that the guard let pass.
  ///
  /// - Throws: what the services refused, `bus.…` where they cannot be reached, `web.…` for what cannot be asked.
  func answer(_ endpoint: Endpoint, _ call: Call) async throws -> HTTPServerResponse {
    if endpoint.access == .members { try await authenticator.admit(call.client.session) }
    return packing.answer(try await endpoint.handle(self, call), of: endpoint, to: call.request)
  }

  /// A file of the page. A path that is no file's name is a place of the page.
  ///
  /// - Throws: `web.notFound`, `web.methodNotAllowed`.
  func page(_ request: HTTPServerRequest) throws -> HTTPServerResponse {
    guard request.method == "GET" || request.method == "HEAD" else {
      throw LunaraError("web.methodNotAllowed", "\(request.path) takes GET, not \(request.method).", cause: "GET")
    }
    let name = String(request.path.dropFirst())
    let isPlace = !name.contains(".") && !name.hasPrefix("api/") && !name.hasPrefix("now/")
    guard let file = files[isPlace ? "index.html" : name] else {
      throw LunaraError("web.notFound", "There is no page \(request.path). The page is at /.")
    }
    return packing.file(file, to: request)
  }

  /// Asks a node.
  ///
  /// - Parameter patience: how long its answer is waited for.
  func ask<R: Request>(_ request: R, of target: NodeID, within patience: Duration = .seconds(10)) async throws
    -> R.Answer
  {
    try await node.request(request, to: target, within: patience)
  }

  /// Asks the room in the path, once it is known to be one.
  func ask<R: Request>(_ request: R, ofRoomIn call: Call, within patience: Duration = .seconds(10)) async throws
    -> R.Answer
  {
    let room = try await household.room(named: try call.room())
    return try await ask(request, of: .playback(room), within: patience)
  }
}

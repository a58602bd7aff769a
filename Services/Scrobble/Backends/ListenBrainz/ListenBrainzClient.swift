import HTTP
import Messages
import Model

/// Requests to one server of ListenBrainz's interface.
struct ListenBrainzClient: Sendable {
  let http: HTTPClient
  /// The root of the interface, for example `https://api.listenbrainz.org`.
  let address: String
  let token: Secret

  private static let answerLimit = 256 * 1024

  /// Sends JSON to a path.
  ///
  /// - Throws: `http.…`, `CancellationError`.
  func post(_ path: String, _ value: some Encodable) async throws -> HTTPResponse {
    try await send("POST", path, try MessageCoding.encode(value))
  }

  /// Reads a path.
  func get(_ path: String) async throws -> HTTPResponse { try await send("GET", path, nil) }

  private func send(_ method: String, _ path: String, _ body: [UInt8]?) async throws -> HTTPResponse {
    var headers = [("Authorization", "Token \(token.text)")]
    if body != nil { headers.append(("Content-Type", "application/json")) }
    // A redirection would hand the token on to somebody else.
    return try await http.send(
      HTTPRequest(
        method: method, url: address + path, headers: headers, body: body, timeout: .seconds(30),
        responseLimit: Self.answerLimit, redirectLimit: 0))
  }

  /// Whose token it is; nil where it is nobody's.
  ///
  /// - Throws: `scrobble.serviceAway`, `http.…`, `CancellationError`.
  func user() async throws -> String? {
    let response = try await get("/1/validate-token")
    if [400, 401, 403].contains(response.status) { return nil }
    guard response.status == 200, let view = JSONView(response.body), view.isObject else {
      throw ScrobbleError.away("ListenBrainz", cause: "it answered \(response.status)")
    }
    guard let valid = view["valid"], valid.isTrue else { return nil }
    return view["user_name"]?.string ?? "listener"
  }
}

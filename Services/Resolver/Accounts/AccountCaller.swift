import HTTP
import Messages
import Model

/// Makes requests to the interface of a service in the name of an account. A token that is refused is refreshed once,
/// and where the service asks for patience once more, two seconds later.
struct AccountCaller: Sendable {
  let accounts: PluginAccounts
  let http: HTTPClient
  let service: AccountService
  /// The pauses before a refused token is refreshed; one entry for each time.
  var pauses: [Duration] = [.zero]
  var sleep: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }

  /// Sends a request and returns the whole answer. `path` begins with a slash.
  ///
  /// - Throws: `resolver.signedOut`, `resolver.accountAway`.
  func send(
    _ effect: HTTPRequest.Effect, _ method: String = "GET", _ path: String, body: [UInt8]? = nil
  ) async throws -> HTTPResponse {
    try await authorised { header in
      let headers = body == nil ? [header] : [header, ("Content-Type", "application/json")]
      let response = try await http.send(
        HTTPRequest(
          effect, method: method, url: service.api + path, headers: headers, body: body, timeout: .seconds(15),
          responseLimit: 1 << 20, redirectLimit: 3))
      return (response, response.status)
    }
  }

  /// Sends a request for music, and returns the status and the address to which the service redirects. The music
  /// itself is not read.
  func head(_ url: String) async throws -> (status: Int, location: String?) {
    try await authorised { header in
      let stream = try await http.stream(HTTPRequest(.reads, url: url, headers: [header]), idle: .seconds(15))
      defer { stream.cancel() }
      return ((stream.status, stream.header("Location")), stream.status)
    }
  }

  /// The header with which a request is made.
  func header() async throws -> (String, String) {
    ("Authorization", "\(service.scheme) \(try await accounts.token(of: service.id))")
  }

  private func authorised<Answer>(
    _ send: ((String, String)) async throws -> (Answer, status: Int)
  ) async throws -> Answer {
    var refused: String?
    for attempt in 0... {
      let token = try await accounts.token(of: service.id, insteadOf: refused)
      let answer: (Answer, status: Int)
      do { answer = try await send(("Authorization", "\(service.scheme) \(token)")) } catch is CancellationError {
        throw CancellationError()
      } catch {
        throw LunaraError(
          "resolver.accountAway", "\(service.title) cannot be asked at the moment. \(LunaraError(error).message)")
      }
      guard answer.status == 401 else { return answer.0 }
      guard attempt < pauses.count else { break }
      refused = token
      if pauses[attempt] > .zero { try await sleep(pauses[attempt]) }
    }
    throw AccountError.away(service, "it refuses a token that it has just given")
  }
}

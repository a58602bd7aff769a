import HTTP
import Model

/// How one gets a session at a server of Last.fm's protocol.
struct LastFMDoor: Sendable {
  /// A session and whose it is.
  struct Session: Sendable {
    var user: String
    var key: Secret
  }

  /// Servers but Last.fm's own take any key.
  private static let anyKey = "6c756e6172616c756e6172616c756e61"

  let http: HTTPClient
  /// The program's key and its secret, where they are set.
  let key: String?
  let secret: String?

  /// The key for a server.
  ///
  /// - Throws: `scrobble.noKey`.
  func pair(for address: ServiceAddress) throws(LunaraError) -> (key: String, secret: String) {
    if let key, let secret { return (key, secret) }
    guard !address.isOwn else { throw ScrobbleError.noKey() }
    return (key ?? Self.anyKey, secret ?? Self.anyKey)
  }

  func client(_ address: ServiceAddress) throws(LunaraError) -> LastFMClient {
    let (key, secret) = try pair(for: address)
    return LastFMClient(http: http, address: address.text, key: Secret(key), secret: Secret(secret))
  }

  /// A token that a person can allow.
  ///
  /// - Throws: `scrobble.noKey`, `scrobble.refused`, `scrobble.serviceAway`.
  func token(at address: ServiceAddress) async throws -> Secret {
    switch try await answer(at: address, "auth.getToken", [:]) {
    case .done(let tree):
      guard let token = tree["token"]?.words, !token.isEmpty else {
        throw ScrobbleError.away(address.host, cause: "it gave no token")
      }
      return Secret(token)
    case .failed(_, let words): throw ScrobbleError.refused(address.host, cause: words)
    case .nonsense(let words): throw ScrobbleError.away(address.host, cause: words)
    }
  }

  /// Asks for the session of a token; the answer where there is none yet.
  func session(of token: Secret, at address: ServiceAddress) async throws -> Result<Session, Refusal> {
    try session(in: try await answer(at: address, "auth.getSession", ["token": token.text]), at: address)
  }

  /// A session for a user and password, which servers of one's own have in place of a page.
  ///
  /// - Throws: `scrobble.badSignIn`, `scrobble.noKey`, `scrobble.serviceAway`.
  func session(user: String, password: Secret, at address: ServiceAddress) async throws -> Session {
    let answer = try await answer(
      at: address, "auth.getMobileSession", ["username": user, "password": password.text])
    switch try session(in: answer, at: address) {
    case .success(let session): return session
    case .failure(let refusal): throw ScrobbleError.badSignIn(address.host, cause: refusal.words)
    }
  }

  /// Why there is no session.
  struct Refusal: Error {
    var code: Int
    var words: String
  }

  private func session(in answer: LastFMAnswer, at address: ServiceAddress) throws -> Result<Session, Refusal> {
    switch answer {
    case .done(let tree):
      guard let session = tree["session"], let key = session["key"]?.words, !key.isEmpty else {
        throw ScrobbleError.away(address.host, cause: "it gave no session")
      }
      let user = session["name"]?.words ?? ""
      return .success(Session(user: user.isEmpty ? "listener" : user, key: Secret(key)))
    case .failed(let code, let words): return .failure(Refusal(code: code, words: words))
    case .nonsense(let words): throw ScrobbleError.away(address.host, cause: words)
    }
  }

  private func answer(
    at address: ServiceAddress, _ method: String, _ parameters: [String: String]
  ) async throws -> LastFMAnswer {
    let client = try client(address)
    do { return try await client.call(method, parameters) } catch let error as LunaraError
      where error.code.hasPrefix("http.")
    {
      throw ScrobbleError.away(address.host, cause: error.message)
    }
  }
}

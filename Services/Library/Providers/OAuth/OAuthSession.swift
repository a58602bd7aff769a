import HTTP
import Messages
import Model

/// The tokens of one account at a service.
struct OAuthTokens: Codable, Hashable, Sendable {
  var clientID: String
  var access: String
  var refresh: String?
  var expiresAt: Timestamp

  /// Reads the answer of the token address (RFC 6749, 5.1); nil if it is none. An answer without a new refresh token
  /// keeps the former one.
  init?(_ view: JSONView, clientID: String, former: String? = nil, at now: Timestamp) {
    guard let access = view["access_token"]?.string, !access.isEmpty else { return nil }
    let seconds = max(0, min(view["expires_in"]?.integer ?? 3600, 365 * 86_400))
    self.clientID = clientID
    self.access = access
    refresh = view["refresh_token"]?.string ?? former
    expiresAt = Timestamp(microseconds: now.microseconds + seconds * 1_000_000)
  }
}

/// Gives the access token of an account, and refreshes it in time. As a refresh token may be used only once, there is
/// one refresh at a time, and what it gave is stored before it is used. Tokens that cannot be stored, as on a full
/// disk, are kept until they can be: those that are stored no longer count for the service.
actor OAuthSession {
  private let server: OAuthServer
  private let http: HTTPClient
  /// The tokens that are stored.
  private(set) var tokens: OAuthTokens
  /// The tokens that the service gave and that could not be stored yet.
  private var unstored: OAuthTokens?
  private let store: @Sendable (OAuthTokens) throws -> Void
  private let now: @Sendable () -> Timestamp
  private var refreshing: Task<OAuthTokens, any Error>?
  private var isRevoked = false

  init(
    _ tokens: OAuthTokens, at server: OAuthServer, http: HTTPClient,
    now: @escaping @Sendable () -> Timestamp = { .now() }, store: @escaping @Sendable (OAuthTokens) throws -> Void
  ) {
    (self.tokens, self.server, self.http, self.now, self.store) = (tokens, server, http, now, store)
  }

  /// Returns an access token that holds for another minute.
  ///
  /// - Parameter refused: a token that the service has just refused; nil for none.
  /// - Throws: `library.signedOut` if the person has to sign in again, `library.providerAway`, and the errors of
  ///   `CredentialStore`.
  func accessToken(insteadOf refused: String? = nil) async throws -> String {
    if refused != tokens.access, refreshing == nil, unstored == nil, isValid(tokens) { return tokens.access }
    guard !isRevoked else { throw ProviderCaller.signedOut(server.title) }
    let task = refreshing ?? Task { try await self.refresh() }
    refreshing = task
    return try await task.value.access
  }

  private func isValid(_ tokens: OAuthTokens) -> Bool { tokens.expiresAt - now() > Milliseconds(60_000) }

  private func refresh() async throws -> OAuthTokens {
    // Only the refresh itself ends it. One of those who wait for it may go on after the next one has begun.
    defer { refreshing = nil }
    if let fresh = unstored {
      try keep(fresh)
      if isValid(fresh) { return fresh }
    }
    guard let refresh = tokens.refresh else { throw revoked() }
    let form = OAuthSignIn.form([
      ("grant_type", "refresh_token"), ("refresh_token", refresh), ("client_id", tokens.clientID),
    ])
    let answer = try await Self.ask(form, at: server, http)
    if answer.isInvalid { throw revoked() }
    guard let view = answer.view,
      let fresh = OAuthTokens(view, clientID: tokens.clientID, former: refresh, at: now())
    else { throw ProviderCaller.unreadable(server.title) }
    unstored = fresh
    try keep(fresh)
    return fresh
  }

  private func keep(_ fresh: OAuthTokens) throws {
    try store(fresh)
    (tokens, unstored) = (fresh, nil)
  }

  private func revoked() -> LunaraError {
    isRevoked = true
    return ProviderCaller.signedOut(server.title)
  }

  /// Exchanges the code of a sign-in for tokens.
  ///
  /// - Throws: `library.signInFailed`, `library.providerAway`.
  static func exchange(
    _ code: String, of signIn: OAuthSignIn, at server: OAuthServer, http: HTTPClient, now: Timestamp
  ) async throws -> OAuthTokens {
    let form = OAuthSignIn.form([
      ("grant_type", "authorization_code"), ("code", code), ("redirect_uri", server.redirect),
      ("client_id", signIn.clientID), ("code_verifier", signIn.verifier),
    ])
    let answer = try await ask(form, at: server, http)
    guard !answer.isInvalid else {
      throw OAuthSignIn.failed("\(server.title) no longer accepts this address. Begin again.")
    }
    guard let view = answer.view, let tokens = OAuthTokens(view, clientID: signIn.clientID, at: now) else {
      throw ProviderCaller.unreadable(server.title)
    }
    return tokens
  }

  /// Sends a form to the token address. Returns its answer, or that the grant or the client is not valid.
  private static func ask(
    _ form: String, at server: OAuthServer, _ http: HTTPClient
  ) async throws -> (view: JSONView?, isInvalid: Bool) {
    let response: HTTPResponse
    do {
      response = try await http.send(
        HTTPRequest(
          method: "POST", url: server.tokenAddress, headers: [("Content-Type", "application/x-www-form-urlencoded")],
          body: Array(form.utf8), responseLimit: 64 << 10, redirectLimit: 0))
    } catch is CancellationError {
      throw CancellationError()
    } catch {
      throw LunaraError(
        "library.providerAway", "\(server.title) cannot be asked at the moment. \(LunaraError(error).message)")
    }
    let view = JSONView(response.body)
    if response.status == 401 || view?["error"]?.string == "invalid_grant" { return (nil, true) }
    guard response.status == 200 else {
      throw LunaraError(
        "library.providerAway",
        "\(server.title) cannot be asked at the moment: it answered \(response.status). The library tries again later.")
    }
    return (view, false)
  }
}

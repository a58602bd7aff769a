public import HTTP
import Messages
public import Model

/// Gives the access token of an account, and refreshes it in time. As a refresh token may be used only once, there is
/// one refresh at a time, and what it gave is stored before it is used. Tokens that cannot be stored, as on a full
/// disk, are kept until they can be: those that are stored no longer count for the service.
public actor OAuthSession {
  private let server: OAuthServer
  private let http: HTTPClient
  /// The tokens that are stored.
  public private(set) var tokens: OAuthTokens
  /// The tokens that the service gave and that could not be stored yet.
  private var unstored: OAuthTokens?
  private let store: @Sendable (OAuthTokens) throws -> Void
  private let now: @Sendable () -> Timestamp
  private var refreshing: Task<OAuthTokens, any Error>?
  private var isRevoked = false

  /// Creates a session from stored tokens.
  ///
  /// - Parameters:
  ///   - tokens: the tokens as they were stored last.
  ///   - server: the server that gave them.
  ///   - http: the client that refreshes them.
  ///   - now: returns the time.
  ///   - store: stores fresh tokens, before one of them is used.
  public init(
    _ tokens: OAuthTokens, at server: OAuthServer, http: HTTPClient,
    now: @escaping @Sendable () -> Timestamp = { .now() }, store: @escaping @Sendable (OAuthTokens) throws -> Void
  ) {
    self.tokens = tokens
    self.server = server
    self.http = http
    self.now = now
    self.store = store
  }

  /// Returns an access token that holds for another minute.
  ///
  /// - Parameter refused: a token that the service has just refused; nil for none.
  /// - Throws: `OAuthServer.error` of a failure: `signedOut` if the person has to sign in again; and the errors of
  ///   `store`.
  public func accessToken(insteadOf refused: String? = nil) async throws -> String {
    if refused != tokens.access, refreshing == nil, unstored == nil, isValid(tokens) { return tokens.access }
    guard !isRevoked else { throw signedOut() }
    let task = refreshing ?? Task { try await self.refresh() }
    refreshing = task
    return try await task.value.access
  }

  private func isValid(_ tokens: OAuthTokens) -> Bool { tokens.hold(at: now(), within: server.renewalAge) }

  private func refresh() async throws -> OAuthTokens {
    // Only the refresh itself ends it. One of those who wait for it may continue after the next one has begun.
    defer { refreshing = nil }
    if let fresh = unstored {
      try keep(fresh)
      if isValid(fresh) { return fresh }
    }
    guard let refresh = tokens.refresh else { throw revoked() }
    let form = OAuthSignIn.form(
      [("grant_type", "refresh_token"), ("refresh_token", refresh)] + tokens.client.fields)
    let answer = try await Self.ask(form, at: server, http)
    if answer.isInvalid { throw revoked() }
    guard let view = answer.view,
      let fresh = OAuthTokens(view, client: tokens.client, former: refresh, at: now())
    else { throw Self.unreadable(server) }
    unstored = fresh
    try keep(fresh)
    return fresh
  }

  private func keep(_ fresh: OAuthTokens) throws {
    try store(fresh)
    tokens = fresh
    unstored = nil
  }

  private func revoked() -> LunaraError {
    isRevoked = true
    return signedOut()
  }

  private func signedOut() -> LunaraError {
    server.error(OAuthFailure(.signedOut, "\(server.title) no longer accepts the sign-in. Sign in again."))
  }

  /// Exchanges the code of a sign-in for tokens.
  ///
  /// - Throws: `OAuthServer.error` of a failure.
  public static func exchange(
    _ code: String, of signIn: OAuthSignIn, at server: OAuthServer, http: HTTPClient, now: Timestamp
  ) async throws -> OAuthTokens {
    let form = OAuthSignIn.form(
      [("grant_type", "authorization_code"), ("code", code), ("redirect_uri", server.redirect)]
        + signIn.client.fields + [("code_verifier", signIn.verifier)])
    let answer = try await ask(form, at: server, http)
    guard !answer.isInvalid else {
      throw server.error(
        OAuthFailure(.signInFailed, "\(server.title) no longer accepts this address. Begin again."))
    }
    guard let view = answer.view, let tokens = OAuthTokens(view, client: signIn.client, at: now) else {
      throw unreadable(server)
    }
    return tokens
  }

  private static func unreadable(_ server: OAuthServer) -> LunaraError {
    server.error(OAuthFailure(.unreadable, "\(server.title) gave an answer that cannot be read. Try again later."))
  }

  /// Sends a form to the token address. Returns its answer, or that the grant or the client is not valid.
  private static func ask(
    _ form: String, at server: OAuthServer, _ http: HTTPClient
  ) async throws -> (view: JSONView?, isInvalid: Bool) {
    func away(_ reason: String) -> LunaraError {
      server.error(OAuthFailure(.away, "\(server.title) cannot be asked at the moment\(reason)"))
    }
    let response: HTTPResponse
    do {
      response = try await http.send(
        HTTPRequest(
          .changes, method: "POST", url: server.tokenAddress,
          headers: [("Content-Type", "application/x-www-form-urlencoded")],
          body: Array(form.utf8), responseLimit: 64 << 10, redirectLimit: 0))
    } catch is CancellationError {
      throw CancellationError()
    } catch {
      throw away(". \(LunaraError(error).message)")
    }
    let view = JSONView(response.body)
    if response.status == 401 || view?["error"]?.string == "invalid_grant" { return (nil, true) }
    guard response.status == 200 else { throw away(": it answered \(response.status). Try again later.") }
    return (view, false)
  }
}

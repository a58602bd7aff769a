import HTTP
import Messages
import Model
import ServiceKit

/// Gets sessions from servers that speak Last.fm's protocol.
struct LastFMAuth: Sendable {
  /// The key and secret for servers other than Last.fm's own, which accept any.
  private static let anyKey = "6c756e6172616c756e6172616c756e61"

  let http: HTTPClient
  /// The program's API key and the key's secret, if they are set.
  let key: String?
  let secret: String?

  /// Returns the API of a server, with the key for it. Throws `scrobble.noKey`.
  func api(for address: ServerAddress) throws(LunaraError) -> LastFMAPI {
    var pair = (key: key ?? Self.anyKey, secret: secret ?? Self.anyKey)
    if let key, let secret { pair = (key, secret) } else if address.isOwn { throw ScrobbleError.noKey }
    return LastFMAPI(http: http, address: address.text, key: Secret(pair.key), secret: Secret(pair.secret))
  }

  /// Returns a token for which a person can allow access. Throws `scrobble.noKey`, `scrobble.refused`,
  /// `scrobble.serviceAway`.
  func token(at address: ServerAddress) async throws -> Secret {
    switch try await call("auth.getToken", [:], at: address) {
    case .done(let tree):
      guard let token = tree["token"]?.plainText, !token.isEmpty else {
        throw ScrobbleError.away(address.host, cause: "it gave no token")
      }
      return Secret(token)
    case .failed(_, let reason): throw ScrobbleError.refused(address.host, cause: reason)
    case .limited(let reason, _): throw ScrobbleError.away(address.host, cause: reason)
    case .unreadable(let problem): throw ScrobbleError.away(address.host, cause: problem)
    }
  }

  /// The server's answer in place of a session.
  enum Refusal: Error {
    /// An error with its code (last.fm/api/errorcodes).
    case failed(code: Int, reason: String)
    /// The server limits requests, for `wait` if it states a time.
    case limited(reason: String, wait: Duration?)
  }

  /// Returns the session of a token, or the server's refusal if the person has not allowed it yet or the server limits
  /// requests. Throws `scrobble.noKey`, `scrobble.serviceAway`.
  func session(of token: Secret, at address: ServerAddress) async throws -> Result<SignedIn, Refusal> {
    try session(in: try await call("auth.getSession", ["token": token.text], at: address), at: address)
  }

  /// Signs in with a user and a password; servers without a page for signing in accept that. Throws
  /// `scrobble.badSignIn`, `scrobble.noKey`, `scrobble.serviceAway`.
  func signIn(user: String, password: Secret, at address: ServerAddress) async throws -> SignedIn {
    let answer = try await call(
      "auth.getMobileSession", ["username": user, "password": password.text], at: address)
    switch try session(in: answer, at: address) {
    case .success(let signedIn): return signedIn
    case .failure(.failed(_, let reason)): throw ScrobbleError.badSignIn(address.host, cause: reason)
    case .failure(.limited(let reason, _)): throw ScrobbleError.away(address.host, cause: reason)
    }
  }

  private func session(in answer: LastFMAnswer, at address: ServerAddress) throws -> Result<SignedIn, Refusal> {
    switch answer {
    case .done(let tree):
      guard let session = tree["session"], let key = session["key"]?.plainText, !key.isEmpty else {
        throw ScrobbleError.away(address.host, cause: "it gave no session")
      }
      let user = session["name"]?.plainText ?? ""
      let api = try api(for: address)
      // A session works only with the key with which it was made.
      let credentials = Credentials(session: key, key: api.key.text, secret: api.secret.text)
      return .success(SignedIn(user: user.isEmpty ? "listener" : user, credentials: credentials))
    case .failed(let code, let reason): return .failure(.failed(code: code, reason: reason))
    case .limited(let reason, let wait): return .failure(.limited(reason: reason, wait: wait))
    case .unreadable(let problem): throw ScrobbleError.away(address.host, cause: problem)
    }
  }

  private func call(
    _ method: String, _ parameters: [String: String], at address: ServerAddress
  ) async throws -> LastFMAnswer {
    let api = try api(for: address)
    return try await address.asking { try await api.call(method, parameters) }
  }
}

/// A sign-in by link that asks a server of Last.fm's protocol for the session.
struct LastFMLinkSignIn: LinkSignIn {
  let auth: LastFMAuth
  var progress: LastFMSignIn

  var started: Scrobble.SignIn { progress.started }
  var state: Scrobble.SignInState {
    get { progress.state }
    set { progress.state = newValue }
  }

  var pause: Duration { progress.pause }

  mutating func poll() async throws -> SignedIn? {
    do {
      switch try await auth.session(of: progress.token, at: progress.address) {
      case .success(let signedIn): return signedIn
      case .failure(.failed(let code, let reason)):
        if progress.refuse(code, reason, at: .now()) == .getToken {
          progress.begin(with: try await auth.token(at: progress.address), at: .now())
        }
      case .failure(.limited(_, let wait)): _ = progress.handleNoAnswer(at: .now(), limit: wait)
      }
    } catch let error as LunaraError where error.code == "scrobble.serviceAway" {
      _ = progress.handleNoAnswer(at: .now())
    }
    return nil
  }
}

/// The state of a sign-in at a server of Last.fm's protocol, which waits for a person (last.fm/api/desktopauth). It
/// does no I/O.
struct LastFMSignIn: Sendable {
  enum Step: Hashable, Sendable {
    case askAgain
    /// Get another token and show its link.
    case getToken
    case end
  }

  /// The time for which a token is valid.
  static let lifetime = Milliseconds(3_600_000)
  /// The largest number of tokens for one sign-in.
  private static let mostTokens = 5

  let id = UniqueID<LastFMSignIn>.random().rawValue
  let address: ServerAddress
  let page: String
  let key: String
  private(set) var token: Secret
  private let expiresAt: Timestamp
  var state: Scrobble.SignInState
  private var tokens = 0
  /// The number of requests in a row that the server did not answer.
  private var failures = 0
  /// The time until the server is asked again: a second, more after each request that it did not answer, and not less
  /// than its own limit.
  private(set) var pause = Duration.seconds(1)

  init(at address: ServerAddress, page: String?, key: String, token: Secret, now: Timestamp) {
    self.address = address
    self.page = page ?? Self.page(of: address)
    self.key = key
    self.token = token
    expiresAt = Timestamp(microseconds: now.microseconds + Self.lifetime.rawValue * 1000)
    state = Scrobble.SignInState(state: "waiting")
    begin(with: token, at: now)
  }

  /// Returns the page at which a person allows a program to scrobble.
  static func page(of address: ServerAddress) -> String {
    if address.isOwn { return "https://www.last.fm/api/auth/" }
    let text = address.text
    return (text.hasSuffix("/2.0/") ? text.dropLast("2.0/".count) : text[...]) + "api/auth/"
  }

  var link: String { "\(page)?api_key=\(PercentCoding.encode(key))&token=\(PercentCoding.encode(token.text))" }

  var started: Scrobble.SignIn { Scrobble.SignIn(id: id, link: link, expiresAt: expiresAt) }

  /// Continues the sign-in with a first or another token.
  mutating func begin(with token: Secret, at now: Timestamp) {
    self.token = token
    tokens += 1
    handleAnswer()
    state = Scrobble.SignInState(state: "waiting", link: link)
  }

  /// Handles a server's answer without a session, and returns the next step.
  mutating func refuse(_ code: Int, _ reason: String, at now: Timestamp) -> Step {
    if now >= expiresAt { return expire() }
    // These codes say that the server is busy or offline.
    if [8, 11, 16].contains(code) { return handleNoAnswer(at: now) }
    switch code {
    case 14:
      handleAnswer()
      return .askAgain
    case 4 where tokens < Self.mostTokens, 15 where tokens < Self.mostTokens: return .getToken
    default:
      state = Scrobble.SignInState(state: "failed", error: ScrobbleError.refused(address.host, cause: reason))
      return .end
    }
  }

  private mutating func handleAnswer() {
    failures = 0
    pause = .seconds(1)
  }

  /// Handles that the server does not answer, or limits requests for the time `limit`, and returns the next step.
  mutating func handleNoAnswer(at now: Timestamp, limit: Duration? = nil) -> Step {
    if now >= expiresAt { return expire() }
    failures += 1
    // The sign-in ends in time, even if the limit lasts longer.
    let rest = Duration.microseconds(expiresAt.microseconds - now.microseconds)
    pause = min(rest, max(RetryPolicy.signIn.pause(after: failures + 1), limit ?? .zero))
    return .askAgain
  }

  private mutating func expire() -> Step {
    state = Scrobble.SignInState(state: "expired")
    return .end
  }
}

import Messages
import Model

/// A sign-in at a server of Last.fm's protocol that waits for a person (last.fm/api/desktopauth). Pure.
struct LastFMSignIn: Sendable {
  /// What to do after an answer.
  enum Step: Hashable, Sendable {
    /// Ask again in a while.
    case ask
    /// Get another token, and show its link.
    case begin
    /// It is over.
    case end
  }

  /// How long a token is good.
  static let lifetime = Milliseconds(3_600_000)
  /// How often a service may want a new beginning.
  private static let mostBeginnings = 5

  let id = UniqueID<LastFMSignIn>.random().rawValue
  let address: ServiceAddress
  let page: String
  let key: String
  private(set) var token: Secret
  private(set) var expiresAt: Timestamp
  private(set) var state: Scrobble.SignInState
  private var beginnings = 0

  init(at address: ServiceAddress, page: String?, key: String, token: Secret, now: Timestamp) {
    self.address = address
    self.page = page ?? address.signInPage
    self.key = key
    self.token = token
    expiresAt = now
    state = Scrobble.SignInState(state: "waiting")
    begin(with: token, at: now)
  }

  var link: String { "\(page)?api_key=\(FormBody.escaped(key))&token=\(FormBody.escaped(token.text))" }

  var told: Scrobble.SignIn { Scrobble.SignIn(id: id, link: link, expiresAt: expiresAt) }

  /// Takes a token, the first one or a later.
  mutating func begin(with token: Secret, at now: Timestamp) {
    self.token = token
    if beginnings == 0 { expiresAt = Timestamp(microseconds: now.microseconds + Self.lifetime.rawValue * 1000) }
    beginnings += 1
    state = Scrobble.SignInState(state: "waiting", link: link)
  }

  /// Takes in that no session was given.
  mutating func refused(_ code: Int, _ words: String, at now: Timestamp) -> Step {
    if now >= expiresAt { return expire() }
    switch code {
    case 14: return .ask
    case 4, 15:
      return beginnings < Self.mostBeginnings ? .begin : fail(ScrobbleError.refused(address.host, cause: words))
    case 8, 11, 16, 29: return .ask
    default: return fail(ScrobbleError.refused(address.host, cause: words))
    }
  }

  /// Takes in that the service cannot be asked.
  mutating func away(at now: Timestamp) -> Step { now >= expiresAt ? expire() : .ask }

  /// Takes in that it is done.
  mutating func done(_ account: String) { state = Scrobble.SignInState(state: "done", account: account) }

  mutating func fail(_ error: LunaraError) -> Step {
    state = Scrobble.SignInState(state: "failed", error: error)
    return .end
  }

  private mutating func expire() -> Step {
    state = Scrobble.SignInState(state: "expired")
    return .end
  }
}

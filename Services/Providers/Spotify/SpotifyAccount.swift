import HTTP
import Messages
import Model
import OAuth
import Sync
import Synchronization

/// Spotify as a kind of provider. A person registers an application of their own there, as Spotify allows no other way
/// for programs that everybody runs.
final class SpotifyAccount: ProviderService {
  static let standardAddress = "https://api.spotify.com"

  private let http: HTTPClient
  private let secrets: ProviderSecrets
  private let now: @Sendable () -> Timestamp
  /// The sign-ins that have begun, by their states.
  private let begun = Mutex<[String: OAuthSignIn]>([:])
  /// The sessions of the providers by their names, which outlive a run: one may have tokens that are not stored yet.
  private let sessions = Mutex<[String: OAuthSession]>([:])

  struct StoredSignIn: Codable {
    var user: String
    var tokens: OAuthTokens
  }

  init(http: HTTPClient, secrets: ProviderSecrets, now: @escaping @Sendable () -> Timestamp = { .now() }) {
    self.http = http
    self.secrets = secrets
    self.now = now
  }

  let kind = Library.ProviderKind.spotify

  /// Returns where one signs in. A server of one's own answers both kinds of calls.
  static func server(_ address: String?) -> OAuthServer {
    let accounts = address ?? "https://accounts.spotify.com"
    var server = OAuthServer(
      title: "Spotify", authorizeAddress: "\(accounts)/authorize", tokenAddress: "\(accounts)/api/token",
      scopes: [
        "playlist-read-private", "playlist-read-collaborative", "playlist-modify-private", "playlist-modify-public",
        "user-library-read", "user-library-modify", "user-follow-read", "user-follow-modify",
      ]
    ) { failure in
      switch failure.kind {
      case .signInFailed: LunaraError("library.signInFailed", failure.message, cause: failure.cause)
      case .signedOut: ProviderError.signedOut("Spotify")
      case .away: LunaraError("library.providerAway", failure.message)
      case .unreadable: ProviderError.unreadable("Spotify")
      }
    }
    server.parameters = [("show_dialog", "true")]
    server.signInTime = Milliseconds(10 * 60_000)
    return server
  }

  private static func failed(_ message: String, cause: String? = nil) -> LunaraError {
    LunaraError("library.signInFailed", message, cause: cause.map { String($0.prefix(100)) })
  }

  func link(_ request: Library.LinkProvider) async throws -> ProviderSignIn {
    let address = try ListenBrainzAccount.checked(request.address)
    let server = Self.server(address)
    guard let redirect = request.redirect else {
      let known = try request.name.flatMap { try secrets.read(StoredSignIn.self, of: $0)?.tokens.clientID }
      guard let client = request.clientID ?? known, !client.isEmpty, client.utf8.count <= 200 else {
        throw LunaraError(
          "library.badProviderSetting", "Spotify needs the client id of your application. \(kind.page) makes one.")
      }
      let signIn = OAuthSignIn(client: .init(id: client), at: now())
      let time = now()
      begun.withLock { begun in
        begun = begun.filter { $0.value.isOpen(at: time, server) }
        begun[signIn.state] = signIn
      }
      return .open(try signIn.address(at: server))
    }
    let state = OAuthSignIn.parameters(of: redirect)["state"] ?? ""
    guard let signIn = begun.withLock({ $0[state] }) else {
      throw Self.failed(
        "This address belongs to no sign-in that waits. Begin again, and give the address within ten minutes.")
    }
    let code = try signIn.code(from: redirect, at: now(), server)
    let tokens = try await OAuthSession.exchange(code, of: signIn, at: server, http: http, now: now())
    begun.withLock { $0[state] = nil }
    let user = try await user(tokens, at: address ?? Self.standardAddress)
    return .done(account: user.name) { [secrets] name in
      try secrets.write(StoredSignIn(user: user.id, tokens: tokens), of: name)
    }
  }

  private func user(_ tokens: OAuthTokens, at address: String) async throws -> (id: String, name: String) {
    let caller = ProviderCaller(title: kind.title, http: http, pacing: .init(linkedAt: now())) { refused in
      if refused != nil { throw Self.failed("Spotify does not accept its own sign-in. Begin again.") }
      return ("Authorization", "Bearer \(tokens.access)")
    }
    let response: HTTPResponse
    do {
      response = try await caller.send(
        HTTPRequest(.reads, url: "\(address)/v1/me", responseLimit: 64 << 10, redirectLimit: 0))
    } catch let error as LunaraError where error.code == "library.providerRefused" {
      throw Self.failed(
        "Spotify does not let this application use the account. On Spotify's page for developers, name the account among the application's users; the application's owner needs Premium.",
        cause: error.message)
    }
    guard let view = JSONView(response.body), let id = view["id"]?.string else {
      throw ProviderError.unreadable(kind.title)
    }
    return (id, view["display_name"]?.string ?? id)
  }

  func forget(_ name: String) async throws { try secrets.remove(name) }

  func connect(_ link: Providers.Connect) async throws -> ProviderConnection {
    guard let kept = try secrets.read(StoredSignIn.self, of: link.name) else {
      throw ProviderError.signedOut(kind.title)
    }
    let session = await session(kept, of: link)
    let caller = ProviderCaller(title: kind.title, http: http, pacing: link.pacing, now: now) { refused in
      let token = refused.map { String($0.dropFirst("Bearer ".count)) }
      return ("Authorization", "Bearer \(try await session.accessToken(insteadOf: token))")
    }
    let provider = SpotifyProvider(
      user: kept.user, address: link.address ?? Self.standardAddress, caller: caller)
    return ProviderConnection(provider: provider) { await caller.pacing }
  }

  /// Returns the session of a provider: the former one, unless the person has signed in since.
  private func session(_ kept: StoredSignIn, of link: Providers.Connect) async -> OAuthSession {
    if let former = sessions.withLock({ $0[link.name] }), await former.tokens == kept.tokens { return former }
    let session = OAuthSession(kept.tokens, at: Self.server(link.address), http: http, now: now) { [secrets] tokens in
      try secrets.write(StoredSignIn(user: kept.user, tokens: tokens), of: link.name)
    }
    sessions.withLock { $0[link.name] = session }
    return session
  }
}

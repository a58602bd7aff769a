import HTTP
import Messages
import Model
import OAuth
import Plugins
import ServiceKit
import Text

/// The accounts that people have at the services of plugins: signing in and out, and the tokens. A plugin gets the
/// token of its own account in its calls, and never the refresh token.
actor PluginAccounts {
  private struct PendingSignIn {
    var id: String
    var signIn: OAuthSignIn
    var server: OAuthServer
  }

  /// The time within which a plugin gets no second new token.
  private static let renewalPause = Milliseconds(10_000)
  /// The most sign-ins that wait for the person.
  private static let signInLimit = 20

  private let services: [AccountService]
  private let store: PluginAccountStore
  private let http: HTTPClient
  private let log: Log
  private let now: @Sendable () -> Timestamp
  /// The sign-ins that have begun, by their states.
  private var begun: [String: PendingSignIn] = [:]
  private var sessions: [String: OAuthSession] = [:]
  /// The times when plugins asked for new tokens.
  private var renewals: [String: Timestamp] = [:]

  init(
    services: [AccountService], store: PluginAccountStore, http: HTTPClient, log: Log,
    now: @escaping @Sendable () -> Timestamp = { .now() }
  ) {
    self.services = services
    self.store = store
    self.http = http
    self.log = log
    self.now = now
  }

  /// Returns the service of a plugin; nil for a plugin that wants no account that is known here.
  nonisolated func service(of file: PluginFile) -> AccountService? {
    guard file.content.settings.authentication == .oauth, var service = service(file.id) else { return nil }
    let scopes = file.content.settings.scopes
    if !scopes.isEmpty { service.server.scopes = scopes }
    return service
  }

  nonisolated func service(_ id: String) -> AccountService? { services.first { $0.id == id } }

  private func required(_ file: PluginFile) throws -> AccountService {
    guard let service = service(of: file) else { throw AccountError.none(file.name) }
    return service
  }

  /// Describes the account of a plugin for people; nil for a plugin that wants none.
  nonisolated func account(of file: PluginFile) -> Resolver.Account? {
    guard let service = service(of: file) else { return nil }
    var (stored, problem): (StoredPluginAccount?, LunaraError?) = (nil, nil)
    do { stored = try store.read(file.id) } catch { problem = LunaraError(error) }
    return Resolver.Account(
      service: service.title, isSignedIn: stored?.tokens != nil, name: stored?.name, since: stored?.signedInAt,
      clientID: stored?.client.id, needsSecret: service.needsSecret, hasSecret: stored?.client.secret != nil,
      redirect: service.server.redirect, page: service.page, problem: problem ?? stored?.problem)
  }

  /// Returns true if somebody is signed in for a plugin.
  nonisolated func isSignedIn(_ id: String) -> Bool {
    // The description of the account says if secrets cannot be read.
    do { return try store.read(id)?.tokens != nil } catch { return false }
  }

  /// Returns true if an application or a sign-in is kept for a plugin. Throws the errors of `CredentialStore`.
  func isKept(_ id: String) throws -> Bool { try store.read(id) != nil }

  // MARK: - Signing in and out

  /// Begins a sign-in, and returns the address that the person opens.
  ///
  /// - Throws: `resolver.noAccount`, `resolver.clientNeeded`.
  func begin(_ request: Resolver.BeginSignIn, for file: PluginFile, setting: String?) throws -> Resolver.SignIn {
    let service = try required(file)
    let former = try store.read(file.id)?.client
    let id = given(request.clientID) ?? former?.id ?? given(setting)
    let secret = given(request.clientSecret) ?? (id == former?.id ? former?.secret : nil)
    guard let id, id.utf8.count <= 200, secret?.utf8.count ?? 0 <= 500, !service.needsSecret || secret != nil else {
      throw LunaraError(
        "resolver.clientNeeded",
        "\(service.title) needs an application of your own: make one at \(service.page) with the redirect address \(service.server.redirect), and give its client id\(service.needsSecret ? " and secret" : "")."
      )
    }
    let client = OAuthClient(id: id, secret: service.needsSecret ? secret : nil)
    let signIn = OAuthSignIn(client: client, at: now())
    begun = begun.filter { $0.value.signIn.isOpen(at: now(), $0.value.server) }
    if begun.count >= Self.signInLimit { begun = [:] }
    begun[signIn.state] = PendingSignIn(id: file.id, signIn: signIn, server: service.server)
    let end = Timestamp(microseconds: now().microseconds + service.server.signInTime.rawValue * 1000)
    return .init(open: try signIn.address(at: service.server), redirect: service.server.redirect, expiresAt: end)
  }

  private func given(_ text: String?) -> String? { text?.trimmed.isEmpty == false ? text?.trimmed : nil }

  /// Finishes a sign-in by the address at which the browser ended.
  ///
  /// - Throws: `resolver.signInFailed`, `resolver.accountAway`, and the errors of `CredentialStore`.
  func finish(_ request: Resolver.FinishSignIn, for file: PluginFile) async throws -> Resolver.Account? {
    let service = try required(file)
    let state = OAuthSignIn.parameters(of: request.redirect)["state"] ?? ""
    guard let known = begun[state], known.id == file.id else {
      throw LunaraError(
        "resolver.signInFailed",
        "This address belongs to no sign-in that waits. Begin again, and give the address within five minutes.")
    }
    let code = try known.signIn.code(from: request.redirect, at: now(), known.server)
    // A code counts once, so a second address with this state is refused from here on.
    begun[state] = nil
    let tokens = try await OAuthSession.exchange(code, of: known.signIn, at: known.server, http: http, now: now())
    let name = await accountName(tokens.access, service)
    sessions[file.id] = nil
    try store.write(
      StoredPluginAccount(client: known.signIn.client, tokens: tokens, name: name, signedInAt: now()), file.id)
    return account(of: file)
  }

  /// Asks for the name of the account; nil if the service does not tell it.
  private func accountName(_ token: String, _ service: AccountService) async -> String? {
    let path = service.id == AccountService.spotify ? "/v1/me" : "/me"
    do {
      let response = try await http.send(
        HTTPRequest(
          .reads, url: service.api + path, headers: [("Authorization", "\(service.scheme) \(token)")],
          timeout: .seconds(10),
          responseLimit: 256 << 10, redirectLimit: 0))
      guard response.status == 200, let view = JSONView(response.body) else { return nil }
      let name = view["display_name"]?.string ?? view["username"]?.string ?? view["id"]?.string
      return name.flatMap { PluginManifest.cleaned($0, 100) }
    } catch {
      log.debug("the name of an account is unknown", ["service": service.id])
      return nil
    }
  }

  /// Forgets the sign-in of a plugin; the client id stays.
  func signOut(_ file: PluginFile) throws -> Resolver.Account? {
    _ = try required(file)
    sessions[file.id] = nil
    if let stored = try store.read(file.id) { try store.write(StoredPluginAccount(client: stored.client), file.id) }
    return account(of: file)
  }

  /// Removes all that is kept of the account of a plugin.
  func remove(_ id: String) throws {
    guard service(id) != nil else { return }
    begun = begun.filter { $0.value.id != id }
    sessions[id] = nil
    try store.write(nil, id)
  }

  // MARK: - Tokens

  /// Returns a token of an account that holds for another minute.
  ///
  /// - Parameter refused: a token that the service has just refused; nil for none.
  /// - Throws: `resolver.signedOut`, `resolver.accountAway`, and the errors of `CredentialStore`.
  func token(of id: String, insteadOf refused: String? = nil) async throws -> String {
    let session = try session(of: id)
    do { return try await session.accessToken(insteadOf: refused) } catch {
      let error = LunaraError(error)
      if error.code == "resolver.signedOut", sessions[id] === session { try revoke(id, error) }
      throw error
    }
  }

  private func session(of id: String) throws -> OAuthSession {
    guard let service = service(id) else { throw AccountError.none(id) }
    if let session = sessions[id] { return session }
    guard let stored = try store.read(id), let tokens = stored.tokens else { throw AccountError.signedOut(service) }
    let session = OAuthSession(tokens, at: service.server, http: http, now: now) { [store] fresh in
      try store.renew(fresh, of: id, signedInAt: stored.signedInAt)
    }
    sessions[id] = session
    return session
  }

  /// Signs an account out that the service no longer accepts.
  private func revoke(_ id: String, _ error: LunaraError) throws {
    sessions[id] = nil
    guard let stored = try store.read(id) else { return }
    log.warning("an account was signed out", ["service": id])
    try store.write(StoredPluginAccount(client: stored.client, name: stored.name, problem: error), id)
  }

  /// Returns the configuration of a plugin's call: its settings, and the token of its account if somebody is signed in.
  func config(of id: String, adding settings: PluginValue) async -> PluginValue {
    guard case .object(var members) = settings, let token = await tokenForPlugin(id) else { return settings }
    members["token"] = .text(token)
    return .object(members)
  }

  /// Returns a new token for a plugin whose token was refused; nil if there is none.
  func renewedToken(of id: String) async -> String? {
    let last = renewals[id]
    let isEarly = last.map { now() - $0 < Self.renewalPause && now() >= $0 } ?? false
    guard !isEarly, let session = sessions[id] else { return await tokenForPlugin(id) }
    renewals[id] = now()
    return await tokenForPlugin(id, insteadOf: await session.tokens.access)
  }

  private func tokenForPlugin(_ id: String, insteadOf refused: String? = nil) async -> String? {
    guard isSignedIn(id) else { return nil }
    do { return try await token(of: id, insteadOf: refused) } catch {
      log.warning("a plugin is called without its account", ["plugin": id, "reason": LunaraError(error).code])
      return nil
    }
  }
}

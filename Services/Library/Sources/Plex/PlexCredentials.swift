import HTTP
import Messages
import Model
import ServiceKit
import Synchronization

/// The part of a sign-in at Plex that is kept in the credential store.
struct PlexCredentials: Codable, Equatable, Sendable {
  /// The id of this household among the account's devices: created once, and kept after a sign-out.
  var identifier: String
  var account: Account?
  var servers: [String: Server] = [:]

  struct Account: Codable, Equatable, Sendable {
    var name: String
    var token: String
  }

  struct Server: Codable, Equatable, Sendable {
    var name: String
    /// The server's own token, which for servers of other people differs from the account's; nil after a sign-out.
    var token: String?
    var places: [PlexConnection.Candidate]
    var lastGood: String?
  }

  /// Stores an account and its servers. Servers that it may no longer use are kept without a token, as their music is
  /// listed.
  mutating func signIn(_ account: Account, _ listed: [PlexCloud.Listing]) {
    self.account = account
    for machine in servers.keys { servers[machine]?.token = nil }
    for each in listed {
      servers[each.machine] = Server(
        name: each.name, token: each.token, places: each.places, lastGood: servers[each.machine]?.lastGood)
    }
  }

  /// Returns the token for a server: its own if it is one of the account's, else the account's.
  func token(of machine: String) -> String? { servers[machine]?.token ?? account?.token }

  mutating func signOut() {
    account = nil
    for machine in servers.keys { servers[machine]?.token = nil }
  }
}

/// The credentials of a sign-in at Plex: the identifier of this household, the account, its servers with their tokens.
///
/// A change of a token takes effect at once in the `PlexServer` values that were made here.
final class PlexCredentialStore: Sendable {
  private struct State {
    var known: PlexCredentials?
    var secrets: [String: PlexSecret] = [:]
    /// The secrets of servers at typed addresses without a token of their own, by machine; "" for an unknown machine.
    var typed: [String: PlexSecret] = [:]
    /// Asks plex.tv for the addresses of a machine.
    var renewing: (@Sendable (String) async -> [PlexConnection.Candidate])?
  }

  let http: HTTPClient
  private let store: CredentialStore
  private let log: Log
  private let state = Mutex(State())
  private static let service = "plex-account"

  init(store: CredentialStore, http: HTTPClient, log: Log) {
    self.store = store
    self.http = http
    self.log = log
  }

  /// Returns the credentials; the first call makes the identifier, so that the household stays one device of the
  /// account. Throws `settings.credentials…`.
  func current() throws -> PlexCredentials { try state.withLock { try current(&$0) } }

  private func current(_ state: inout State) throws -> PlexCredentials {
    if let known = state.known { return known }
    let kept = try store.read(PlexCredentials.self, Self.service)
    let known = kept ?? PlexCredentials(identifier: UniqueID<PlexCredentials>.random().rawValue)
    if kept == nil { try store.write(known, Self.service) }
    state.known = known
    return known
  }

  /// Changes and stores the credentials, and updates the tokens of servers in use. Throws `settings.credentials…`.
  func change(_ body: (inout PlexCredentials) -> Void) throws {
    try state.withLock { state in
      let before = try current(&state)
      var after = before
      body(&after)
      guard after != before else { return }
      try store.write(after, Self.service)
      state.known = after
      for (machine, secret) in state.secrets { secret.text = after.servers[machine]?.token }
      for (machine, secret) in state.typed { secret.text = after.token(of: machine) }
    }
  }

  func device() throws -> PlexDevice { PlexDevice(identifier: try current().identifier) }

  /// Sets the function that asks plex.tv for the addresses of a server that answers at no known one.
  func renew(by body: @escaping @Sendable (String) async -> [PlexConnection.Candidate]) {
    state.withLock { $0.renewing = body }
  }

  /// Returns a server of the account, even after a sign-out; nil for one that never belonged to it.
  func server(_ machine: String) throws -> PlexServer? {
    guard let server = try current().servers[machine] else { return nil }
    let secret = state.withLock { state in
      let secret = state.secrets[machine] ?? PlexSecret(server.token)
      state.secrets[machine] = secret
      return secret
    }
    let endpoint = PlexConnection(
      http: http, name: server.name, machine: machine, places: server.places, lastGood: server.lastGood,
      keep: { [weak self] address in self?.keep(address, of: machine) },
      renew: { [weak self] in await self?.state.withLock { $0.renewing }?(machine) ?? [] })
    return PlexServer(
      client: PlexClient(name: server.name, http: http, device: try device(), token: secret, endpoint: endpoint))
  }

  /// Returns a server at a typed address, with its own token, or else with the one that the sign-in has for it at the
  /// time of a request. `machine` is the server's machine id, if known.
  func server(at address: String, token: String?, machine: String? = nil) throws -> PlexServer {
    let endpoint = PlexTypedEndpoint(PlexAddress(address), expecting: machine, http: http)
    let credentials = try current()
    let secret =
      token.map { PlexSecret($0) }
      ?? state.withLock { state in
        let secret = state.typed[machine ?? ""] ?? PlexSecret(credentials.token(of: machine ?? ""))
        state.typed[machine ?? ""] = secret
        return secret
      }
    return PlexServer(
      client: PlexClient(name: endpoint.name, http: http, device: try device(), token: secret, endpoint: endpoint))
  }

  private func keep(_ address: String, of machine: String) {
    do { try change { $0.servers[machine]?.lastGood = address } } catch { log.warning(error) }
  }
}

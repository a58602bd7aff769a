import HTTP
import Messages
import Model
import ServiceKit
import Synchronization

/// What a sign-in at Plex left: who this household is there, the account, its servers with their tokens.
///
/// Servers that were made here take a new token without being made again.
final class PlexCredentialStore: Sendable {
  private struct State {
    var known: PlexCredentials?
    var secrets: [String: PlexSecret] = [:]
    /// Those of servers at typed addresses that were given no token, by their machine; "" where that is not known.
    var typed: [String: PlexSecret] = [:]
  }

  let http: HTTPClient
  private let store: CredentialStore
  private let log: Log
  private let state = Mutex(State())
  /// Asks where a server is by what the account is told now.
  private let renewing = Mutex<(@Sendable (String) async -> [PlexConnection.Place])?>(nil)

  /// The name of the file in the credential store.
  private static let service = "plex-account"

  init(store: CredentialStore, http: HTTPClient, log: Log) {
    self.store = store
    self.http = http
    self.log = log
  }

  /// What is kept; made at the first question, so that the household stays one device of the account.
  ///
  /// - Throws: `settings.credentials…`.
  func credentials() throws -> PlexCredentials { try state.withLock { try credentials(&$0) } }

  private func credentials(_ state: inout State) throws -> PlexCredentials {
    if let known = state.known { return known }
    let kept = try store.read(PlexCredentials.self, Self.service)
    let known = kept ?? PlexCredentials.new()
    if kept == nil { try store.write(known, Self.service) }
    state.known = known
    return known
  }

  /// Changes what is kept, and gives servers that are in use their tokens.
  ///
  /// - Throws: `settings.credentials…`.
  func change(_ body: (inout PlexCredentials) -> Void) throws {
    try state.withLock { state in
      let before = try credentials(&state)
      var after = before
      body(&after)
      guard after != before else { return }
      try store.write(after, Self.service)
      state.known = after
      for (machine, secret) in state.secrets { secret.text = after.servers[machine]?.token }
      for (machine, secret) in state.typed { secret.text = after.token(of: machine) }
    }
  }

  /// Who this household is among the account's devices.
  func device() throws -> PlexDevice { PlexDevice(identifier: try credentials().identifier) }

  /// Says whom to ask where a server is once it answers nowhere.
  func renew(by body: @escaping @Sendable (String) async -> [PlexConnection.Place]) { renewing.withLock { $0 = body } }

  /// A server that came with a sign-in, be it signed in now or not; nil for one that never did.
  func server(_ machine: String) throws -> PlexServer? {
    guard let server = try credentials().servers[machine] else { return nil }
    let secret = state.withLock { state in
      let secret = state.secrets[machine] ?? PlexSecret(server.token)
      state.secrets[machine] = secret
      return secret
    }
    let place = PlexConnection(
      http: http, name: server.name, machine: machine, places: server.places, lastGood: server.lastGood,
      keep: { [weak self] address in self?.keep(address, of: machine) },
      renew: { [weak self] in await self?.renewing.withLock { $0 }?(machine) ?? [] })
    return PlexServer(
      client: PlexClient(name: server.name, http: http, device: try device(), token: secret, place: place))
  }

  /// A server at a typed address, with its own token or else what a sign-in gives for it, whatever that is at the time.
  /// `machine` is who answers there, where that is known.
  func server(at address: String, token: String?, machine: String? = nil) throws -> PlexServer {
    let place = PlexAddress(address)
    let credentials = try credentials()
    let secret =
      token.map { PlexSecret($0) }
      ?? state.withLock { state in
        let secret = state.typed[machine ?? ""] ?? PlexSecret(credentials.token(of: machine ?? ""))
        state.typed[machine ?? ""] = secret
        return secret
      }
    return PlexServer(
      client: PlexClient(
        name: "The Plex server at \(place.shown)", http: http, device: PlexDevice(identifier: credentials.identifier),
        token: secret, place: place))
  }

  private func keep(_ address: String, of machine: String) {
    do { try change { $0.servers[machine]?.lastGood = address } } catch { log.warning(error) }
  }
}

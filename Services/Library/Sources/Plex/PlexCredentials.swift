import Messages
import Model
import ServiceKit

/// What is kept of a sign-in at Plex, in the credential store.
struct PlexCredentials: Codable, Equatable, Sendable {
  /// This household among the account's devices: made once, and kept over sign-outs.
  var identifier: String
  /// The account that is signed in; nil where none is.
  var account: Account?
  /// Its servers, by their machine's own id.
  var servers: [String: Server] = [:]

  struct Account: Codable, Equatable, Sendable {
    var name: String
    var token: String
  }

  struct Server: Codable, Equatable, Sendable {
    var name: String
    /// The server's own token, which is another than the account's for servers of others; nil after a sign-out.
    var token: String?
    /// Where it may be reached, as it was told last.
    var places: [PlexConnection.Place]
    /// Where it was reached last.
    var lastGood: String?
  }

  /// A household that was never signed in.
  static func new() -> PlexCredentials { PlexCredentials(identifier: UniqueID<PlexCredentials>.random().rawValue) }

  /// Takes in what an account may use. Servers that it no longer may are kept without a token, as their music is known.
  mutating func signIn(_ account: Account, _ listed: [PlexCloud.Listing]) {
    self.account = account
    for machine in servers.keys { servers[machine]?.token = nil }
    for each in listed {
      servers[each.machine] = Server(
        name: each.name, token: each.token, places: each.places, lastGood: servers[each.machine]?.lastGood)
    }
  }

  /// The token for a server that may be one of the account's or not: its own, or else the account's.
  func token(of machine: String) -> String? { servers[machine]?.token ?? account?.token }

  /// Forgets the tokens, and nothing else.
  mutating func signOut() {
    account = nil
    for machine in servers.keys { servers[machine]?.token = nil }
  }
}

import Messages
import Model
import ServiceKit

/// Plex as a kind of source.
extension PlexServer {
  static let kind = "plex"

  static let sourceKind = Library.SourceKind(
    kind: kind, title: "Plex", hint: "You sign in at plex.tv, and the servers of your account become sources.",
    signIn: [.link, .token],
    settings: [
      .init(
        key: "address", title: "Address", meaning: "the server's address, such as http://10.0.0.2:32400",
        name: "LUNARA_PLEX_URL", isRequired: true),
      .init(
        key: "secret", title: "Token", meaning: "its token; empty for the account that is signed in",
        name: "LUNARA_PLEX_TOKEN", isSecret: true),
    ], capabilities: [.ratings, .plays, .nowPlaying, .playlists, .notifications])

  /// The prefix of the address of a source that came with a sign-in: such a server is found by its machine, at whichever
  /// address answers.
  private static let accountPrefix = "account:"

  /// Describes Plex; servers that are made here share one set of credentials.
  static func descriptor(in environment: SourceKinds.Environment) -> SourceDescriptor {
    let credentials = PlexCredentialStore(
      store: environment.credentials, http: environment.http, log: environment.log)
    let (cloud, log) = (environment.settings["LUNARA_PLEX_CLOUD"], environment.log)
    return SourceDescriptor(
      sourceKind, settings: environment.settings, check: PlexAddress.check,
      account: { PlexAccount(credentials: credentials, cloudBase: cloud, log: log, adopt: $0) },
      connect: { try server(of: $0, secret: $1, credentials) })
  }

  private static func server(
    of record: SourceRecord, secret: String?, _ credentials: PlexCredentialStore
  ) throws -> PlexServer {
    guard let address = record.address else { throw SourceError.badAddress(kind, "") }
    guard let machine = machine(in: address) else {
      try PlexAddress.check(address)
      return try credentials.server(at: address, token: secret, machine: record.machine)
    }
    guard let server = try credentials.server(machine) else {
      throw PlexError.signedOut("The Plex server of the source \(record.name)")
    }
    return server
  }

  /// Returns the address of a server that came with a sign-in.
  static func address(of machine: String) -> String { accountPrefix + machine }

  private static func machine(in address: String) -> String? {
    address.hasPrefix(accountPrefix) ? String(address.dropFirst(accountPrefix.count)) : nil
  }
}

import Messages
import Model
import ServiceKit

/// Plex as a kind of source.
enum PlexSource {
  /// What stands before a machine's id in the address of a source that came with a sign-in: such a server is found by
  /// who it is, not by where.
  private static let account = "account:"

  /// How servers of this kind are made.
  static func kind(_ keyring: PlexCredentialStore, _ settings: Settings) -> SourceDescriptor {
    let setup = settings["LUNARA_PLEX_URL"].map {
      SourceDescriptor.Setup(address: $0, account: nil, secret: settings["LUNARA_PLEX_TOKEN"])
    }
    return SourceDescriptor(name: PlexServer.kind, setup: setup, check: PlexAddress.check) { record, secret in
      guard let address = record.address else { throw SourceError.badAddress(PlexServer.kind, "") }
      guard let machine = machine(in: address) else {
        try PlexAddress.check(address)
        return try keyring.server(at: address, token: secret, machine: record.machine)
      }
      guard let server = try keyring.server(machine) else {
        throw PlexError.signedOut("The Plex server of the source \(record.name)")
      }
      return server
    }
  }

  /// The address of a server that came with a sign-in.
  static func address(of machine: String) -> String { account + machine }

  private static func machine(in address: String) -> String? {
    address.hasPrefix(account) ? String(address.dropFirst(account.count)) : nil
  }
}

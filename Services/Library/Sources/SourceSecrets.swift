import Messages
import ServiceKit

/// The secrets of sources that a person added, in the credential store: a file a source.
struct StoredSecrets: SecretStore {
  private struct Kept: Codable { var secret: String }

  let store: CredentialStore

  func secret(of source: String) throws -> String? { try store.read(Kept.self, Self.file(source))?.secret }

  func keep(_ secret: String?, of source: String) throws {
    if let secret {
      try store.write(Kept(secret: secret), Self.file(source))
    } else {
      try store.remove(Self.file(source))
    }
  }

  /// Names of sources are of letters, digits and dashes; a sign-in's own file has none that begins like this.
  private static func file(_ source: String) -> String { "source-\(source)" }
}

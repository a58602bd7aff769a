package import ServiceKit

/// The secrets of sources that a person added, in the credential store: a file a source.
package struct SourceSecrets: Sendable {
  private struct StoredSecret: Codable { var secret: String }

  let store: CredentialStore

  package init(store: CredentialStore) {
    self.store = store
  }

  func secret(of source: String) throws -> String? { try store.read(StoredSecret.self, Self.file(source))?.secret }

  /// Stores a secret; nil removes it.
  func keep(_ secret: String?, of source: String) throws {
    if let secret {
      try store.write(StoredSecret(secret: secret), Self.file(source))
    } else {
      try store.remove(Self.file(source))
    }
  }

  /// Returns the file name of a source's secret. Names of sources hold only letters, digits and dashes; the files of
  /// sign-ins do not begin with `source-`.
  private static func file(_ source: String) -> String { "source-\(source)" }
}

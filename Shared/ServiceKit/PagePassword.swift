public import Bus

/// The password of the page: `lunara web password` sets it, the service asks for it. Only its hash is kept, among the
/// household's credentials.
public struct PagePassword: Codable, Hashable, Sendable {
  /// How many characters it has at least.
  public static let shortest = 8
  /// How many bytes it has at most.
  public static let longest = 1024
  private static let service = "web"

  /// Its hash.
  public var hash: PasswordHash

  /// Takes a password's hash.
  public init(hash: PasswordHash) { self.hash = hash }

  /// The password of a home folder; nil where none is set.
  ///
  /// - Throws: `settings.credentialsUnsafe`, `settings.credentialsDamaged`, `settings.credentialsUnwritable`.
  public static func read(home: String) throws -> PagePassword? {
    try CredentialStore(home: home).read(PagePassword.self, service)
  }

  /// Keeps it in a home folder, for this user alone. Whoever was signed in with another is signed out by that.
  ///
  /// - Throws: `settings.credentialsUnsafe`, `settings.credentialsUnwritable`.
  public func write(home: String) throws { try CredentialStore(home: home).write(self, Self.service) }
}

import Model
import ServiceKit
import Synchronization

/// A token, key or password. Printing or dumping it never shows its text.
struct Secret: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
  let text: String

  init(_ text: String) { self.text = text }

  var description: String { "a secret" }
  var customMirror: Mirror { Mirror(self, children: []) }
}

/// The credentials of one account; each service uses some of them.
struct Credentials: Codable, Equatable, Sendable {
  var token: String?
  /// The session of Last.fm's protocol, the API key with which it was made, and the key's secret.
  var session: String?
  var key: String?
  var secret: String?
}

/// The credentials of all accounts, in the credential store.
final class AccountCredentials: Sendable {
  private struct Contents: Codable {
    var accounts: [String: Credentials] = [:]
  }

  private static let file = "scrobble-accounts"
  private let store: CredentialStore
  private let lock = Mutex(())

  init(store: CredentialStore) { self.store = store }

  /// Returns the credentials of an account, named `service/name`; nil if it has none. Throws `settings.credentials…`.
  func read(_ account: String) throws -> Credentials? {
    try lock.withLock { _ in try store.read(Contents.self, Self.file)?.accounts[account] }
  }

  /// Stores the credentials of an account; nil deletes them. Throws `settings.credentials…`.
  func write(_ credentials: Credentials?, of account: String) throws {
    try lock.withLock { _ in
      var contents = try store.read(Contents.self, Self.file) ?? Contents()
      contents.accounts[account] = credentials
      try store.write(contents, Self.file)
    }
  }
}

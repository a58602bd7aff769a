import Model
import ServiceKit
import Synchronization

/// The secrets of accounts, in the credential store.
final class Keyring: Sendable {
  /// What is kept of one account.
  struct Entry: Codable, Equatable, Sendable {
    /// Of ListenBrainz.
    var token: String?
    /// Of Last.fm's protocol: the session, and the key it was made with, without which it is worth nothing.
    var session: String?
    var key: String?
    var secret: String?
  }

  private struct Contents: Codable {
    var accounts: [String: Entry] = [:]
  }

  private static let file = "scrobble-accounts"
  private let store: CredentialStore
  private let lock = Mutex(())

  init(store: CredentialStore) { self.store = store }

  /// What is kept of an account, named `service/name`; nil where nothing is.
  ///
  /// - Throws: `settings.credentials…`.
  func entry(_ account: String) throws -> Entry? {
    try lock.withLock { _ in try store.read(Contents.self, Self.file)?.accounts[account] }
  }

  /// Keeps the secrets of an account; nil forgets them.
  ///
  /// - Throws: `settings.credentials…`.
  func set(_ entry: Entry?, of account: String) throws {
    try lock.withLock { _ in
      var contents = try store.read(Contents.self, Self.file) ?? Contents()
      contents.accounts[account] = entry
      try store.write(contents, Self.file)
    }
  }
}

import Model
import OAuth
import ServiceKit
import Synchronization

/// An account as it is stored among the secrets of the household.
struct StoredPluginAccount: Codable, Hashable, Sendable {
  var client: OAuthClient
  /// The tokens; nil if nobody is signed in.
  var tokens: OAuthTokens?
  /// The name of the account at the service; nil if unknown.
  var name: String?
  /// The time of the sign-in; nil if nobody is signed in.
  var signedInAt: Timestamp?
  /// The reason why the account was signed out; nil if a person signed out, or nobody ever signed in.
  var problem: LunaraError?
}

/// Reads and writes the accounts of plugins, one file for each.
final class PluginAccountStore: Sendable {
  private let credentials: CredentialStore
  /// The accounts that were read or written; nil for none.
  private let known = Mutex<[String: StoredPluginAccount?]>([:])

  init(credentials: CredentialStore) { self.credentials = credentials }

  private static func file(_ id: String) -> String { "account-\(id)" }

  /// Returns an account; nil if there is none. Throws the errors of `CredentialStore`.
  func read(_ id: String) throws -> StoredPluginAccount? {
    try known.withLock { known in
      if let account = known[id] { return account }
      let account = try credentials.read(StoredPluginAccount.self, Self.file(id))
      known[id] = .some(account)
      return account
    }
  }

  /// Stores an account; nil removes it. Throws the errors of `CredentialStore`.
  func write(_ account: StoredPluginAccount?, _ id: String) throws {
    try known.withLock { known in
      if let account {
        try credentials.write(account, Self.file(id))
      } else {
        try credentials.remove(Self.file(id))
      }
      known[id] = .some(account)
    }
  }

  /// Stores fresh tokens of a sign-in. Does nothing if the person has signed out or in again meanwhile.
  func renew(_ tokens: OAuthTokens, of id: String, signedInAt: Timestamp?) throws {
    try known.withLock { known in
      guard case .some(.some(var account)) = known[id], account.tokens != nil, account.signedInAt == signedInAt else {
        return
      }
      account.tokens = tokens
      try credentials.write(account, Self.file(id))
      known[id] = .some(account)
    }
  }
}

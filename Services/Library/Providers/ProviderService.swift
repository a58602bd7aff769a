import HTTP
package import Messages
import Model
package import ServiceKit
import Sync

/// A kind of provider: how people link it, and how the library talks to it.
package protocol ProviderService: Sendable {
  var kind: Library.ProviderKind { get }

  /// Signs in. Throws `library.signedOut`, `library.providerAway`, `library.badProviderSetting`.
  func link(_ request: Library.LinkProvider) async throws -> ProviderSignIn

  /// Makes the connection for one run. Throws `library.signedOut` where there is no secret, and the errors of
  /// `CredentialStore`.
  func connect(_ record: ProviderRecord) async throws -> ProviderConnection
}

/// The result of signing in.
package enum ProviderSignIn: Sendable {
  /// The person opens this address, and gives the one at which that ends with a second request.
  case open(String)
  /// The person is signed in. `keep` stores the secrets under the name that the provider gets.
  case done(account: String?, keep: @Sendable (_ name: String) throws -> Void)
}

/// The connection to a provider for one run.
package struct ProviderConnection: Sendable {
  var provider: any ListProvider
  /// Returns what the provider's answers so far ask for.
  var pacing: @Sendable () async -> ProviderPacing
}

/// The secrets of providers, in the credential store: a file for each.
package struct ProviderSecrets: Sendable {
  let store: CredentialStore

  package init(store: CredentialStore) {
    self.store = store
  }

  func read<Value: Decodable>(_ type: Value.Type, of provider: String) throws -> Value? {
    try store.read(type, Self.file(provider))
  }

  func write(_ value: some Encodable, of provider: String) throws { try store.write(value, Self.file(provider)) }

  func remove(_ provider: String) throws { try store.remove(Self.file(provider)) }

  private static func file(_ provider: String) -> String { "provider-\(provider)" }
}

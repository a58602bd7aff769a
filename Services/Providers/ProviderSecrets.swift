import ServiceKit

/// The secrets of providers, in the credential store: a file for each.
struct ProviderSecrets: Sendable {
  let store: CredentialStore

  func read<Value: Decodable>(_ type: Value.Type, of provider: String) throws -> Value? {
    try store.read(type, Self.file(provider))
  }

  func write(_ value: some Encodable, of provider: String) throws { try store.write(value, Self.file(provider)) }

  func remove(_ provider: String) throws { try store.remove(Self.file(provider)) }

  private static func file(_ provider: String) -> String { "provider-\(provider)" }
}

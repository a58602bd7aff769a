import HTTP
import Messages
import Model
import ServiceKit
import Sync

/// ListenBrainz as a kind of provider.
struct ListenBrainzAccount: ProviderService {
  static let standardAddress = "https://api.listenbrainz.org"

  let http: HTTPClient
  let secrets: ProviderSecrets
  /// The base address and the token that the settings give.
  var settings: (address: String?, token: String?) = (nil, nil)

  private struct StoredToken: Codable { var token: String }

  let kind = Library.ProviderKind.listenBrainz

  init(http: HTTPClient, secrets: ProviderSecrets, settings: (address: String?, token: String?) = (nil, nil)) {
    self.http = http
    self.secrets = secrets
    self.settings = settings
  }

  func link(_ request: Library.LinkProvider) async throws -> ProviderSignIn {
    let address = try Self.checked(request.address) ?? settings.address ?? Self.standardAddress
    guard let token = try request.token ?? settings.token ?? sharedToken(address) else {
      throw LunaraError("library.tokenNeeded", "ListenBrainz needs the token that \(kind.page) shows.")
    }
    guard let user = try await ListenBrainzProvider.user(of: token, address: address, http: http) else {
      throw LunaraError("library.signedOut", "ListenBrainz does not know this token. Copy it again from \(kind.page).")
    }
    return .done(account: user) { [secrets] in try secrets.write(StoredToken(token: token), of: $0) }
  }

  func forget(_ name: String) async throws { try secrets.remove(name) }

  func connect(_ link: Providers.Connect) async throws -> ProviderConnection {
    guard let kept = try secrets.read(StoredToken.self, of: link.name), let user = link.account else {
      throw ProviderError.signedOut(kind.title)
    }
    let address = link.address ?? settings.address ?? Self.standardAddress
    let caller = ProviderCaller(title: kind.title, http: http, pacing: link.pacing) { refused in
      if refused != nil { throw ProviderError.signedOut("ListenBrainz") }
      return ("Authorization", "Token \(kept.token)")
    }
    return ProviderConnection(provider: ListenBrainzProvider(user: user, address: address, caller: caller)) {
      await caller.pacing
    }
  }

  /// Returns the address and the token of the account that scrobbles; nil if none is known here.
  func scrobbling() throws -> (address: String, token: String?) {
    let address = settings.address ?? Self.standardAddress
    return (address, try settings.token ?? sharedToken(address))
  }

  /// Returns the token with which the household's scrobbler signed in at this address, if it keeps its secrets here.
  private func sharedToken(_ address: String) throws -> String? {
    struct Accounts: Decodable {
      struct Credentials: Decodable { var token: String? }
      var accounts: [String: Credentials]
    }
    guard address == Self.standardAddress else { return nil }
    let accounts = try secrets.store.read(Accounts.self, "scrobble-accounts")?.accounts ?? [:]
    return accounts.filter { $0.key.hasPrefix("listenbrainz/") && $0.value.token != nil }
      .min { $0.key < $1.key }?.value.token
  }

  /// Returns a base address without a final slash. Throws `library.badProviderSetting`.
  static func checked(_ address: String?) throws -> String? {
    guard let address, !address.isEmpty else { return nil }
    guard let base = HTTPBaseAddress(address)?.base else {
      throw LunaraError(
        "library.badProviderSetting", "\(address) is no address of a server. It begins with https:// or http://.")
    }
    return base
  }
}

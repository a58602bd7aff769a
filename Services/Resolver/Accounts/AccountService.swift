import HTTP
import Model
import OAuth

/// A service at which people sign in for a plugin. The plugin has the service's name as its id.
struct AccountService: Sendable {
  /// The id of the plugin.
  var id: String
  /// The server at which people sign in.
  var server: OAuthServer
  /// The address of the service's interface.
  var api: String
  /// The word before the token in the header `Authorization`.
  var scheme: String
  /// True for a service whose applications have a secret.
  var needsSecret: Bool
  /// The page at which a person registers an application.
  var page: String

  var title: String { server.title }

  static let spotify = "spotify"
  static let soundCloud = "soundcloud"

  /// Returns the services.
  ///
  /// - Parameter setting: returns the value of a setting, by which another server takes a service's place.
  static func all(_ setting: (String) -> String? = { _ in nil }) -> [AccountService] {
    [makeSpotify(address(setting("LUNARA_SPOTIFY_URL"))), makeSoundCloud(address(setting("LUNARA_SOUNDCLOUD_URL")))]
  }

  private static func address(_ setting: String?) -> String? { setting.flatMap { HTTPBaseAddress($0)?.base } }

  private static func makeSpotify(_ address: String?) -> AccountService {
    let accounts = address ?? "https://accounts.spotify.com"
    var server = OAuthServer(
      title: "Spotify", authorizeAddress: "\(accounts)/authorize", tokenAddress: "\(accounts)/api/token",
      // Those that its plugin names take their place.
      scopes: ["user-read-playback-state", "user-modify-playback-state", "user-read-private"]
    ) { AccountError.from($0, spotify) }
    server.parameters = [("show_dialog", "true")]
    return AccountService(
      id: spotify, server: server, api: address ?? "https://api.spotify.com", scheme: "Bearer", needsSecret: false,
      page: "https://developer.spotify.com/dashboard")
  }

  private static func makeSoundCloud(_ address: String?) -> AccountService {
    let accounts = address ?? "https://secure.soundcloud.com"
    var server = OAuthServer(
      title: "SoundCloud", authorizeAddress: "\(accounts)/authorize", tokenAddress: "\(accounts)/oauth/token",
      scopes: []
    ) { AccountError.from($0, soundCloud) }
    server.redirect += "/soundcloud"
    server.renewalAge = Milliseconds(7 * 86_400_000)
    return AccountService(
      id: soundCloud, server: server, api: address ?? "https://api.soundcloud.com", scheme: "OAuth",
      needsSecret: true, page: "https://soundcloud.com/you/apps")
  }
}

/// The errors of accounts.
enum AccountError {
  /// Translates a failure of a sign-in or a refresh at the service of the plugin `id`.
  static func from(_ failure: OAuthFailure, _ id: String) -> LunaraError {
    switch failure.kind {
    case .signInFailed: LunaraError("resolver.signInFailed", failure.message, cause: failure.cause)
    case .signedOut:
      LunaraError("resolver.signedOut", "\(failure.message) `lunara login \(id)` does that.", cause: failure.cause)
    case .away, .unreadable: LunaraError("resolver.accountAway", failure.message, cause: failure.cause)
    }
  }

  static func signedOut(_ service: AccountService) -> LunaraError {
    LunaraError(
      "resolver.signedOut", "Nobody is signed in at \(service.title). `lunara login \(service.id)` does that.")
  }

  static func none(_ name: String) -> LunaraError {
    LunaraError(
      "resolver.noAccount",
      "\(name) has no account at which one can sign in here. That is so for the plugins spotify and soundcloud.")
  }

  static func away(_ service: AccountService, _ reason: String) -> LunaraError {
    LunaraError("resolver.accountAway", "\(service.title) cannot be asked at the moment: \(reason).")
  }
}

/// The services, clock and pauses of plugin accounts.
struct AccountSetup: Sendable {
  var services = AccountService.all()
  var now: @Sendable () -> Timestamp = { .now() }
  var sleep: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
}

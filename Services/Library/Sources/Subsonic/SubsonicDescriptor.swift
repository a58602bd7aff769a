import HTTP
import Messages
import Model

/// OpenSubsonic as a kind of source.
extension SubsonicServer {
  static let kind = "subsonic"

  static let sourceKind = Library.SourceKind(
    kind: kind, title: "Subsonic", hint: "A server that speaks the Subsonic protocol, such as Navidrome or gonic.",
    signIn: [.password, .token],
    settings: [
      .init(
        key: "address", title: "Address", meaning: "the server's address, such as http://nas:4533",
        name: "LUNARA_SUBSONIC_URL", isRequired: true),
      .init(
        key: "user", title: "User", meaning: "the user there; without one the password is an API key",
        name: "LUNARA_SUBSONIC_USER"),
      .init(
        key: "secret", title: "Password", meaning: "the user's password, or an API key",
        name: "LUNARA_SUBSONIC_PASSWORD", isSecret: true, isRequired: true),
      .init(
        key: SourceSettings.forwardsPlays, title: "Tell it what was heard",
        meaning: "tells the server of plays, which it may scrobble once more", isSwitch: true),
      .init(
        key: SourceSettings.exposesPassword, title: "Send the password unencrypted",
        meaning: "for a server without https that takes nothing but the password itself", isSwitch: true),
    ], capabilities: [.ratings, .plays, .nowPlaying, .playlists])

  /// Describes Subsonic; all connections share one HTTP client.
  static func descriptor(in environment: SourceKinds.Environment) -> SourceDescriptor {
    let http = environment.http
    return SourceDescriptor(
      sourceKind, settings: environment.settings, check: { _ = try SubsonicAddress($0) },
      connect: { record, secret in
        let address = try SubsonicAddress(record.address ?? "")
        guard let secret else { throw SubsonicError.signedOut(address.server, "no password or key is known") }
        let settings = try SourceSettings(record.settings)
        // With a user the secret is a password.
        let client = SubsonicClient(
          address, record.account.map { .password(user: $0, password: secret) } ?? .apiKey(secret),
          hasConsent: settings.isOn(SourceSettings.exposesPassword), http: http)
        return SubsonicServer(client: client, forwardsPlays: settings.isOn(SourceSettings.forwardsPlays))
      })
  }
}

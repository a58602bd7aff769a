import Messages
import Model
import TestSupport

/// Kinds of sources and scrobble services, as the library and the scrobbler describe them. The program has no special
/// code for the kind `tape`.
extension Sample {
  static let sourceKinds: [Library.SourceKind] = [
    .init(kind: "files", title: "Folders", settings: [address]),
    .init(
      kind: "plex", title: "Plex", signIn: [.link, .token],
      settings: [
        address,
        .init(key: "secret", title: "Token", meaning: "its token", name: "LUNARA_PLEX_TOKEN", isSecret: true),
      ]),
    .init(
      kind: "subsonic", title: "Subsonic", signIn: [.password, .token],
      settings: [
        address, .init(key: "user", title: "User", meaning: "the user there"),
        .init(
          key: "secret", title: "Password", meaning: "the password", name: "LUNARA_SUBSONIC_PASSWORD", isSecret: true),
      ]),
    .init(
      kind: "tape", title: "Tape", signIn: [.token],
      settings: [
        address, .init(key: "secret", title: "Key", meaning: "its key", name: "LUNARA_TAPE_KEY", isSecret: true),
        .init(key: "side", title: "Side", meaning: "which side"),
        .init(key: "loud", title: "Loud", meaning: "if it is loud", isSwitch: true),
      ]),
  ]

  private static let address = Library.SourceSetting(
    key: "address", title: "Address", meaning: "where it is", isRequired: true)

  static let scrobbleServices: [Scrobble.ServiceDescriptor] = [
    .init(
      kind: "lastfm", title: "Last.fm", address: "https://ws.audioscrobbler.com/2.0/", signIn: [.link, .password],
      settings: [], capabilities: [.loves]),
    .init(
      kind: "listenbrainz", title: "ListenBrainz", address: "https://api.listenbrainz.org", signIn: [.token],
      page: "https://listenbrainz.org/settings/", settings: [], capabilities: []),
  ]
}

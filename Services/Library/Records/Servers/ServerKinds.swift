package import Messages
import Model

/// The kinds of servers whose playlists can be edited, as people see them. The catalogue knows these by name; any other
/// kind describes itself in its own folder of `Sources`.
extension Library.SourceKind {
  package static let plex = Library.SourceKind(
    kind: "plex", title: "Plex", hint: "You sign in at plex.tv, and the servers of your account become sources.",
    signIn: [.link, .token],
    settings: [
      .init(
        key: "address", title: "Address", meaning: "the server's address, such as http://10.0.0.2:32400",
        name: "LUNARA_PLEX_URL", isRequired: true),
      .init(
        key: "secret", title: "Token", meaning: "its token; empty for the account that is signed in",
        name: "LUNARA_PLEX_TOKEN", isSecret: true),
    ], capabilities: [.ratings, .plays, .nowPlaying, .playlists, .playlistEdits, .notifications])

  package static let subsonic = Library.SourceKind(
    kind: "subsonic", title: "Subsonic",
    hint: "A server that speaks the Subsonic protocol, such as Navidrome or gonic.",
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
        key: SourceSettings.forwardsPlays, title: "Send plays to the server",
        meaning: "counts your plays at the server, which may scrobble them a second time", isSwitch: true),
      .init(
        key: SourceSettings.exposesPassword, title: "Send the password unencrypted",
        meaning: "for a server without https that takes nothing but the password itself", isSwitch: true),
    ], capabilities: [.ratings, .plays, .nowPlaying, .playlists, .playlistEdits])

  package static let withPlaylistEdits = [plex, subsonic]
}

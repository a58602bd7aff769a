import Model

/// What this household tells Plex about itself with every request.
struct PlexDevice: Hashable, Sendable {
  /// Made once and kept: Plex lists signed-in devices by it.
  var identifier: String
  /// What people see among the devices of their account.
  var name = "Lunara"

  /// The headers of a request, without a token.
  var headers: [(String, String)] {
    [
      ("Accept", "application/json"), ("X-Plex-Client-Identifier", identifier), ("X-Plex-Product", "Lunara"),
      ("X-Plex-Version", LunaraVersion.current), ("X-Plex-Platform", "Linux"), ("X-Plex-Device", "Linux"),
      ("X-Plex-Device-Name", name), ("X-Plex-Model", "hosted"),
    ]
  }
}

public import Messages
public import Model

extension Library.ProviderKind {
  /// ListenBrainz.
  public static let listenBrainz = Library.ProviderKind(
    kind: "listenbrainz", title: "ListenBrainz", signIn: .token,
    hint:
      "Your token is on your settings page at ListenBrainz. If this household already signed in there, none is needed.",
    page: "https://listenbrainz.org/settings/",
    parts: [
      Library.ProviderPart(part: .playlists, way: .pull, ways: [.pull, .push, .both]),
      Library.ProviderPart(part: .liked, way: .pull, ways: [.pull, .push, .both]),
    ])

  /// Spotify.
  public static let spotify = Library.ProviderKind(
    kind: "spotify", title: "Spotify", signIn: .link,
    hint:
      "Make an application on Spotify's page for developers, with the redirect address http://127.0.0.1:8888/callback, and give its client id. Spotify asks its owner to have Premium.",
    page: "https://developer.spotify.com/dashboard",
    parts: [
      Library.ProviderPart(part: .playlists, way: .pull, ways: [.pull, .push, .both]),
      Library.ProviderPart(part: .liked, way: .pull, ways: [.pull, .push, .both]),
      Library.ProviderPart(part: .albums, way: .pull, ways: [.pull, .both]),
      Library.ProviderPart(part: .artists, way: .off, ways: [.pull, .both]),
    ])

  /// The kinds that can be linked, in the order in which to offer them.
  public static let all = [listenBrainz, spotify]

  /// Returns the id that a provider of this kind gives a track, as far as it is known without asking it.
  public func known(_ track: DescribedTrack) -> String? {
    switch kind {
    case Self.listenBrainz.kind: track.recordingID.flatMap(RecordingCodes.recordingID)
    case Self.spotify.kind: track.location.flatMap(SpotifyID.init(location:))?.text
    default: nil
    }
  }
}

/// The id of something at Spotify: 22 letters and digits.
public struct SpotifyID: Hashable, Sendable {
  /// The id.
  public let text: String

  /// Creates an id; nil for other text.
  public init?(_ text: some StringProtocol) {
    guard text.utf8.count == 22, text.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) }) else { return nil }
    self.text = String(text)
  }

  /// Reads the id of a track from its address; nil for other addresses.
  public init?(location: String) {
    let (site, name) = ("https://open.spotify.com/", "spotify:track:")
    if location.hasPrefix(name) {
      self.init(location.dropFirst(name.count))
      return
    }
    guard location.hasPrefix(site) else { return nil }
    var parts = location.dropFirst(site.count).prefix { $0 != "?" && $0 != "#" }.split(separator: "/")
    // Addresses that people share have their language in front.
    if parts.first?.hasPrefix("intl-") == true { parts.removeFirst() }
    guard parts.count == 2, parts[0] == "track" else { return nil }
    self.init(parts[1])
  }
}

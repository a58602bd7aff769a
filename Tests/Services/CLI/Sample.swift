import Messages
import Model

/// Albums, tracks and rooms for tests.
enum Sample {
  static let moment = Timestamp(seconds: 1_700_000_000)

  static func album(_ id: String, _ title: String) -> Album {
    Album(
      id: AlbumID(source: "files", native: id), title: title, artist: "Nova", artistID: nil, year: 2020,
      genres: ["Electronic"], trackCount: 5, duration: Milliseconds(240_500), addedAt: moment, art: nil)
  }

  static func track(_ id: String, _ title: String, number: Int? = 1) -> Track {
    Track(
      id: TrackID(source: "files", native: id), albumID: AlbumID(source: "files", native: "a1"), title: title,
      artist: "Nova", albumArtist: "Nova", album: "Night Lines", number: number, duration: Milliseconds(60_000))
  }

  static func item(_ entry: String, _ title: String) -> QueueItem {
    QueueItem(
      entry: EntryID(rawValue: entry), track: track("t-\(entry)", title), origin: QueueItem.Origin(node: "web@main"))
  }

  static func room(
    _ name: String, _ state: PlaybackState, item: QueueItem? = nil, offset: Int64 = 0, rate: Double = 0
  ) -> Playback.RoomState {
    Playback.RoomState(
      room: RoomName(from: name), state: state, item: item,
      position: Position(offset: Milliseconds(offset), rate: rate, takenAt: moment),
      duration: item?.track.duration, volume: 80, queueRevision: 3)
  }
}

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

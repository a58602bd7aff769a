public import Messages
public import Model

/// Albums, tracks and rooms for tests.
public enum Sample {
  public static let moment = Timestamp(seconds: 1_700_000_000)

  public static func album(_ id: String, _ title: String) -> Album {
    Album(
      id: AlbumID(source: "files", native: id), title: title, artist: "Nova", artistID: nil, year: 2020,
      genres: ["Electronic"], trackCount: 5, duration: Milliseconds(240_500), addedAt: moment, art: nil)
  }

  public static func track(_ id: String, _ title: String, number: Int? = 1) -> Track {
    Track(
      id: TrackID(source: "files", native: id), albumID: AlbumID(source: "files", native: "a1"), title: title,
      artist: "Nova", albumArtist: "Nova", album: "Night Lines", number: number, duration: Milliseconds(60_000))
  }

  public static func item(_ entry: String, _ title: String) -> QueueItem {
    QueueItem(
      entry: EntryID(rawValue: entry), track: track("t-\(entry)", title), origin: QueueItem.Origin(node: "web@main"))
  }

  public static func room(
    _ name: String, _ state: PlaybackState, item: QueueItem? = nil, offset: Int64 = 0, rate: Double = 0
  ) -> Playback.RoomState {
    Playback.RoomState(
      room: RoomName(from: name), state: state, item: item,
      position: Position(offset: Milliseconds(offset), rate: rate, takenAt: moment),
      duration: item?.track.duration, volume: 80, queueRevision: 3)
  }
}

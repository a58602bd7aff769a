import Messages
import Model

/// A track of a small album, by its number.
func track(_ number: Int, title: String? = nil, duration: Milliseconds = Milliseconds(200_000)) -> Track {
  Track(
    id: TrackID(source: "files", native: "t\(number)"), albumID: AlbumID(source: "files", native: "a1"),
    title: title ?? "Track \(number)", artist: "Ada", albumArtist: "Ada & Band", album: "First Light", disc: 1,
    number: number, genres: ["Folk", "Jazz"], duration: duration, art: ArtID(source: "files", native: "c1"))
}

func item(_ number: Int, entry: String? = nil, title: String? = nil) -> QueueItem {
  QueueItem(
    entry: EntryID(rawValue: entry ?? "e\(number)"), track: track(number, title: title),
    origin: QueueItem.Origin(node: "web@main"))
}

func room(_ text: String) -> RoomName { RoomName(from: text) }

func roomState(
  _ state: PlaybackState, item: QueueItem?, at offset: Milliseconds = .zero, volume: Int = 80,
  duration: Milliseconds? = nil
) -> Playback.RoomState {
  Playback.RoomState(
    room: room("kitchen"), state: state, item: item,
    position: Position(offset: offset, rate: state == .playing ? 1 : 0, takenAt: Timestamp(seconds: 1_700_000_000)),
    duration: duration ?? item?.track.duration, volume: volume, queueRevision: 1)
}

func queueState(current: Int?, count: Int) -> Playback.QueueState {
  Playback.QueueState(
    revision: 1, count: count, current: current, first: 0, items: (0..<min(count, 50)).map { item($0) })
}

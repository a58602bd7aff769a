import Messages
import Model

/// A listen to a track of a given length, the `number`th of an evening.
func subject(_ listen: String, _ number: Int = 0, duration: Milliseconds = Milliseconds(200_000))
  -> Playback.ListenSubject
{
  let track = Track(
    id: TrackID(source: "files", native: "t\(number)"), albumID: AlbumID(source: "files", native: "a1"),
    title: "Track \(number)", artist: "Ada", albumArtist: "Various", album: "First Light", number: number,
    duration: duration, recordingID: "b1a9c0e9-d987-4042-ae91-78d6a3267d69")
  return Playback.ListenSubject(
    listen: ListenID(rawValue: listen), room: RoomName(from: "den"),
    item: QueueItem(
      entry: EntryID(rawValue: "e\(number)"), track: track, path: LocalPath("/music/\(number).flac"), host: "host-1",
      origin: QueueItem.Origin(node: "web@main")),
    startedAt: Timestamp(seconds: 1_700_000_000 + Int64(number) * 240))
}

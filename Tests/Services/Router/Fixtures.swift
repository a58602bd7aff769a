import Messages
import Model

/// A track and its file on the library's host.
func anyTrack(_ number: Int) -> Library.PlayableTrack {
  Library.PlayableTrack(
    track: Track(
      id: TrackID(source: "files", native: "t\(number)"), albumID: AlbumID(source: "files", native: "a1"),
      title: "Track \(number)", artist: "Ada", albumArtist: "Ada", album: "First Light", number: number,
      duration: Milliseconds(200_000)), path: LocalPath("/music/\(number).flac"), host: "host-1")
}

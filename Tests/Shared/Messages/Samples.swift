import Messages
import Model

/// Values with every field set, and with every field that may be missing missing.
enum Samples {
  static let moment = Timestamp(microseconds: 1_795_185_000_123_456)
  static let kitchen = RoomName(from: "kitchen")
  static let failure = LunaraError("library.fileMissing", "The file /m/1.flac is gone.", cause: "ENOENT")

  static let album = Album(
    id: AlbumID(source: "files", native: "a1"), title: "Wörter/\"Quoted\"", artist: "Ärzte",
    artistID: ArtistID(source: "files", native: "p1"), year: 1999, genres: ["Jazz", "Bop"], trackCount: 2,
    duration: Milliseconds(421_000), addedAt: moment, lastPlayedAt: moment, art: ArtID(source: "files", native: "c1"))
  static let bareAlbum = Album(
    id: AlbumID(source: "plex", native: "7"), title: "", artist: "", trackCount: 0, duration: .zero, addedAt: moment)

  static let track = Track(
    id: TrackID(source: "files", native: "t1"), albumID: AlbumID(source: "files", native: "a1"), title: "One",
    artist: "Guest", albumArtist: "Ärzte", album: "Wörter", disc: 2, number: 3, year: 1999, genres: ["Jazz"],
    duration: Milliseconds(187_000), recordingID: "rec", releaseID: "rel", art: ArtID(source: "files", native: "c1"))
  static let bareTrack = Track(
    id: TrackID(source: "files", native: "t2"), albumID: AlbumID(source: "files", native: "a1"), title: "Two",
    artist: "", albumArtist: "", album: "", duration: .zero)

  static let artist = Artist(id: ArtistID(source: "files", native: "p1"), name: "Ärzte", albumCount: 3)

  static let item = QueueItem(
    entry: EntryID(rawValue: "e1"), track: track, path: LocalPath("/m/1 é.flac"), host: "h1",
    origin: .init(node: "web@main", place: "files:a1"))
  static let bareItem = QueueItem(entry: EntryID(rawValue: "e2"), track: bareTrack, origin: .init(node: "cli@main"))

  static let subject = Playback.ListenSubject(
    listen: ListenID(rawValue: "l1"), room: kitchen, item: bareItem, startedAt: moment)
  static let summary = Playback.QueueSummary(revision: 8, count: 2, current: 1)

  static let roomState = Playback.RoomState(
    room: kitchen, state: .playing, item: item,
    position: Position(offset: Milliseconds(1500), rate: 1, takenAt: moment), duration: Milliseconds(187_000),
    volume: 80, queueRevision: 8)
  static let idleRoom = Playback.RoomState(
    room: kitchen, state: .error(failure), item: nil,
    position: Position(offset: .zero, rate: 0, takenAt: moment), duration: nil, volume: 100, queueRevision: 0)
  static let queue = Playback.QueueState(revision: 8, count: 2, current: 1, first: 0, items: [bareItem])
}

import Messages
import Model

/// Values with every field set, and with every optional field missing.
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
  /// An album with what distinguishes it from others of its name.
  static var edition: Album {
    var album = Album(
      id: AlbumID(source: "files", native: "a8"), title: "Blue", artist: "Joni Mitchell", year: 1971, trackCount: 0,
      duration: .zero, addedAt: moment)
    (album.date, album.originalDate) = (PartialDate(year: 2007, month: 5), PartialDate(year: 1971, month: 6, day: 22))
    (album.edition, album.types, album.quality) = ("Remaster", [.album, .live], "FLAC 24/96")
    (album.folder, album.editionCount) = ("/music/Blue", 2)
    return album
  }

  static let track = Track(
    id: TrackID(source: "files", native: "t1"), albumID: AlbumID(source: "files", native: "a1"), title: "One",
    artist: "Guest", albumArtist: "Ärzte", album: "Wörter", disc: 2, number: 3, year: 1999, genres: ["Jazz"],
    duration: Milliseconds(187_000), recordingID: "rec", releaseID: "rel", art: ArtID(source: "files", native: "c1"))
  static let bareTrack = Track(
    id: TrackID(source: "files", native: "t2"), albumID: AlbumID(source: "files", native: "a1"), title: "Two",
    artist: "", albumArtist: "", album: "", duration: .zero)

  static let artist = Artist(id: ArtistID(source: "files", native: "p1"), name: "Ärzte", albumCount: 3)

  // Fields of later versions are set only here, so that the texts of older versions stay as they were.
  static let ratedAlbum = Album(
    id: AlbumID(source: "plex", native: "a3"), title: "Blue", artist: "Joni", trackCount: 1,
    duration: Milliseconds(90_000), addedAt: moment, rating: Rating(rawValue: 9),
    palette: Palette(first: "#102030", second: "#aabbcc", dark: "#010203"))
  static let measuredTrack = Track(
    id: TrackID(source: "plex", native: "t5"), albumID: AlbumID(source: "plex", native: "a3"), title: "Carey",
    artist: "Joni", albumArtist: "Joni", album: "Blue", duration: Milliseconds(90_000), releaseGroupID: "group",
    artistIDs: ["one", "two"],
    isrc: "USRE17100017", rating: Rating(rawValue: 7),
    levels: Levels(trackGain: -6.5, trackPeak: 0.75, albumGain: -7.25, albumPeak: 0.875), section: "2")
  /// A track of a record, which is numbered by its side.
  static var sideTrack: Track {
    var track = measuredTrack
    track.numberText = "A1"
    return track
  }
  /// A track of two artists that is a part of a work.
  static var movement: Track {
    var track = bareTrack
    track.artists = [ArtistName(name: "Ann", id: ArtistID(source: "files", native: "r1")), ArtistName(name: "Ben")]
    track.composer = "Bach"
    track.work = Work(title: "Suite", composer: ArtistName(name: "Bach"), movement: "Gigue", number: 6, total: 6)
    return track
  }
  static let picturedArtist = Artist(
    id: ArtistID(source: "plex", native: "r7"), name: "Joni", albumCount: 1, art: ArtID(source: "plex", native: "x9"),
    trackCount: 4, roles: [.artist, .composer], aliases: ["Roberta Joan Anderson"])
  static let credit = Credit(
    role: .performer, name: "Joni", artist: ArtistID(source: "plex", native: "r7"), instrument: "dulcimer")
  static let work = Library.WorkEntry(
    id: WorkID(source: "library", native: "w3"), title: "Requiem",
    composer: ArtistName(name: "Fauré", id: ArtistID(source: "files", native: "r8")), trackCount: 7)
  static let tags = [
    Library.Tag(kind: .composer, name: "Bach"), Library.Tag(kind: .type, name: "live", isExcluded: true),
  ]
  static let collection = MusicCollection(
    id: CollectionID(source: "plex", native: "c3"), title: "Current Vibes", itemCount: 2, isPinned: true,
    summary: "Now", art: ArtID(source: "plex", native: "x1"))
  static let bareCollection = MusicCollection(
    id: CollectionID(source: "plex", native: "c4"), title: "", itemCount: 0)
  static let playlist = Playlist(
    id: PlaylistID(source: "plex", native: "p4"), title: "Drive", trackCount: 2, duration: Milliseconds(180_000),
    isSmart: true, art: ArtID(source: "plex", native: "x2"), summary: "Long roads", isEditable: false, revision: 7,
    note: "Sent")
  static let described = DescribedTrack(
    title: "Gone", artist: "Nobody", album: "Away", duration: Milliseconds(61_000), isrc: "GBAYE0601498",
    recordingID: "b1a9c0e9-d987-4042-ae91-78d6a3267d69", location: "../a.mp3", cover: "https://h/c.jpg")
  static let chosenTrack = DescribedTrack(title: "Gone", artist: "Nobody", choice: ChosenSource(plugin: "archive"))
  static let playlistEntry = Library.PlaylistEntry(entry: 9, described: described)
  static let barePlaylist = Playlist(
    id: PlaylistID(source: "plex", native: "p5"), title: "", trackCount: 0, duration: .zero)

  static let item = QueueItem(
    entry: EntryID(rawValue: "e1"), track: track, path: LocalPath("/m/1 é.flac"), host: "h1",
    origin: .init(node: "web@main", place: "files:a1"))
  static let segment = AudioSegment(start: 588, end: 1_176_000, sampleRate: 44_100, file: "f1")
  static let openSegment = AudioSegment(start: 1_176_000, sampleRate: 44_100)
  static let segmentItem = QueueItem(
    entry: EntryID(rawValue: "e3"), track: bareTrack, path: LocalPath("/m/image.flac"), host: "h1",
    origin: .init(node: "cli@main"), segment: segment)
  static let describedItem: QueueItem = {
    let described = DescribedTrack(title: "Gone", artist: "Nobody")
    return QueueItem(
      entry: EntryID(rawValue: "e4"), track: described.track, origin: .init(node: "cli@main"), described: described)
  }()
  static let bareItem = QueueItem(entry: EntryID(rawValue: "e2"), track: bareTrack, origin: .init(node: "cli@main"))

  static let subject = Playback.ListenSubject(
    listen: ListenID(rawValue: "l1"), room: kitchen, item: bareItem, startedAt: moment)
  static let placedSubject = Playback.ListenSubject(
    listen: ListenID(rawValue: "l1"), room: kitchen, item: bareItem, startedAt: moment, device: "pulse/headphones")
  static let summary = Playback.QueueSummary(revision: 8, count: 2, current: 1)

  static let roomState = Playback.RoomState(
    room: kitchen, state: .playing, item: item,
    position: Position(offset: Milliseconds(1500), rate: 1, takenAt: moment), duration: Milliseconds(187_000),
    volume: 80, queueRevision: 8)
  static let idleRoom = Playback.RoomState(
    room: kitchen, state: .error(failure), item: nil,
    position: Position(offset: .zero, rate: 0, takenAt: moment), duration: nil, volume: 100, queueRevision: 0)
  static let queue = Playback.QueueState(revision: 8, count: 2, current: 1, first: 0, items: [bareItem])

  static let continuation = Playback.Continuation(
    list: Library.AlbumList(sort: .random, seed: 7, tag: Library.Tag(kind: .genre, name: "Jazz")), after: album.id,
    position: 3)
  static let keptContinuation = Playback.Continuation(
    list: Library.AlbumList(sort: .added), after: album.id, isOff: true, start: album.id)
  static let modes = Playback.Modes(
    repeats: .all, order: .albums, stopsAfterCurrent: true, sleepsAt: moment, isMuted: true, maximumVolume: 90)
  static let busyRoom = Playback.RoomState(
    room: kitchen, state: .paused, item: nil,
    position: Position(offset: Milliseconds(1500), rate: 0, takenAt: moment), duration: Milliseconds(90_000),
    volume: 80,
    queueRevision: 8, modes: modes,
    listen: Playback.ListenMark(listen: ListenID(rawValue: "l1"), startedAt: moment, heard: Milliseconds(1500)),
    buffered: Milliseconds(9000), notice: failure, retriesAt: moment, interruption: "sleep", title: "Kitchen, upstairs",
    plugin: "Archive", isPreview: true)
  static let output = Playback.OutputState(
    devices: [Playback.OutputDevice(name: "alsa/dac", title: "DAC")], chosen: "alsa/dac", used: "pulse/hall",
    levelling: .smart, preamp: 1.5, startVolume: 40, maximumVolume: 90, resumesAfterCrash: true,
    resumesLongTracks: true)

  static let moved = Playback.Moved(
    revision: 8, count: 2, current: 1, position: Milliseconds(9000), isPlaying: true,
    listen: Playback.ListenMark(listen: ListenID(rawValue: "l1"), startedAt: moment, heard: Milliseconds(1500)),
    modes: modes, continuation: continuation)

  static let play = Library.Play(
    listen: ListenID(rawValue: "l1"), track: bareTrack, room: kitchen, startedAt: moment, heard: Milliseconds(94_000),
    counted: true, skipped: false)
  static let awaySource = Library.SourceStatus(
    name: "plex", kind: "plex", health: "unreachable", lastRefreshed: nil, albums: 0, tracks: 0, problemCount: 0,
    problems: [])
}

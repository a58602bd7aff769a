// Generated from Shared/Model by `make generate`: memberwise initialisers for other modules.
// Nobody passes the last parameter. It tells an initialiser from the one that the compiler makes for this module alone.
// swift-format-ignore-file

extension Album {
  public init(
    id: AlbumID, title: String, artist: String, artistID: ArtistID? = nil, year: Int? = nil, genres: [String] = [],
    trackCount: Int, duration: Milliseconds, addedAt: Timestamp, lastPlayedAt: Timestamp? = nil, art: ArtID? = nil,
    rating: Rating? = nil, palette: Palette? = nil, date: PartialDate? = nil, originalDate: PartialDate? = nil,
    edition: String? = nil, types: [ReleaseType]? = nil, quality: String? = nil, folder: String? = nil,
    editionCount: Int? = nil, _: Void = ()
  ) {
    self.id = id
    self.title = title
    self.artist = artist
    self.artistID = artistID
    self.year = year
    self.genres = genres
    self.trackCount = trackCount
    self.duration = duration
    self.addedAt = addedAt
    self.lastPlayedAt = lastPlayedAt
    self.art = art
    self.rating = rating
    self.palette = palette
    self.date = date
    self.originalDate = originalDate
    self.edition = edition
    self.types = types
    self.quality = quality
    self.folder = folder
    self.editionCount = editionCount
  }
}

extension Palette {
  public init(first: String, second: String, dark: String, _: Void = ()) {
    self.first = first
    self.second = second
    self.dark = dark
  }
}

extension Artist {
  public init(
    id: ArtistID, name: String, albumCount: Int, art: ArtID? = nil, trackCount: Int? = nil, roles: [CreditRole]? = nil,
    aliases: [String]? = nil, _: Void = ()
  ) {
    self.id = id
    self.name = name
    self.albumCount = albumCount
    self.art = art
    self.trackCount = trackCount
    self.roles = roles
    self.aliases = aliases
  }
}

extension AudioProperties {
  public init(
    codec: String? = nil, bitRate: Int? = nil, sampleRate: Int? = nil, bitDepth: Int? = nil, channels: Int? = nil,
    _: Void = ()
  ) {
    self.codec = codec
    self.bitRate = bitRate
    self.sampleRate = sampleRate
    self.bitDepth = bitDepth
    self.channels = channels
  }
}

extension AudioSegment {
  public init(start: Int64, end: Int64? = nil, sampleRate: Int, file: String? = nil, _: Void = ()) {
    self.start = start
    self.end = end
    self.sampleRate = sampleRate
    self.file = file
  }
}

extension ArtistName {
  public init(name: String, id: ArtistID? = nil, _: Void = ()) {
    self.name = name
    self.id = id
  }
}

extension Credit {
  public init(role: CreditRole, name: String, artist: ArtistID? = nil, instrument: String? = nil, _: Void = ()) {
    self.role = role
    self.name = name
    self.artist = artist
    self.instrument = instrument
  }
}

extension Work {
  public init(
    title: String, composer: ArtistName? = nil, movement: String? = nil, number: Int? = nil, total: Int? = nil,
    _: Void = ()
  ) {
    self.title = title
    self.composer = composer
    self.movement = movement
    self.number = number
    self.total = total
  }
}

extension DescribedTrack {
  public init(
    title: String, artist: String, album: String? = nil, duration: Milliseconds? = nil, isrc: String? = nil,
    recordingID: String? = nil, location: String? = nil, cover: String? = nil, choice: ChosenSource? = nil, _: Void = ()
  ) {
    self.title = title
    self.artist = artist
    self.album = album
    self.duration = duration
    self.isrc = isrc
    self.recordingID = recordingID
    self.location = location
    self.cover = cover
    self.choice = choice
  }
}

extension ChosenSource {
  public init(plugin: String? = nil, isPreview: Bool? = nil, _: Void = ()) {
    self.plugin = plugin
    self.isPreview = isPreview
  }
}

extension AlbumFacts {
  public init(
    labels: [String] = [], catalogueNumbers: [String] = [], country: String? = nil, media: String? = nil,
    barcode: String? = nil, status: String? = nil, _: Void = ()
  ) {
    self.labels = labels
    self.catalogueNumbers = catalogueNumbers
    self.country = country
    self.media = media
    self.barcode = barcode
    self.status = status
  }
}

extension AlbumDisc {
  public init(
    disc: Int, title: String? = nil, media: String? = nil, total: Int? = nil, missing: [Int] = [],
    isAbsent: Bool? = nil, _: Void = ()
  ) {
    self.disc = disc
    self.title = title
    self.media = media
    self.total = total
    self.missing = missing
    self.isAbsent = isAbsent
  }
}

extension Levels {
  public init(
    trackGain: Double? = nil, trackPeak: Double? = nil, albumGain: Double? = nil, albumPeak: Double? = nil, _: Void = ()
  ) {
    self.trackGain = trackGain
    self.trackPeak = trackPeak
    self.albumGain = albumGain
    self.albumPeak = albumPeak
  }
}

extension Playlist {
  public init(
    id: PlaylistID, title: String, trackCount: Int, duration: Milliseconds, isSmart: Bool = false, art: ArtID? = nil,
    summary: String? = nil, isEditable: Bool? = nil, revision: Int64? = nil, note: String? = nil, _: Void = ()
  ) {
    self.id = id
    self.title = title
    self.trackCount = trackCount
    self.duration = duration
    self.isSmart = isSmart
    self.art = art
    self.summary = summary
    self.isEditable = isEditable
    self.revision = revision
    self.note = note
  }
}

extension MusicCollection {
  public init(
    id: CollectionID, title: String, itemCount: Int, isPinned: Bool = false, summary: String? = nil, art: ArtID? = nil,
    _: Void = ()
  ) {
    self.id = id
    self.title = title
    self.itemCount = itemCount
    self.isPinned = isPinned
    self.summary = summary
    self.art = art
  }
}

extension Track {
  public init(
    id: TrackID, albumID: AlbumID, title: String, artist: String, albumArtist: String, album: String, disc: Int = 1,
    number: Int? = nil, numberText: String? = nil, year: Int? = nil, genres: [String] = [], duration: Milliseconds,
    recordingID: String? = nil, releaseID: String? = nil, releaseGroupID: String? = nil, artistIDs: [String]? = nil,
    isrc: String? = nil, art: ArtID? = nil, rating: Rating? = nil, levels: Levels? = nil, section: String? = nil,
    artists: [ArtistName]? = nil, composer: String? = nil, work: Work? = nil, _: Void = ()
  ) {
    self.id = id
    self.albumID = albumID
    self.title = title
    self.artist = artist
    self.albumArtist = albumArtist
    self.album = album
    self.disc = disc
    self.number = number
    self.numberText = numberText
    self.year = year
    self.genres = genres
    self.duration = duration
    self.recordingID = recordingID
    self.releaseID = releaseID
    self.releaseGroupID = releaseGroupID
    self.artistIDs = artistIDs
    self.isrc = isrc
    self.art = art
    self.rating = rating
    self.levels = levels
    self.section = section
    self.artists = artists
    self.composer = composer
    self.work = work
  }
}

extension SplitMix64 {
  public init(state: UInt64, _: Void = ()) { self.state = state }
}

extension ItemID {
  public init(source: String, native: String, _: Void = ()) {
    self.source = source
    self.native = native
  }
}

extension Position {
  public init(offset: Milliseconds, rate: Double, takenAt: Timestamp, _: Void = ()) {
    self.offset = offset
    self.rate = rate
    self.takenAt = takenAt
  }
}

extension QueueItem.Origin {
  public init(node: String, place: String? = nil, isContinued: Bool? = nil, _: Void = ()) {
    self.node = node
    self.place = place
    self.isContinued = isContinued
  }
}

extension QueueItem {
  public init(
    entry: EntryID, track: Track, path: LocalPath? = nil, host: String? = nil, origin: Origin,
    segment: AudioSegment? = nil, described: DescribedTrack? = nil, _: Void = ()
  ) {
    self.entry = entry
    self.track = track
    self.path = path
    self.host = host
    self.origin = origin
    self.segment = segment
    self.described = described
  }
}

extension SyncItem {
  public init(
    artist: String, title: String = "", album: String = "", isrc: String? = nil, musicBrainzID: String? = nil,
    _: Void = ()
  ) {
    self.artist = artist
    self.title = title
    self.album = album
    self.isrc = isrc
    self.musicBrainzID = musicBrainzID
  }
}

extension RemoteItem {
  public init(native: String, item: SyncItem, addedAt: Timestamp? = nil, _: Void = ()) {
    self.native = native
    self.item = item
    self.addedAt = addedAt
  }
}

extension RemoteListInfo {
  public init(native: String, title: String, summary: String = "", isEditable: Bool = true, _: Void = ()) {
    self.native = native
    self.title = title
    self.summary = summary
    self.isEditable = isEditable
  }
}

extension RemoteList {
  public init(info: RemoteListInfo, snapshot: String? = nil, _: Void = ()) {
    self.info = info
    self.snapshot = snapshot
  }
}

extension RemoteEntry {
  public init(place: String? = nil, native: String, described: DescribedTrack, isFixed: Bool = false, _: Void = ()) {
    self.place = place
    self.native = native
    self.described = described
    self.isFixed = isFixed
  }
}

extension RemoteReading {
  public init(entries: [RemoteEntry], snapshot: String? = nil, _: Void = ()) {
    self.entries = entries
    self.snapshot = snapshot
  }
}

extension RoomUse {
  public init(isPlaying: Bool, sinceUsed: Milliseconds?, _: Void = ()) {
    self.isPlaying = isPlaying
    self.sinceUsed = sinceUsed
  }
}

extension RoomChoice {
  public init(
    live: Set<RoomName>, away: Set<RoomName> = [], uses: [RoomName: RoomUse] = [:], here: Set<RoomName> = [],
    isHouseholdUp: Bool = false, _: Void = ()
  ) {
    self.live = live
    self.away = away
    self.uses = uses
    self.here = here
    self.isHouseholdUp = isHouseholdUp
  }
}

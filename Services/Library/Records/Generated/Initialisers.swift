// Generated from Services/Library/Records by `make generate`: memberwise initialisers for other modules.
// Nobody passes the last parameter. It tells an initialiser from the one that the compiler makes for this module alone.
// swift-format-ignore-file
package import Model
package import Storage

extension CueError {
  package init(line: Int? = nil, reason: String, _: Void = ()) {
    self.line = line
    self.reason = reason
  }
}

extension Cover {
  package init(name: [UInt8], mark: String, _: Void = ()) {
    self.name = name
    self.mark = mark
  }
}

extension FolderEntry {
  package init(name: [UInt8], stamp: FileStamp, isLink: Bool, _: Void = ()) {
    self.name = name
    self.stamp = stamp
    self.isLink = isLink
  }
}

extension FileStamp {
  package init(inode: Int64, size: Int64, modified: Int64, changed: Int64 = 0, _: Void = ()) {
    self.inode = inode
    self.size = size
    self.modified = modified
    self.changed = changed
  }
}

extension LeftOut {
  package init(rule: Rule, count: Int = 0, names: [[UInt8]] = [], _: Void = ()) {
    self.rule = rule
    self.count = count
    self.names = names
  }
}

extension MusicLink {
  package init(folder: [UInt8], name: [UInt8], target: [UInt8], file: [UInt8]? = nil, _: Void = ()) {
    self.folder = folder
    self.name = name
    self.target = target
    self.file = file
  }
}

extension FilePlace {
  package init(folder: [UInt8], name: [UInt8], _: Void = ()) {
    self.folder = folder
    self.name = name
  }
}

extension KnownFiles.File {
  package init(
    id: Int64, folder: Int64, stamp: FileStamp, track: Int64? = nil, segments: Int = 0, needsReading: Bool = false,
    _: Void = ()
  ) {
    self.id = id
    self.folder = folder
    self.stamp = stamp
    self.track = track
    self.segments = segments
    self.needsReading = needsReading
  }
}

extension KnownFiles.Folder {
  package init(
    id: Int64, path: [UInt8], device: Int64, cover: Cover? = nil, artistPicture: Cover? = nil, digest: Int64 = 0,
    sheets: Int64 = 0, files: [PathKey: KnownFiles.File] = [:], isVisited: Bool = true, _: Void = ()
  ) {
    self.id = id
    self.path = path
    self.device = device
    self.cover = cover
    self.artistPicture = artistPicture
    self.digest = digest
    self.sheets = sheets
    self.files = files
    self.isVisited = isVisited
  }
}

extension ScannedFolder {
  package init(
    path: [UInt8], device: Int64, cover: Cover? = nil, artistPicture: Cover? = nil, digest: Int64 = 0,
    sheets: Int64 = 0, lyrics: [[UInt8]]? = nil, lists: [ScannedList]? = nil, files: [ScannedFile] = [], _: Void = ()
  ) {
    self.path = path
    self.device = device
    self.cover = cover
    self.artistPicture = artistPicture
    self.digest = digest
    self.sheets = sheets
    self.lyrics = lyrics
    self.lists = lists
    self.files = files
  }
}

extension StoredFolders.Row {
  package init(id: Int64, digest: Int64, _: Void = ()) {
    self.id = id
    self.digest = digest
  }
}

extension MusicIDs {
  package init(artists: [String] = [], releaseGroup: String? = nil, isrc: String? = nil, _: Void = ()) {
    self.artists = artists
    self.releaseGroup = releaseGroup
    self.isrc = isrc
  }
}

extension ReleaseTags {
  package init(
    date: PartialDate? = nil, originalDate: PartialDate? = nil, edition: String? = nil, types: [ReleaseType] = [],
    releaseGroupID: String? = nil, _: Void = ()
  ) {
    self.date = date
    self.originalDate = originalDate
    self.edition = edition
    self.types = types
    self.releaseGroupID = releaseGroupID
  }
}

extension ServerAlbum {
  package init(
    native: String, title: String, titleSort: String? = nil, artist: String, artistSort: String? = nil,
    artistNative: String? = nil, year: Int? = nil, genres: [String] = [], moods: [String] = [], styles: [String] = [],
    guid: String? = nil, releaseID: String? = nil, art: String? = nil, rating: Rating? = nil, addedAt: Timestamp? = nil,
    lastPlayedAt: Timestamp? = nil, section: String? = nil, isPartial: Bool? = nil, tags: ReleaseTags? = nil,
    _: Void = ()
  ) {
    self.native = native
    self.title = title
    self.titleSort = titleSort
    self.artist = artist
    self.artistSort = artistSort
    self.artistNative = artistNative
    self.year = year
    self.genres = genres
    self.moods = moods
    self.styles = styles
    self.guid = guid
    self.releaseID = releaseID
    self.art = art
    self.rating = rating
    self.addedAt = addedAt
    self.lastPlayedAt = lastPlayedAt
    self.section = section
    self.isPartial = isPartial
    self.tags = tags
  }
}

extension ServerPlaylist.Row {
  package init(native: String, id: String? = nil, _: Void = ()) {
    self.native = native
    self.id = id
  }
}

extension ServerPlaylist {
  package init(title: String, summary: String? = nil, isSmart: Bool = false, rows: [Row], _: Void = ()) {
    self.title = title
    self.summary = summary
    self.isSmart = isSmart
    self.rows = rows
  }
}

extension WantedPlaylist {
  package init(title: String? = nil, summary: String? = nil, natives: [String], _: Void = ()) {
    self.title = title
    self.summary = summary
    self.natives = natives
  }
}

extension ListedPlaylist {
  package init(native: String, title: String, _: Void = ()) {
    self.native = native
    self.title = title
  }
}

extension ServerArtist {
  package init(
    native: String, name: String, sort: String? = nil, guid: String? = nil, artistID: String? = nil,
    summary: String? = nil, genres: [String] = [], art: String? = nil, rating: Rating? = nil, section: String? = nil,
    _: Void = ()
  ) {
    self.native = native
    self.name = name
    self.sort = sort
    self.guid = guid
    self.artistID = artistID
    self.summary = summary
    self.genres = genres
    self.art = art
    self.rating = rating
    self.section = section
  }
}

extension ServerList {
  package init(
    native: String, title: String, titleSort: String? = nil, summary: String? = nil, isSmart: Bool = false,
    art: String? = nil, section: String? = nil, items: [String] = [], _: Void = ()
  ) {
    self.native = native
    self.title = title
    self.titleSort = titleSort
    self.summary = summary
    self.isSmart = isSmart
    self.art = art
    self.section = section
    self.items = items
  }
}

extension ServerSection {
  package init(key: String, title: String, isOnByDefault: Bool, counter: String? = nil, _: Void = ()) {
    self.key = key
    self.title = title
    self.isOnByDefault = isOnByDefault
    self.counter = counter
  }
}

extension StagingTable {
  package init(database: Database, source: String, _: Void = ()) {
    self.database = database
    self.source = source
  }
}

extension ServerTrack.Counts {
  package init(plays: Int? = nil, listeners: Int? = nil, _: Void = ()) {
    self.plays = plays
    self.listeners = listeners
  }
}

extension ServerTrack {
  package init(
    native: String, album: String, title: String, titleSort: String? = nil, artist: String? = nil, disc: Int = 1,
    number: Int? = nil, year: Int? = nil, genres: [String] = [], moods: [String] = [], duration: Milliseconds,
    guid: String? = nil, recordingID: String? = nil, ids: MusicIDs = .none, levels: Levels? = nil,
    rating: Rating? = nil, file: String? = nil, part: String? = nil, format: String? = nil,
    audio: AudioProperties = AudioProperties(), addedAt: Timestamp? = nil, lastPlayedAt: Timestamp? = nil,
    counts: Counts? = nil, section: String? = nil, isPartial: Bool? = nil, _: Void = ()
  ) {
    self.native = native
    self.album = album
    self.title = title
    self.titleSort = titleSort
    self.artist = artist
    self.disc = disc
    self.number = number
    self.year = year
    self.genres = genres
    self.moods = moods
    self.duration = duration
    self.guid = guid
    self.recordingID = recordingID
    self.ids = ids
    self.levels = levels
    self.rating = rating
    self.file = file
    self.part = part
    self.format = format
    self.audio = audio
    self.addedAt = addedAt
    self.lastPlayedAt = lastPlayedAt
    self.counts = counts
    self.section = section
    self.isPartial = isPartial
  }
}

extension ServerIdentity {
  package init(machine: String, name: String, _: Void = ()) {
    self.machine = machine
    self.name = name
  }
}

extension RefreshMark {
  package init(
    changedAt: Timestamp? = nil, counters: [String: String] = [:], partial: [String]? = nil, refusals: Int? = nil,
    retryAt: Timestamp? = nil, completeAt: Timestamp? = nil, comparedAt: Timestamp? = nil, difference: Int? = nil,
    _: Void = ()
  ) {
    self.changedAt = changedAt
    self.counters = counters
    self.partial = partial
    self.refusals = refusals
    self.retryAt = retryAt
    self.completeAt = completeAt
    self.comparedAt = comparedAt
    self.difference = difference
  }
}

extension ServerChangeCheck {
  package init(
    need: Need, method: String, tracks: Int? = nil, areListsUnread: Bool = false, missesRatings: Bool = false,
    _: Void = ()
  ) {
    self.need = need
    self.method = method
    self.tracks = tracks
    self.areListsUnread = areListsUnread
    self.missesRatings = missesRatings
  }
}

extension ServerStream {
  package init(url: String, headers: [String: String] = [:], _: Void = ()) {
    self.url = url
    self.headers = headers
  }
}

extension NowPlayingReport {
  package init(
    native: String, state: State, position: Milliseconds, duration: Milliseconds, room: RoomName,
    listen: ListenID? = nil, isContinuing: Bool = false, _: Void = ()
  ) {
    self.native = native
    self.state = state
    self.position = position
    self.duration = duration
    self.room = room
    self.listen = listen
    self.isContinuing = isContinuing
  }
}

extension SourceRecord {
  package init(
    name: String, kind: String, address: String? = nil, account: String? = nil, machine: String? = nil,
    settings: String? = nil, isFromSettings: Bool = false, isLeaving: Bool = false, _: Void = ()
  ) {
    self.name = name
    self.kind = kind
    self.address = address
    self.account = account
    self.machine = machine
    self.settings = settings
    self.isFromSettings = isFromSettings
    self.isLeaving = isLeaving
  }
}

extension AccountServer {
  package init(machine: String, address: String, _: Void = ()) {
    self.machine = machine
    self.address = address
  }
}

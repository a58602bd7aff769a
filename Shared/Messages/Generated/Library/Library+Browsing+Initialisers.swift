// Generated from Library+Browsing.swift by `make generate`: memberwise initialisers for other modules.
// Nobody passes the last parameter. It tells an initialiser from the one that the compiler makes for this module alone.
// swift-format-ignore-file
public import Model

extension Library.CreditGroup {
  public init(role: CreditRole, albums: Int, tracks: Int, person: ArtistName? = nil, _: Void = ()) {
    self.role = role
    self.albums = albums
    self.tracks = tracks
    self.person = person
  }
}

extension Library.ListCredits {
  public init(artist: ArtistID, role: CreditRole, after: String? = nil, limit: Int = 100, _: Void = ()) {
    self.artist = artist
    self.role = role
    self.after = after
    self.limit = limit
  }
}

extension Library.CreditedTrack {
  public init(track: Track, credit: Credit, _: Void = ()) {
    self.track = track
    self.credit = credit
  }
}

extension Library.ListWorks {
  public init(
    composer: ArtistID? = nil, after: String? = nil, limit: Int = 100, startingAt: String? = nil, _: Void = ()
  ) {
    self.composer = composer
    self.after = after
    self.limit = limit
    self.startingAt = startingAt
  }
}

extension Library.WorkEntry {
  public init(id: WorkID, title: String, composer: ArtistName? = nil, trackCount: Int, _: Void = ()) {
    self.id = id
    self.title = title
    self.composer = composer
    self.trackCount = trackCount
  }
}

extension Library.ReadWork {
  public init(id: WorkID, after: String? = nil, _: Void = ()) {
    self.id = id
    self.after = after
  }
}

extension Library.WorkPage {
  public init(work: Library.WorkEntry, tracks: [Track], next: String? = nil, _: Void = ()) {
    self.work = work
    self.tracks = tracks
    self.next = next
  }
}

extension Library.ListFolder {
  public init(path: LocalPath? = nil, after: String? = nil, limit: Int = 100, _: Void = ()) {
    self.path = path
    self.after = after
    self.limit = limit
  }
}

extension Library.FolderPage.Folder {
  public init(name: String, path: LocalPath, id: PlayableID, _: Void = ()) {
    self.name = name
    self.path = path
    self.id = id
  }
}

extension Library.FolderPage.FolderTrack {
  public init(name: String, track: Track, _: Void = ()) {
    self.name = name
    self.track = track
  }
}

extension Library.FolderPage {
  public init(
    path: LocalPath?, folders: [Folder], albums: [Album] = [], tracks: [FolderTrack] = [], next: String? = nil,
    _: Void = ()
  ) {
    self.path = path
    self.folders = folders
    self.albums = albums
    self.tracks = tracks
    self.next = next
  }
}

// Generated from Library+Garden.swift by `make generate`: memberwise initialisers for other modules.
// Nobody passes the last parameter. It tells an initialiser from the one that the compiler makes for this module alone.
// swift-format-ignore-file
public import Model

extension Library.GardenSubject {
  public init(
    kind: Library.GardenKind, id: PlayableID, title: String, artist: String, isHere: Bool? = nil, _: Void = ()
  ) {
    self.kind = kind
    self.id = id
    self.title = title
    self.artist = artist
    self.isHere = isHere
  }
}

extension Library.GardenRecord {
  public init(
    form: Form, uid: String, on: Library.GardenSubject, album: String? = nil, disc: Int? = nil, number: Int? = nil,
    year: Int? = nil, text: String, at: Timestamp, session: Library.NoteSession? = nil, position: Milliseconds? = nil,
    state: String? = nil, about: Library.TodoKind? = nil, changedAt: Timestamp? = nil, _: Void = ()
  ) {
    self.form = form
    self.uid = uid
    self.on = on
    self.album = album
    self.disc = disc
    self.number = number
    self.year = year
    self.text = text
    self.at = at
    self.session = session
    self.position = position
    self.state = state
    self.about = about
    self.changedAt = changedAt
  }
}

extension Library.ThemeRecord {
  public init(
    title: String, namesakes: Int? = nil, text: String? = nil, rules: String? = nil, look: Library.ThemeLook,
    cover: Library.ThemeAlbum? = nil, albums: [Library.ThemeAlbum] = [], _: Void = ()
  ) {
    self.title = title
    self.namesakes = namesakes
    self.text = text
    self.rules = rules
    self.look = look
    self.cover = cover
    self.albums = albums
  }
}

extension Library.ThemeAlbum {
  public init(title: String, artist: String, year: Int? = nil, _: Void = ()) {
    self.title = title
    self.artist = artist
    self.year = year
  }
}

extension Library.ExportGarden {
  public init(after: String? = nil, _: Void = ()) { self.after = after }
}

extension Library.GardenRecords {
  public init(items: [Library.GardenRecord], themes: [Library.ThemeRecord]? = nil, next: String? = nil, _: Void = ()) {
    self.items = items
    self.themes = themes
    self.next = next
  }
}

extension Library.ImportGarden {
  public init(items: [Library.GardenRecord], themes: [Library.ThemeRecord]? = nil, _: Void = ()) {
    self.items = items
    self.themes = themes
  }
}

extension Library.ImportedGarden {
  public init(added: Int = 0, known: Int = 0, notHere: Int = 0, _: Void = ()) {
    self.added = added
    self.known = known
    self.notHere = notHere
  }
}

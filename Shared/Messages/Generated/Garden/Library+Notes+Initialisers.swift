// Generated from Library+Notes.swift by `make generate`: memberwise initialisers for other modules.
// Nobody passes the last parameter. It tells an initialiser from the one that the compiler makes for this module alone.
// swift-format-ignore-file
public import Model

extension Library.Note {
  public init(
    note: Int64, on: Library.GardenSubject, text: String, at: Timestamp, version: Int = 1, editedAt: Timestamp? = nil,
    session: Library.NoteSession? = nil, position: Milliseconds? = nil, _: Void = ()
  ) {
    self.note = note
    self.on = on
    self.text = text
    self.at = at
    self.version = version
    self.editedAt = editedAt
    self.session = session
    self.position = position
  }
}

extension Library.NoteSession {
  public init(room: RoomName, from: Timestamp, to: Timestamp, listens: [ListenID], _: Void = ()) {
    self.room = room
    self.from = from
    self.to = to
    self.listens = listens
  }
}

extension Library.WriteNote {
  public init(
    id: PlayableID, text: String, isOfSession: Bool? = nil, room: RoomName? = nil, position: Milliseconds? = nil,
    _: Void = ()
  ) {
    self.id = id
    self.text = text
    self.isOfSession = isOfSession
    self.room = room
    self.position = position
  }
}

extension Library.EditNote {
  public init(note: Int64, text: String, version: Int, _: Void = ()) {
    self.note = note
    self.text = text
    self.version = version
  }
}

extension Library.DeleteNote {
  public init(note: Int64, isTakenBack: Bool? = nil, _: Void = ()) {
    self.note = note
    self.isTakenBack = isTakenBack
  }
}

extension Library.ListNotes {
  public init(id: PlayableID? = nil, words: String? = nil, after: String? = nil, limit: Int = 100, _: Void = ()) {
    self.id = id
    self.words = words
    self.after = after
    self.limit = limit
  }
}

extension Library.NotePage {
  public init(items: [Library.Note], next: String? = nil, _: Void = ()) {
    self.items = items
    self.next = next
  }
}

extension Library.ReadNote {
  public init(note: Int64, _: Void = ()) { self.note = note }
}

extension Library.NoteHistory {
  public init(note: Library.Note, texts: [Library.NoteText], _: Void = ()) {
    self.note = note
    self.texts = texts
  }
}

extension Library.NoteText {
  public init(version: Int, text: String, at: Timestamp, isRefused: Bool? = nil, _: Void = ()) {
    self.version = version
    self.text = text
    self.at = at
    self.isRefused = isRefused
  }
}

extension Library.ListDueNotes {
  public init(album: AlbumID? = nil, limit: Int = 5, _: Void = ()) {
    self.album = album
    self.limit = limit
  }
}

extension Library.DueNotes {
  public init(items: [Library.DueNote], _: Void = ()) { self.items = items }
}

extension Library.DueNote {
  public init(note: Library.Note, reason: String, years: Int? = nil, _: Void = ()) {
    self.note = note
    self.reason = reason
    self.years = years
  }
}

extension Library.KeepNotesShown {
  public init(notes: [Int64], albums: [AlbumID]? = nil, _: Void = ()) {
    self.notes = notes
    self.albums = albums
  }
}

extension Library.NotesShown {
  public init(albums: [AlbumID], _: Void = ()) { self.albums = albums }
}

extension Library.NoteChanged {
  public init(note: Int64, on: Library.GardenSubject, isDeleted: Bool? = nil, _: Void = ()) {
    self.note = note
    self.on = on
    self.isDeleted = isDeleted
  }
}

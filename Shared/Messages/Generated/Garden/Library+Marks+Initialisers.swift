// Generated from Library+Marks.swift by `make generate`: memberwise initialisers for other modules.
// Nobody passes the last parameter. It tells an initialiser from the one that the compiler makes for this module alone.
// swift-format-ignore-file
public import Model

extension Library.Mark.Duplicate {
  public init(id: AlbumID, title: String, formats: [String], isLossless: Bool, _: Void = ()) {
    self.id = id
    self.title = title
    self.formats = formats
    self.isLossless = isLossless
  }
}

extension Library.Mark {
  public init(
    mark: Int64, on: Library.GardenSubject, text: String, at: Timestamp, state: Library.MarkState, tracks: Int = 0,
    bytes: Int64? = nil, plays: Int = 0, lastHeard: Timestamp? = nil, quality: String? = nil,
    duplicates: [Duplicate] = [], _: Void = ()
  ) {
    self.mark = mark
    self.on = on
    self.text = text
    self.at = at
    self.state = state
    self.tracks = tracks
    self.bytes = bytes
    self.plays = plays
    self.lastHeard = lastHeard
    self.quality = quality
    self.duplicates = duplicates
  }
}

extension Library.MarkForDeletion {
  public init(id: PlayableID, reason: String? = nil, _: Void = ()) {
    self.id = id
    self.reason = reason
  }
}

extension Library.DecideMark {
  public init(mark: Int64, state: Library.MarkState, _: Void = ()) {
    self.mark = mark
    self.state = state
  }
}

extension Library.ListMarks {
  public init(state: Library.MarkState? = nil, after: String? = nil, limit: Int = 100, _: Void = ()) {
    self.state = state
    self.after = after
    self.limit = limit
  }
}

extension Library.MarkPage {
  public init(items: [Library.Mark], next: String? = nil, _: Void = ()) {
    self.items = items
    self.next = next
  }
}

extension Library.ExportMarks {
  public init(form: Form, after: String? = nil, _: Void = ()) {
    self.form = form
    self.after = after
  }
}

extension Library.MarkExport {
  public init(text: String, items: Int, leftOut: Int = 0, next: String? = nil, _: Void = ()) {
    self.text = text
    self.items = items
    self.leftOut = leftOut
    self.next = next
  }
}

extension Library.MarkChanged {
  public init(mark: Int64, on: Library.GardenSubject, state: Library.MarkState, _: Void = ()) {
    self.mark = mark
    self.on = on
    self.state = state
  }
}

// Generated from Library+PlaylistEdits.swift by `make generate`: memberwise initialisers for other modules.
// Nobody passes the last parameter. It tells an initialiser from the one that the compiler makes for this module alone.
// swift-format-ignore-file
public import Model

extension Library.CreatePlaylist {
  public init(
    title: String, summary: String? = nil, ids: [PlayableID] = [], described: [DescribedTrack]? = nil,
    copyOf: PlaylistID? = nil, source: String? = nil, rules: String? = nil, _: Void = ()
  ) {
    self.title = title
    self.summary = summary
    self.ids = ids
    self.described = described
    self.copyOf = copyOf
    self.source = source
    self.rules = rules
  }
}

extension Library.AddToPlaylist {
  public init(
    id: PlaylistID, ids: [PlayableID], described: [DescribedTrack]? = nil, after: Int64? = nil, _: Void = ()
  ) {
    self.id = id
    self.ids = ids
    self.described = described
    self.after = after
  }
}

extension Library.RemoveFromPlaylist {
  public init(id: PlaylistID, entries: [Int64], _: Void = ()) {
    self.id = id
    self.entries = entries
  }
}

extension Library.MoveInPlaylist {
  public init(id: PlaylistID, entries: [Int64], after: Int64? = nil, _: Void = ()) {
    self.id = id
    self.entries = entries
    self.after = after
  }
}

extension Library.DescribePlaylist {
  public init(
    id: PlaylistID, title: String? = nil, summary: String? = nil, rules: String? = nil, revision: Int64? = nil,
    _: Void = ()
  ) {
    self.id = id
    self.title = title
    self.summary = summary
    self.rules = rules
    self.revision = revision
  }
}

extension Library.DeletePlaylist {
  public init(id: PlaylistID, _: Void = ()) { self.id = id }
}

extension Library.UndoPlaylist {
  public init(id: PlaylistID, _: Void = ()) { self.id = id }
}

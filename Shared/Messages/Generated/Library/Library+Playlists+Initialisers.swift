// Generated from Library+Playlists.swift by `make generate`: memberwise initialisers for other modules.
// Nobody passes the last parameter. It tells an initialiser from the one that the compiler makes for this module alone.
// swift-format-ignore-file
public import Model

extension Library.ListPlaylists {
  public init(after: String? = nil, limit: Int = 100, _: Void = ()) {
    self.after = after
    self.limit = limit
  }
}

extension Library.ReadPlaylist {
  public init(id: PlaylistID, after: String? = nil, _: Void = ()) {
    self.id = id
    self.after = after
  }
}

extension Library.PlaylistPage {
  public init(
    playlist: Playlist, tracks: [Track], entries: [Library.PlaylistEntry]? = nil, next: String? = nil,
    rules: String? = nil, _: Void = ()
  ) {
    self.playlist = playlist
    self.tracks = tracks
    self.entries = entries
    self.next = next
    self.rules = rules
  }
}

extension Library.PreviewRules {
  public init(rules: String, _: Void = ()) { self.rules = rules }
}

extension Library.RulesPreview {
  public init(trackCount: Int, duration: Milliseconds, tracks: [Track], _: Void = ()) {
    self.trackCount = trackCount
    self.duration = duration
    self.tracks = tracks
  }
}

extension Library.PlaylistEntry {
  public init(entry: Int64, described: DescribedTrack? = nil, _: Void = ()) {
    self.entry = entry
    self.described = described
  }
}

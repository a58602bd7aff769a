// Generated from Library+PlaylistFiles.swift by `make generate`: memberwise initialisers for other modules.
// Nobody passes the last parameter. It tells an initialiser from the one that the compiler makes for this module alone.
// swift-format-ignore-file
public import Model

extension Library.ImportToPlaylist {
  public init(id: PlaylistID, tracks: [DescribedTrack], folder: LocalPath? = nil, _: Void = ()) {
    self.id = id
    self.tracks = tracks
    self.folder = folder
  }
}

extension Library.ImportedTracks {
  public init(playlist: Playlist, matches: [Library.TrackMatch], _: Void = ()) {
    self.playlist = playlist
    self.matches = matches
  }
}

extension Library.ReadListFile {
  public init(address: String, _: Void = ()) { self.address = address }
}

extension Library.ListFileContents {
  public init(
    title: String? = nil, summary: String? = nil, tracks: [DescribedTrack], problems: [String] = [], _: Void = ()
  ) {
    self.title = title
    self.summary = summary
    self.tracks = tracks
    self.problems = problems
  }
}

extension Library.ExportPlaylist {
  public init(id: PlaylistID, after: String? = nil, _: Void = ()) {
    self.id = id
    self.after = after
  }
}

extension Library.ExportedPlaylist {
  public init(playlist: Playlist, tracks: [DescribedTrack], next: String? = nil, _: Void = ()) {
    self.playlist = playlist
    self.tracks = tracks
    self.next = next
  }
}

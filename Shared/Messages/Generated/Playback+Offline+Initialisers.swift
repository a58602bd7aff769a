// Generated from Playback+Offline.swift by `make generate`: memberwise initialisers for other modules.
// Nobody passes the last parameter. It tells an initialiser from the one that the compiler makes for this module alone.
// swift-format-ignore-file
public import Model

extension Playback.OfflineState {
  public init(
    albums: Int, whole: Int, bytes: Int64, limit: Int64, isLimitChosen: Bool? = nil, free: Int64,
    loading: AlbumID? = nil, pause: String? = nil, connection: Playback.OfflineConnection? = nil, _: Void = ()
  ) {
    self.albums = albums
    self.whole = whole
    self.bytes = bytes
    self.limit = limit
    self.isLimitChosen = isLimitChosen
    self.free = free
    self.loading = loading
    self.pause = pause
    self.connection = connection
  }
}

extension Playback.OfflineAlbum {
  public init(
    id: AlbumID, title: String, artist: String, art: ArtID? = nil, state: Playback.OfflineProgress, tracks: Int,
    kept: Int, bytes: Int64, size: Int64? = nil, isPinned: Bool = false, addedAt: Timestamp, playedAt: Timestamp? = nil,
    problem: LunaraError? = nil, _: Void = ()
  ) {
    self.id = id
    self.title = title
    self.artist = artist
    self.art = art
    self.state = state
    self.tracks = tracks
    self.kept = kept
    self.bytes = bytes
    self.size = size
    self.isPinned = isPinned
    self.addedAt = addedAt
    self.playedAt = playedAt
    self.problem = problem
  }
}

extension Playback.ListOffline {
  public init(after: String? = nil, _: Void = ()) { self.after = after }
}

extension Playback.OfflinePage {
  public init(albums: [Playback.OfflineAlbum], next: String? = nil, state: Playback.OfflineState, _: Void = ()) {
    self.albums = albums
    self.next = next
    self.state = state
  }
}

extension Playback.AddOffline {
  public init(ids: [PlayableID], isPinned: Bool? = nil, _: Void = ()) {
    self.ids = ids
    self.isPinned = isPinned
  }
}

extension Playback.RemoveOffline {
  public init(ids: [AlbumID]?, _: Void = ()) { self.ids = ids }
}

extension Playback.OfflineChange {
  public init(changed: Int, unchanged: Int, _: Void = ()) {
    self.changed = changed
    self.unchanged = unchanged
  }
}

extension Playback.SetOffline {
  public init(limit: Int64?, _: Void = ()) { self.limit = limit }
}

extension Playback.SetOfflineConnection {
  public init(connection: Playback.OfflineConnection, _: Void = ()) { self.connection = connection }
}

extension Playback.PlayOffline {
  public init(names: [String], mode: Playback.LoadMode = .now, startAt: Int = 0, _: Void = ()) {
    self.names = names
    self.mode = mode
    self.startAt = startAt
  }
}

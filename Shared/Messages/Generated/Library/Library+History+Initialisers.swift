// Generated from Library+History.swift by `make generate`: memberwise initialisers for other modules.
// Nobody passes the last parameter. It tells an initialiser from the one that the compiler makes for this module alone.
// swift-format-ignore-file
public import Model

extension Library.Play {
  public init(
    listen: ListenID, track: Track, room: RoomName, startedAt: Timestamp, heard: Milliseconds, counted: Bool,
    skipped: Bool, _: Void = ()
  ) {
    self.listen = listen
    self.track = track
    self.room = room
    self.startedAt = startedAt
    self.heard = heard
    self.counted = counted
    self.skipped = skipped
  }
}

extension Library.PlayFilter {
  public init(
    track: TrackID? = nil, album: AlbumID? = nil, artist: ArtistID? = nil, room: RoomName? = nil,
    since: Timestamp? = nil, until: Timestamp? = nil, _: Void = ()
  ) {
    self.track = track
    self.album = album
    self.artist = artist
    self.room = room
    self.since = since
    self.until = until
  }
}

extension Library.ListPlays {
  public init(filter: Library.PlayFilter = .all, after: String? = nil, limit: Int = 50, _: Void = ()) {
    self.filter = filter
    self.after = after
    self.limit = limit
  }
}

extension Library.CountPlays {
  public init(filter: Library.PlayFilter = .all, by: Dimension, limit: Int = 100, _: Void = ()) {
    self.filter = filter
    self.by = by
    self.limit = limit
  }
}

extension Library.PlayCounts.Row {
  public init(key: String, title: String, plays: Int, skips: Int, lastPlayedAt: Timestamp?, _: Void = ()) {
    self.key = key
    self.title = title
    self.plays = plays
    self.skips = skips
    self.lastPlayedAt = lastPlayedAt
  }
}

extension Library.PlayCounts {
  public init(rows: [Row], _: Void = ()) { self.rows = rows }
}

extension Library.ListeningContext.Title {
  public init(title: String, artist: String, _: Void = ()) {
    self.title = title
    self.artist = artist
  }
}

extension Library.ListeningContext.Period {
  public init(
    days: Int?, artists: [String], tracks: [Library.ListeningContext.Title], albums: [Library.ListeningContext.Title],
    _: Void = ()
  ) {
    self.days = days
    self.artists = artists
    self.tracks = tracks
    self.albums = albums
  }
}

extension Library.ListeningContext {
  public init(periods: [Period], recent: [Title], _: Void = ()) {
    self.periods = periods
    self.recent = recent
  }
}

// Generated from Library+Statistics.swift by `make generate`: memberwise initialisers for other modules.
// Nobody passes the last parameter. It tells an initialiser from the one that the compiler makes for this module alone.
// swift-format-ignore-file
public import Model

extension Library.ReadStatistics {
  public init(from: String? = nil, to: String? = nil, limit: Int = 10, _: Void = ()) {
    self.from = from
    self.to = to
    self.limit = limit
  }
}

extension Library.Statistics.Totals {
  public init(
    plays: Int = 0, skips: Int = 0, heard: Milliseconds = Milliseconds(0), artists: Int = 0, albums: Int = 0,
    tracks: Int = 0, firstHeard: Int = 0, days: Int = 0, _: Void = ()
  ) {
    self.plays = plays
    self.skips = skips
    self.heard = heard
    self.artists = artists
    self.albums = albums
    self.tracks = tracks
    self.firstHeard = firstHeard
    self.days = days
  }
}

extension Library.Statistics.Row {
  public init(
    key: String, title: String, artist: String? = nil, art: ArtID? = nil, plays: Int, heard: Milliseconds,
    lastBefore: Timestamp? = nil, isHere: Bool? = nil, _: Void = ()
  ) {
    self.key = key
    self.title = title
    self.artist = artist
    self.art = art
    self.plays = plays
    self.heard = heard
    self.lastBefore = lastBefore
    self.isHere = isHere
  }
}

extension Library.Statistics.Step {
  public init(name: String, plays: Int, heard: Milliseconds, genres: [Int] = [], _: Void = ()) {
    self.name = name
    self.plays = plays
    self.heard = heard
    self.genres = genres
  }
}

extension Library.Statistics {
  public init(
    from: String, to: String, firstDay: String? = nil, totals: Totals = .zero, before: Totals? = nil,
    artists: [Row] = [], albums: [Row] = [], tracks: [Row] = [], genres: [Row] = [], rediscovered: [Row] = [],
    steps: [Step] = [], hours: [Milliseconds] = [], weekdays: [Milliseconds] = [], _: Void = ()
  ) {
    self.from = from
    self.to = to
    self.firstDay = firstDay
    self.totals = totals
    self.before = before
    self.artists = artists
    self.albums = albums
    self.tracks = tracks
    self.genres = genres
    self.rediscovered = rediscovered
    self.steps = steps
    self.hours = hours
    self.weekdays = weekdays
  }
}

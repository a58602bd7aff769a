// Generated from Discovery+Genres.swift by `make generate`: memberwise initialisers for other modules.
// Nobody passes the last parameter. It tells an initialiser from the one that the compiler makes for this module alone.
// swift-format-ignore-file

extension Discovery.GenreList {
  public init(
    genres: [Discovery.Genre], tagged: Int, matched: Int, unmatched: [Discovery.UnmatchedTag] = [], _: Void = ()
  ) {
    self.genres = genres
    self.tagged = tagged
    self.matched = matched
    self.unmatched = unmatched
  }
}

extension Discovery.Genre {
  public init(id: String, name: String, albums: Int, subcategories: [Discovery.Genre]? = nil, _: Void = ()) {
    self.id = id
    self.name = name
    self.albums = albums
    self.subcategories = subcategories
  }
}

extension Discovery.UnmatchedTag {
  public init(tag: String, albums: Int, _: Void = ()) {
    self.tag = tag
    self.albums = albums
  }
}

extension Discovery.AssignTag {
  public init(tag: String, genre: String?, _: Void = ()) {
    self.tag = tag
    self.genre = genre
  }
}

extension Discovery.Diagnostics {
  public init(
    shelf: Discovery.ShelfState, played: Int, rated: Int, tagged: Int, matched: Int, likes: Int, dislikes: Int,
    both: Int, heldBack: Int, walls: Int, dials: [Discovery.DialRow], sources: [Discovery.DataSource], _: Void = ()
  ) {
    self.shelf = shelf
    self.played = played
    self.rated = rated
    self.tagged = tagged
    self.matched = matched
    self.likes = likes
    self.dislikes = dislikes
    self.both = both
    self.heldBack = heldBack
    self.walls = walls
    self.dials = dials
    self.sources = sources
  }
}

extension Discovery.DialRow.Share {
  public init(signal: Discovery.Signal, percent: Int, ofFifty: Int, _: Void = ()) {
    self.signal = signal
    self.percent = percent
    self.ofFifty = ofFifty
  }
}

extension Discovery.DialRow {
  public init(dial: Int, name: String, shares: [Share], _: Void = ()) {
    self.dial = dial
    self.name = name
    self.shares = shares
  }
}

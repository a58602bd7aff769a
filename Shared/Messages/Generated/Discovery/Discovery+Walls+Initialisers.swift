// Generated from Discovery+Walls.swift by `make generate`: memberwise initialisers for other modules.
// Nobody passes the last parameter. It tells an initialiser from the one that the compiler makes for this module alone.
// swift-format-ignore-file
public import Model

extension Discovery.ReadWall {
  public init(
    after: String? = nil, seed: Int64? = nil, dial: Int? = nil, count: Int? = nil, genre: String? = nil,
    subcategories: [String]? = nil, _: Void = ()
  ) {
    self.after = after
    self.seed = seed
    self.dial = dial
    self.count = count
    self.genre = genre
    self.subcategories = subcategories
  }
}

extension Discovery.Wall {
  public init(
    name: Discovery.WallName, tiles: [Discovery.Tile], next: String?, round: Int = 1, endsRound: Bool = false,
    _: Void = ()
  ) {
    self.name = name
    self.tiles = tiles
    self.next = next
    self.round = round
    self.endsRound = endsRound
  }
}

extension Discovery.Tile {
  public init(
    id: AlbumID?, title: String, artist: String, artistID: ArtistID? = nil, year: Int? = nil, art: ArtID? = nil,
    isOnShelf: Bool = true, signal: Discovery.Signal, reason: String, evidence: Discovery.Evidence = .none,
    missing: Discovery.MissingAlbum? = nil, _: Void = ()
  ) {
    self.id = id
    self.title = title
    self.artist = artist
    self.artistID = artistID
    self.year = year
    self.art = art
    self.isOnShelf = isOnShelf
    self.signal = signal
    self.reason = reason
    self.evidence = evidence
    self.missing = missing
  }
}

extension Discovery.Evidence {
  public init(
    genre: String? = nil, lastPlayedAt: Timestamp? = nil, plays: Int? = nil, rating: Rating? = nil,
    addedAt: Timestamp? = nil, place: Int? = nil, favouritesOfArtist: Int? = nil, likedArtists: Int? = nil,
    favourite: String? = nil, source: String? = nil, listens: Int? = nil, listeners: Int? = nil,
    notedAt: Timestamp? = nil, _: Void = ()
  ) {
    self.genre = genre
    self.lastPlayedAt = lastPlayedAt
    self.plays = plays
    self.rating = rating
    self.addedAt = addedAt
    self.place = place
    self.favouritesOfArtist = favouritesOfArtist
    self.likedArtists = likedArtists
    self.favourite = favourite
    self.source = source
    self.listens = listens
    self.listeners = listeners
    self.notedAt = notedAt
  }
}

extension Discovery.ListNextAlbums {
  public init(wall: Discovery.WallName, after: AlbumID, limit: Int = 5, _: Void = ()) {
    self.wall = wall
    self.after = after
    self.limit = limit
  }
}

extension Discovery.NextAlbums {
  public init(albums: [AlbumID], hasMore: Bool, _: Void = ()) {
    self.albums = albums
    self.hasMore = hasMore
  }
}

extension Discovery.ShowLess {
  public init(album: AlbumID, isTakenBack: Bool? = nil, _: Void = ()) {
    self.album = album
    self.isTakenBack = isTakenBack
  }
}

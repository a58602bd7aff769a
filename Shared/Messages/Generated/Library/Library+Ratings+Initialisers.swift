// Generated from Library+Ratings.swift by `make generate`: memberwise initialisers for other modules.
// Nobody passes the last parameter. It tells an initialiser from the one that the compiler makes for this module alone.
// swift-format-ignore-file
public import Model

extension Library.Rate {
  public init(id: PlayableID, rating: Rating?, _: Void = ()) {
    self.id = id
    self.rating = rating
  }
}

extension Library.ImportRatings {
  public init(folder: LocalPath? = nil, replaces: Bool = false, isDryRun: Bool = false, _: Void = ()) {
    self.folder = folder
    self.replaces = replaces
    self.isDryRun = isDryRun
  }
}

extension Library.ImportedRatings {
  public init(
    found: Int = 0, rated: Int = 0, same: Int = 0, kept: Int = 0, unclear: Int = 0, atServers: Int = 0, _: Void = ()
  ) {
    self.found = found
    self.rated = rated
    self.same = same
    self.kept = kept
    self.unclear = unclear
    self.atServers = atServers
  }
}

extension Library.RatingChanged {
  public init(id: PlayableID, rating: Rating?, track: Track? = nil, _: Void = ()) {
    self.id = id
    self.rating = rating
    self.track = track
  }
}

extension Library.AlbumPlayed {
  public init(album: AlbumID, at: Timestamp, _: Void = ()) {
    self.album = album
    self.at = at
  }
}

extension Library.Pin {
  public init(id: CollectionID, isPinned: Bool, _: Void = ()) {
    self.id = id
    self.isPinned = isPinned
  }
}

extension Library.CatalogueChanged {
  public init(generation: Int64, albums: [AlbumID], removed: [AlbumID], isWide: Bool = false, _: Void = ()) {
    self.generation = generation
    self.albums = albums
    self.removed = removed
    self.isWide = isWide
  }
}

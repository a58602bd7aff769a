// Generated from Library+AlbumFeatures.swift by `make generate`: memberwise initialisers for other modules.
// Nobody passes the last parameter. It tells an initialiser from the one that the compiler makes for this module alone.
// swift-format-ignore-file
public import Model

extension Library.ListAlbumFeatures {
  public init(after: String? = nil, limit: Int = 500, ids: [AlbumID]? = nil, _: Void = ()) {
    self.after = after
    self.limit = limit
    self.ids = ids
  }
}

extension Library.AlbumFeaturesPage {
  public init(generation: Int64, items: [Library.AlbumFeatures], next: String? = nil, _: Void = ()) {
    self.generation = generation
    self.items = items
    self.next = next
  }
}

extension Library.AlbumFeatures {
  public init(
    id: AlbumID, title: String, artist: String, artistID: ArtistID? = nil, year: Int? = nil, tags: [String] = [],
    addedAt: Timestamp, rating: Rating? = nil, plays: Int = 0, lastPlayedAt: Timestamp? = nil,
    firstPlayedAt: Timestamp? = nil, art: ArtID? = nil, releaseGroup: String? = nil, notedAt: Timestamp? = nil,
    listeners: Int? = nil, _: Void = ()
  ) {
    self.id = id
    self.title = title
    self.artist = artist
    self.artistID = artistID
    self.year = year
    self.tags = tags
    self.addedAt = addedAt
    self.rating = rating
    self.plays = plays
    self.lastPlayedAt = lastPlayedAt
    self.firstPlayedAt = firstPlayedAt
    self.art = art
    self.releaseGroup = releaseGroup
    self.notedAt = notedAt
    self.listeners = listeners
  }
}

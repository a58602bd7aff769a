// Generated from Discovery+Sources.swift by `make generate`: memberwise initialisers for other modules.
// Nobody passes the last parameter. It tells an initialiser from the one that the compiler makes for this module alone.
// swift-format-ignore-file
public import Model

extension Discovery.DataSource.Outside {
  public init(
    title: String, adds: String, sends: String, isOn: Bool, needs: String? = nil, nextAt: Timestamp? = nil, _: Void = ()
  ) {
    self.title = title
    self.adds = adds
    self.sends = sends
    self.isOn = isOn
    self.needs = needs
    self.nextAt = nextAt
  }
}

extension Discovery.DataSource {
  public init(
    name: String, readAt: Timestamp?, items: Int, problem: LunaraError? = nil, outside: Outside? = nil, _: Void = ()
  ) {
    self.name = name
    self.readAt = readAt
    self.items = items
    self.problem = problem
    self.outside = outside
  }
}

extension Discovery.SourceList {
  public init(sources: [Discovery.DataSource], showsMissing: Bool, _: Void = ()) {
    self.sources = sources
    self.showsMissing = showsMissing
  }
}

extension Discovery.SetSource {
  public init(name: String, isOn: Bool, _: Void = ()) {
    self.name = name
    self.isOn = isOn
  }
}

extension Discovery.RefreshSource {
  public init(name: String? = nil, _: Void = ()) { self.name = name }
}

extension Discovery.SetMissingAlbums {
  public init(isOn: Bool, _: Void = ()) { self.isOn = isOn }
}

extension Discovery.MissingAlbum.Link {
  public init(name: String, url: String, _: Void = ()) {
    self.name = name
    self.url = url
  }
}

extension Discovery.MissingAlbum {
  public init(
    releaseGroup: String, title: String, artist: String, artistID: ArtistID? = nil, date: String? = nil,
    art: ArtID? = nil, source: String, links: [Link] = [], isWished: Bool = false, _: Void = ()
  ) {
    self.releaseGroup = releaseGroup
    self.title = title
    self.artist = artist
    self.artistID = artistID
    self.date = date
    self.art = art
    self.source = source
    self.links = links
    self.isWished = isWished
  }
}

extension Discovery.SetWish {
  public init(releaseGroup: String, isWished: Bool, _: Void = ()) {
    self.releaseGroup = releaseGroup
    self.isWished = isWished
  }
}

extension Discovery.WishList {
  public init(wishes: [Discovery.Wish], _: Void = ()) { self.wishes = wishes }
}

extension Discovery.Wish {
  public init(album: Discovery.MissingAlbum, at: Timestamp, id: AlbumID? = nil, _: Void = ()) {
    self.album = album
    self.at = at
    self.id = id
  }
}

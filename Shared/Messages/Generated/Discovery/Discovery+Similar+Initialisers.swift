// Generated from Discovery+Similar.swift by `make generate`: memberwise initialisers for other modules.
// Nobody passes the last parameter. It tells an initialiser from the one that the compiler makes for this module alone.
// swift-format-ignore-file
public import Model

extension Discovery.ListSimilarAlbums {
  public init(album: AlbumID, limit: Int = 12, _: Void = ()) {
    self.album = album
    self.limit = limit
  }
}

extension Discovery.SimilarAlbums {
  public init(items: [Discovery.Tile], _: Void = ()) { self.items = items }
}

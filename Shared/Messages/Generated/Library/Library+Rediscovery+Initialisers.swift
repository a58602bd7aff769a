// Generated from Library+Rediscovery.swift by `make generate`: memberwise initialisers for other modules.
// Nobody passes the last parameter. It tells an initialiser from the one that the compiler makes for this module alone.
// swift-format-ignore-file
public import Model

extension Library.ReadRediscovery {
  public init(day: String? = nil, limit: Int = 12, _: Void = ()) {
    self.day = day
    self.limit = limit
  }
}

extension Library.RediscoveryDay {
  public init(day: String, shelves: [Library.RediscoveryShelf], _: Void = ()) {
    self.day = day
    self.shelves = shelves
  }
}

extension Library.RediscoveryShelf {
  public init(
    shelf: Library.RediscoveryKind, title: String, reason: String, items: [Library.ExplainedAlbum], _: Void = ()
  ) {
    self.shelf = shelf
    self.title = title
    self.reason = reason
    self.items = items
  }
}

extension Library.ExplainedAlbum {
  public init(album: Album, reason: String, _: Void = ()) {
    self.album = album
    self.reason = reason
  }
}

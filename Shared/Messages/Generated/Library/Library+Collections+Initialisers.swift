// Generated from Library+Collections.swift by `make generate`: memberwise initialisers for other modules.
// Nobody passes the last parameter. It tells an initialiser from the one that the compiler makes for this module alone.
// swift-format-ignore-file
public import Model

extension Library.ListCollections {
  public init(after: String? = nil, limit: Int = 100, sort: Library.CollectionSort? = nil, _: Void = ()) {
    self.after = after
    self.limit = limit
    self.sort = sort
  }
}

extension Library.ReadCollection {
  public init(id: CollectionID, after: String? = nil, _: Void = ()) {
    self.id = id
    self.after = after
  }
}

extension Library.CollectionPage {
  public init(
    collection: MusicCollection, albums: [Album], artists: [Artist] = [], tracks: [Track] = [], next: String? = nil,
    _: Void = ()
  ) {
    self.collection = collection
    self.albums = albums
    self.artists = artists
    self.tracks = tracks
    self.next = next
  }
}

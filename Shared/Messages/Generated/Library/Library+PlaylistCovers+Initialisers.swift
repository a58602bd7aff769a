// Generated from Library+PlaylistCovers.swift by `make generate`: memberwise initialisers for other modules.
// Nobody passes the last parameter. It tells an initialiser from the one that the compiler makes for this module alone.
// swift-format-ignore-file
public import Model

extension Library.SetPlaylistCover {
  public init(id: PlaylistID, part: String?, offset: Int = 0, size: Int = 0, _: Void = ()) {
    self.id = id
    self.part = part
    self.offset = offset
    self.size = size
  }
}

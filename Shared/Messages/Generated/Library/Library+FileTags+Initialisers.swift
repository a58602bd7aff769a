// Generated from Library+FileTags.swift by `make generate`: memberwise initialisers for other modules.
// Nobody passes the last parameter. It tells an initialiser from the one that the compiler makes for this module alone.
// swift-format-ignore-file
public import Model

extension Library.ReadTrackTags {
  public init(id: TrackID, _: Void = ()) { self.id = id }
}

extension Library.TrackTags {
  public init(id: TrackID, path: LocalPath, tags: [Library.FileTag], omitted: Int? = nil, _: Void = ()) {
    self.id = id
    self.path = path
    self.tags = tags
    self.omitted = omitted
  }
}

extension Library.FileTag {
  public init(kind: String, name: String, value: String, length: Int? = nil, _: Void = ()) {
    self.kind = kind
    self.name = name
    self.value = value
    self.length = length
  }
}

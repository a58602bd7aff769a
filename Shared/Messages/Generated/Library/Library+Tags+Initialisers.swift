// Generated from Library+Tags.swift by `make generate`: memberwise initialisers for other modules.
// Nobody passes the last parameter. It tells an initialiser from the one that the compiler makes for this module alone.
// swift-format-ignore-file
public import Model

extension Library.Tag {
  public init(kind: Kind, name: String, isExcluded: Bool? = nil, _: Void = ()) {
    self.kind = kind
    self.name = name
    self.isExcluded = isExcluded
  }
}

extension Library.ListTags {
  public init(
    of: Library.Tag.Kind, after: String? = nil, limit: Int = 100, among: [Library.Tag]? = nil,
    sort: Library.TagSort? = nil, startingAt: String? = nil, isReversed: Bool? = nil, _: Void = ()
  ) {
    self.of = of
    self.after = after
    self.limit = limit
    self.among = among
    self.sort = sort
    self.startingAt = startingAt
    self.isReversed = isReversed
  }
}

extension Library.TagCount {
  public init(name: String, albums: Int, id: PlayableID? = nil, kind: Library.Tag.Kind? = nil, _: Void = ()) {
    self.name = name
    self.albums = albums
    self.id = id
    self.kind = kind
  }
}

// Generated from Library+Themes.swift by `make generate`: memberwise initialisers for other modules.
// Nobody passes the last parameter. It tells an initialiser from the one that the compiler makes for this module alone.
// swift-format-ignore-file
public import Model

extension Library.ThemeList {
  public init(items: [Library.Theme], _: Void = ()) { self.items = items }
}

extension Library.ReadTheme {
  public init(id: Int64, after: String? = nil, _: Void = ()) {
    self.id = id
    self.after = after
  }
}

extension Library.ThemePage {
  public init(theme: Library.Theme, albums: [Album], missing: [String]? = nil, next: String? = nil, _: Void = ()) {
    self.theme = theme
    self.albums = albums
    self.missing = missing
    self.next = next
  }
}

extension Library.SaveTheme {
  public init(
    id: Int64? = nil, title: String? = nil, text: String? = nil, rules: String? = nil, look: Library.ThemeLook? = nil,
    cover: AlbumID? = nil, adding: [AlbumID]? = nil, removing: [AlbumID]? = nil, revision: Int64? = nil, _: Void = ()
  ) {
    self.id = id
    self.title = title
    self.text = text
    self.rules = rules
    self.look = look
    self.cover = cover
    self.adding = adding
    self.removing = removing
    self.revision = revision
  }
}

extension Library.DeleteTheme {
  public init(id: Int64, isTakenBack: Bool? = nil, _: Void = ()) {
    self.id = id
    self.isTakenBack = isTakenBack
  }
}

extension Library.ThemeChanged {
  public init(id: Int64, title: String, isDeleted: Bool? = nil, _: Void = ()) {
    self.id = id
    self.title = title
    self.isDeleted = isDeleted
  }
}

extension Library.Theme {
  public init(
    id: Int64, title: String, text: String? = nil, rules: String? = nil, look: Library.ThemeLook, art: ArtID? = nil,
    albumCount: Int, revision: Int64, _: Void = ()
  ) {
    self.id = id
    self.title = title
    self.text = text
    self.rules = rules
    self.look = look
    self.art = art
    self.albumCount = albumCount
    self.revision = revision
  }
}

extension Library.ThemeLook {
  public init(first: String, second: String, texture: Library.ThemeTexture, _: Void = ()) {
    self.first = first
    self.second = second
    self.texture = texture
  }
}

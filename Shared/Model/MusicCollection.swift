/// Things that someone gathered under a name, as every surface shows it.
public struct MusicCollection: Codable, Hashable, Sendable {
  /// Its id.
  public var id: CollectionID
  /// Its title as the source spells it.
  public var title: String
  /// How many albums, artists and tracks it holds.
  public var itemCount: Int
  /// Whether a person wants it first.
  public var isPinned: Bool
  /// What its source says about it; nil where it says nothing.
  public var summary: String?
  /// Its picture; nil where it has none.
  public var art: ArtID?

  /// Makes a collection from all its parts.
  public init(
    id: CollectionID, title: String, itemCount: Int, isPinned: Bool = false, summary: String? = nil, art: ArtID? = nil
  ) {
    self.id = id
    self.title = title
    self.itemCount = itemCount
    self.isPinned = isPinned
    self.summary = summary
    self.art = art
  }
}

/// An album artist as programs show them.
public struct Artist: Codable, Hashable, Sendable {
  /// The artist's id.
  public var id: ArtistID
  /// The name as the source spells it.
  public var name: String
  /// The number of albums by this album artist.
  public var albumCount: Int
  /// The artist's picture; nil if there is none.
  public var art: ArtID?

  public init(id: ArtistID, name: String, albumCount: Int, art: ArtID? = nil) {
    self.id = id
    self.name = name
    self.albumCount = albumCount
    self.art = art
  }
}

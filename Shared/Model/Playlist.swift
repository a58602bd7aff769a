/// Tracks in an order that someone chose, as every surface shows it. It is read from its source and not changed.
public struct Playlist: Codable, Hashable, Sendable {
  /// Its id.
  public var id: PlaylistID
  /// Its title as the source spells it.
  public var title: String
  /// How many places it has; a track may stand at several.
  public var trackCount: Int
  /// The length of all of them together.
  public var duration: Milliseconds
  /// Whether its source fills it by a rule.
  public var isSmart: Bool
  /// Its picture; nil where it has none.
  public var art: ArtID?

  /// Makes a playlist from all its parts.
  public init(
    id: PlaylistID, title: String, trackCount: Int, duration: Milliseconds, isSmart: Bool = false, art: ArtID? = nil
  ) {
    self.id = id
    self.title = title
    self.trackCount = trackCount
    self.duration = duration
    self.isSmart = isSmart
    self.art = art
  }
}

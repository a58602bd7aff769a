/// A playlist as programs show it: tracks in the order that a person chose. Those of the library itself can be edited;
/// those of a source are read from it.
public struct Playlist: Codable, Hashable, Sendable {
  /// The id.
  public var id: PlaylistID
  /// The title as the source spells it.
  public var title: String
  /// The number of entries; a track may be in several.
  public var trackCount: Int
  /// The total length of all entries.
  public var duration: Milliseconds
  /// True if the source fills it by a rule.
  public var isSmart: Bool = false
  /// The picture; nil if it has none.
  public var art: ArtID? = nil
  /// The description; nil if it has none.
  public var summary: String? = nil
  /// True if its entries can be edited; nil from a library that is too old to edit playlists.
  public var isEditable: Bool? = nil
  /// The revision, which grows with every change of an editable playlist; nil if it cannot be edited.
  public var revision: Int64? = nil
  /// A sentence for people about changes that wait for the server, or that were made on both sides; nil for none.
  public var note: String? = nil
}

/// A collection as programs show it: items that a person gathered under a title.
public struct MusicCollection: Codable, Hashable, Sendable {
  /// The id.
  public var id: CollectionID
  /// The title as the source spells it.
  public var title: String
  /// The number of albums, artists and tracks in it.
  public var itemCount: Int
  /// True if a person pinned it, so that it is listed first.
  public var isPinned: Bool = false
  /// The source's description; nil if it has none.
  public var summary: String? = nil
  /// The picture; nil if it has none.
  public var art: ArtID? = nil
}

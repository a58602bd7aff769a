/// A liked track, a saved album or a followed artist.
public struct SyncItem: Codable, Hashable, Sendable {
  /// The artist.
  public var artist: String
  /// The title of the track; empty for an album or an artist.
  public var title: String = ""
  /// The title of the album; empty for an artist, or if it is not known.
  public var album: String = ""
  /// The International Standard Recording Code of the track; nil if it is not known.
  public var isrc: String? = nil
  /// The MusicBrainz id of the recording, release group or artist; nil if it is not known.
  public var musicBrainzID: String? = nil
}

/// An item as a provider has it.
public struct RemoteItem: Codable, Hashable, Sendable {
  /// The provider's id.
  public var native: String
  /// The item.
  public var item: SyncItem
  /// The time when it was added there; nil if it is not known.
  public var addedAt: Timestamp? = nil
}

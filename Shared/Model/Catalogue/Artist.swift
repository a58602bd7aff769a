/// An artist, or another person who is credited, as programs show them.
public struct Artist: Codable, Hashable, Sendable {
  /// The artist's id.
  public var id: ArtistID
  /// The name as the source spells it.
  public var name: String
  /// The number of albums of which they are the artist.
  public var albumCount: Int
  /// The artist's picture; nil if there is none.
  public var art: ArtID? = nil
  /// The number of tracks that credit them otherwise than as the artist of the album; nil for none.
  public var trackCount: Int? = nil
  /// The roles in which those tracks credit them; nil for none.
  public var roles: [CreditRole]? = nil
  /// The other names under which they are credited; nil for none, and in lists.
  public var aliases: [String]? = nil
}

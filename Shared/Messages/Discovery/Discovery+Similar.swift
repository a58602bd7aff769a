public import Model

/// Albums that are near another one.
extension Discovery {
  /// Lists the albums of the library that are near an album, the nearest first; those of its artist come last, and
  /// disliked ones are left out. Nobody outside is asked. Since 0.2.
  public struct ListSimilarAlbums: ReadRequest {
    public static let kind = "discovery.list-similar"
    /// The albums, each with its reason; refused with `discovery.notReady`, `discovery.unknownAlbum`.
    public typealias Answer = SimilarAlbums
    /// The album.
    public var album: AlbumID
    /// The largest number of albums; at most 50.
    public var limit: Int = 12
  }

  /// Albums that are near another one.
  public struct SimilarAlbums: Codable, Hashable, Sendable {
    /// The albums, the nearest first.
    public var items: [Tile]
  }
}

public import Model

/// Collections.
extension Library {
  /// The orders of a list of collections. In each, the pinned ones come first.
  public enum CollectionSort: String, Codable, Sendable {
    /// By title.
    case name
    /// By the number of items, most first.
    case items
  }

  /// Reads a page of collections, the pinned ones first.
  public struct ListCollections: ReadRequest {
    public static let kind = "library.list-collections"
    /// Sorted collections and the cursor of the next page; refused with `library.badCursor`.
    public typealias Answer = Page<MusicCollection>
    /// The cursor: `next` of the page before; nil for the first page.
    public var after: String? = nil
    /// The largest number of items; at most 200.
    public var limit: Int = 100
    /// The order; nil for that by title. Since 0.4.
    public var sort: CollectionSort? = nil
  }

  /// Reads a collection with a page of its items.
  public struct ReadCollection: ReadRequest {
    public static let kind = "library.read-collection"
    /// The collection and its items in its order; refused with `library.unknownID`, `library.badCursor`.
    public typealias Answer = CollectionPage
    /// The collection.
    public var id: CollectionID
    /// The cursor: `next` of the page before; nil for the first page of at most 200 items.
    public var after: String? = nil
  }

  /// A collection with a page of its items. Albums, artists and tracks are in separate lists; most items are albums.
  public struct CollectionPage: Codable, Hashable, Sendable {
    /// The collection.
    public var collection: MusicCollection
    /// Its albums of this page of at most 200 items, in its order.
    public var albums: [Album]
    /// Its artists.
    public var artists: [Artist] = []
    /// Its tracks.
    public var tracks: [Track] = []
    /// The cursor of the next page; nil on the last.
    public var next: String? = nil
  }
}

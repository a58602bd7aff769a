public import Model

/// Lists of albums by page and by position, and one album with its tracks.
extension Library {
  /// The orders of a list.
  public enum Sort: String, Codable, Sendable {
    /// By artist's sort name, then title.
    case name
    /// Newest arrival first.
    case added
    /// Newest release first.
    case year
    /// Last heard first.
    case played
    /// In an order drawn from the seed.
    case random
  }

  /// A page of albums.
  public struct ListAlbums: ReadRequest {
    public static let kind = "library.list-albums"
    /// Sorted albums and the cursor of the next page.
    public typealias Answer = Page<Album>
    /// The cursor: `next` of the page before; nil for the first page.
    public var after: String?
    /// The most items; capped at 200.
    public var limit: Int
    /// The order.
    public var sort: Sort
    /// The seed of the random order.
    public var seed: Int64?
    /// Only albums with this genre, mood or style; nil for all.
    public var tag: Tag?
    /// Begin with the first album whose sort value is not before this text, in the order by name alone; nil for all.
    public var startingAt: String?

    public init(
      after: String? = nil, limit: Int = 100, sort: Sort = .name, seed: Int64? = nil, tag: Tag? = nil,
      startingAt: String? = nil
    ) {
      self.after = after
      self.limit = limit
      self.sort = sort
      self.seed = seed
      self.tag = tag
      self.startingAt = startingAt
    }
  }

  /// A page of a sorted list.
  public struct Page<Item: Codable & Hashable & Sendable>: Codable, Hashable, Sendable {
    /// The items, sorted.
    public var items: [Item]
    /// The cursor to give as `after`; nil on the last page.
    public var next: String?

    public init(items: [Item], next: String?) {
      self.items = items
      self.next = next
    }
  }

  /// One album with a page of its tracks.
  public struct ReadAlbum: ReadRequest {
    public static let kind = "library.read-album"
    /// The album and tracks by disc and number.
    public typealias Answer = AlbumPage
    /// The album; any of a merged album's member ids will do.
    public var id: AlbumID
    /// The cursor; nil for the first page of at most 200 tracks.
    public var after: String?

    public init(id: AlbumID, after: String? = nil) {
      self.id = id
      self.after = after
    }
  }

  /// An album with a page of its tracks.
  public struct AlbumPage: Codable, Hashable, Sendable {
    /// The album.
    public var album: Album
    /// Its tracks by disc, number, title.
    public var tracks: [Track]
    /// The cursor of the next page; nil on the last.
    public var next: String?
    /// Its moods; nil from an older library.
    public var moods: [String]?
    /// Its styles; nil from an older library.
    public var styles: [String]?

    public init(
      album: Album, tracks: [Track], next: String? = nil, moods: [String]? = nil, styles: [String]? = nil
    ) {
      self.album = album
      self.tracks = tracks
      self.next = next
      self.moods = moods
      self.styles = styles
    }
  }

  /// Reads any part of a list of albums, for a view that draws only the visible part of a long list.
  public struct ReadAlbumWindow: ReadRequest {
    public static let kind = "library.read-album-window"
    /// The part, and how long the whole is.
    public typealias Answer = AlbumWindow
    /// The order.
    public var sort: Sort
    /// The seed of the random order; nil draws one.
    public var seed: Int64?
    /// Only albums with this tag; nil for all.
    public var tag: Tag?
    /// The position of the first album, from 0.
    public var first: Int
    /// The most items; capped at 200.
    public var limit: Int

    public init(sort: Sort = .name, seed: Int64? = nil, tag: Tag? = nil, first: Int = 0, limit: Int = 100) {
      self.sort = sort
      self.seed = seed
      self.tag = tag
      self.first = first
      self.limit = limit
    }
  }

  /// A part of a list of albums. Parts with the same generation fit together; of two with another the newer is right.
  public struct AlbumWindow: Codable, Hashable, Sendable {
    /// The number of albums in the whole list.
    public var total: Int
    /// The position of the first item.
    public var first: Int
    /// The albums from there on; fewer than asked for at the end, or where more do not fit into an answer.
    public var items: [Album]
    /// The seed of the random order; nil in the others.
    public var seed: Int64?
    /// The catalogue's generation.
    public var generation: Int64

    public init(total: Int, first: Int, items: [Album], seed: Int64? = nil, generation: Int64) {
      self.total = total
      self.first = first
      self.items = items
      self.seed = seed
      self.generation = generation
    }
  }

  /// Reads the positions at which letters, years or months begin in a list of albums.
  public struct IndexAlbums: ReadRequest {
    public static let kind = "library.index-albums"
    /// The marks; the random order has none.
    public typealias Answer = AlbumIndex
    /// The order.
    public var sort: Sort
    /// Only albums with this tag; nil for all.
    public var tag: Tag?

    public init(sort: Sort = .name, tag: Tag? = nil) {
      self.sort = sort
      self.tag = tag
    }
  }

  /// The positions at which letters, years or months begin in a list of albums.
  public struct AlbumIndex: Codable, Hashable, Sendable {
    /// The number of albums in the list.
    public var total: Int
    /// The catalogue's generation.
    public var generation: Int64
    /// The marks in the list's order, which hold every album once.
    public var marks: [Mark]

    public init(total: Int, generation: Int64, marks: [Mark]) {
      self.total = total
      self.generation = generation
      self.marks = marks
    }

    /// One mark.
    public struct Mark: Codable, Hashable, Sendable {
      /// A letter of the artists' names in upper case, `#` for digits, `…` for what is beyond the 200th letter; a year
      /// as digits; a month as `2025-11`. Empty where there is none.
      public var name: String
      /// The position of the first album.
      public var first: Int
      /// The number of albums.
      public var count: Int

      public init(name: String, first: Int, count: Int) {
        self.name = name
        self.first = first
        self.count = count
      }
    }
  }
}

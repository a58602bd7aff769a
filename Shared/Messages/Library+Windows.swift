public import Model

/// Reading a list of albums by places: what a view needs that draws only what is seen of a long list.
extension Library {
  /// Any part of a list of albums.
  public struct ReadAlbumWindow: Request {
    /// The stable name.
    public static let kind = "library.read-album-window"
    /// It changes nothing.
    public static let isCommand = false
    /// The part, and how long the whole is.
    public typealias Answer = AlbumWindow
    /// The order.
    public var sort: Sort
    /// The seed of the random order; nil draws one.
    public var seed: Int64?
    /// Only albums with this word; nil for all.
    public var tag: Tag?
    /// The place of the first album, from 0.
    public var first: Int
    /// How many at most; capped at 200.
    public var limit: Int

    /// Makes a request.
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
    /// How many albums the whole list has.
    public var total: Int
    /// The place of the first item.
    public var first: Int
    /// The albums from there on; fewer than asked for at the end, or where more do not fit into an answer.
    public var items: [Album]
    /// The seed of the random order; nil in the others.
    public var seed: Int64?
    /// The catalogue's generation.
    public var generation: Int64

    /// Makes a part.
    public init(total: Int, first: Int, items: [Album], seed: Int64? = nil, generation: Int64) {
      self.total = total
      self.first = first
      self.items = items
      self.seed = seed
      self.generation = generation
    }
  }

  /// Where letters, years or months begin in a list of albums.
  public struct IndexAlbums: Request {
    /// The stable name.
    public static let kind = "library.index-albums"
    /// It changes nothing.
    public static let isCommand = false
    /// The marks; the random order has none.
    public typealias Answer = AlbumIndex
    /// The order.
    public var sort: Sort
    /// Only albums with this word; nil for all.
    public var tag: Tag?

    /// Makes a request.
    public init(sort: Sort = .name, tag: Tag? = nil) {
      self.sort = sort
      self.tag = tag
    }
  }

  /// Where something begins in a list of albums.
  public struct AlbumIndex: Codable, Hashable, Sendable {
    /// How many albums the list has.
    public var total: Int
    /// The catalogue's generation.
    public var generation: Int64
    /// The marks in the list's order, which hold every album once.
    public var marks: [Mark]

    /// Makes an index.
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
      /// The place of the first album.
      public var first: Int
      /// How many albums there are.
      public var count: Int

      /// Makes a mark.
      public init(name: String, first: Int, count: Int) {
        self.name = name
        self.first = first
        self.count = count
      }
    }
  }
}

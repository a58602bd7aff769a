public import Model

/// The ratings and pins of a person, and the changes that follow from them.
extension Library {
  /// Gives something a rating, or takes it away.
  public struct Rate: CommandRequest {
    public static let kind = "library.rate"
    /// Answers once the source has taken it; refused with `library.unknownID`, `library.notRateable`,
    /// `library.sourceAway` where the source cannot be reached, `library.signedOut`.
    public typealias Answer = Done
    /// An album, a track or an artist.
    public var id: PlayableID
    /// The rating; nil takes it away.
    public var rating: Rating?

    public init(id: PlayableID, rating: Rating?) {
      self.id = id
      self.rating = rating
    }
  }

  /// Something was given another rating, here or at its source.
  public struct RatingChanged: Fact {
    public static let kind = "library.rating-changed"
    /// It can be found out again; losing it in a power cut is no harm.
    public static let survives = Durability.process
    /// The rated item.
    public var id: PlayableID
    /// The rating; nil where it was taken away.
    public var rating: Rating?
    /// The rated track, from which the scrobbler sends loves; nil for albums and artists.
    public var track: Track?

    public init(id: PlayableID, rating: Rating?, track: Track? = nil) {
      self.id = id
      self.rating = rating
      self.track = track
    }
  }

  /// Puts a collection first, or back among the others.
  public struct Pin: CommandRequest {
    public static let kind = "library.pin"
    /// Answers once it is done; refused with `library.unknownID`.
    public typealias Answer = Done
    /// The collection.
    public var id: CollectionID
    /// True if it comes first.
    public var isPinned: Bool

    public init(id: CollectionID, isPinned: Bool) {
      self.id = id
      self.isPinned = isPinned
    }
  }

  /// The changes in the catalogue, so that programs read only these items again. Many changes are several facts.
  public struct CatalogueChanged: Fact {
    public static let kind = "library.catalogue-changed"
    /// The catalogue itself holds the result; losing this in a power cut is no harm.
    public static let survives = Durability.process
    /// The generation of the catalogue that holds it.
    public var generation: Int64
    /// Albums that came or are different, at most 500.
    public var albums: [AlbumID]
    /// Albums that are gone, or are shown as part of another now; at most 500.
    public var removed: [AlbumID]
    /// True if more changed than is named here, so that everything must be read again.
    /// `albums` and `removed` are empty then.
    public var isWide: Bool

    public init(generation: Int64, albums: [AlbumID], removed: [AlbumID], isWide: Bool = false) {
      self.generation = generation
      self.albums = albums
      self.removed = removed
      self.isWide = isWide
    }
  }
}

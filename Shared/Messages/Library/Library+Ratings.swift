public import Model

/// Ratings and pins by people, and the facts about changes.
extension Library {
  /// Sets or removes the rating of an item.
  public struct Rate: CommandRequest {
    public static let kind = "library.rate"
    /// Answers after the source has accepted the rating; refused with `library.unknownID`, `library.notRateable`,
    /// `library.sourceAway` if the source cannot be reached, `library.signedOut`. `RatingChanged` follows.
    public typealias Answer = Done
    /// The id of an album, a track or an artist.
    public var id: PlayableID
    /// The rating in half stars, 0 to 10; nil to remove it.
    public var rating: Rating?
  }

  /// Takes over the ratings of tracks that other players wrote into the tags of music files, from what the last scan
  /// read. A track that has a rating here keeps it unless `replaces` is true. `RatingChanged` follows for each track
  /// that is rated. Since 0.2.
  public struct ImportRatings: CommandRequest {
    public static let kind = "library.import-ratings"
    /// Answers after the ratings are stored; refused with `library.unknownFolder`.
    public typealias Answer = ImportedRatings
    /// The folder of the library's host whose files are read, with those below it, as a `file:` URL; nil for all music
    /// folders.
    public var folder: LocalPath? = nil
    /// True if ratings that were given here are replaced, too.
    public var replaces: Bool = false
    /// True if nothing is changed.
    public var isDryRun: Bool = false
  }

  /// The result of an import of ratings.
  public struct ImportedRatings: Codable, Hashable, Sendable {
    /// The number of tracks whose tags have a rating.
    public var found: Int = 0
    /// The number of tracks that were rated, or would be.
    public var rated: Int = 0
    /// The number of tracks that have the same rating already.
    public var same: Int = 0
    /// The number of tracks that keep another rating.
    public var kept: Int = 0
    /// The number of tracks whose rating is written in a way that is not known.
    public var unclear: Int = 0
    /// The number of tracks whose ratings a server keeps, which are left out.
    public var atServers: Int = 0
  }

  /// The rating of an item was changed, here or at its source.
  public struct RatingChanged: Fact {
    public static let kind = "library.rating-changed"
    /// It may be lost in a power cut, as the rating itself is stored.
    public static let survives = Durability.process
    /// The rated item.
    public var id: PlayableID
    /// The rating in half stars; nil if it was removed.
    public var rating: Rating?
    /// The rated track, for services that get it as a love and for the queues of rooms; nil for albums and artists.
    public var track: Track? = nil
  }

  /// A listen to an album counted, and the library has added it to the album's plays. It is reported once; a listen to
  /// a track that is not in the library is not reported. Since 0.3.
  public struct AlbumPlayed: Fact {
    public static let kind = "library.album-played"
    /// It may be lost in a power cut, as the listen itself is stored.
    public static let survives = Durability.process
    /// The album that is shown for the track that was played.
    public var album: AlbumID
    /// The time when the listen counted.
    public var at: Timestamp
  }

  /// Pins a collection to the beginning of the list, or unpins it.
  public struct Pin: CommandRequest {
    public static let kind = "library.pin"
    /// Answers after the change is stored; refused with `library.unknownID`.
    public typealias Answer = Done
    /// The collection.
    public var id: CollectionID
    /// True to pin it, so that it is listed before the others.
    public var isPinned: Bool
  }

  /// The catalogue was changed; programs read only these items again. A large change is reported in several facts.
  public struct CatalogueChanged: Fact {
    public static let kind = "library.catalogue-changed"
    /// It may be lost in a power cut, as the catalogue itself contains the result.
    public static let survives = Durability.process
    /// The generation of the catalogue that contains the change.
    public var generation: Int64
    /// The albums that are new or were changed, at most 500.
    public var albums: [AlbumID]
    /// The albums that are gone, or are now shown as part of another one; at most 500.
    public var removed: [AlbumID]
    /// True if more was changed than can be listed, so that everything has to be read again. `albums` and `removed` are
    /// empty then.
    public var isWide: Bool = false
  }
}

import Model

/// An album with what walls need of it. 10,000 of them take less than a megabyte, so that a wall is made in memory.
struct OwnedAlbum: Hashable, Sendable {
  /// A person's opinion of an album.
  enum Opinion: Int8, Sendable {
    case none, liked, disliked
  }

  /// The number of its row in the service's database.
  var number: Int32
  /// The number of listeners in the world of its best known track, as a Plex server gives it; 0 if unknown.
  var listeners: Int32 = 0
  /// A number for its artist.
  var artist: Int64
  /// The year of the original release; 0 if unknown.
  var year: Int16 = 0
  /// The rating in half stars; -1 for none.
  var rating: Int8 = -1
  var opinion = Opinion.none
  var set: GenreSet
  /// The time when it was added, in seconds since 1970.
  var addedAt: Int64
  /// The time of the last play; 0 for never.
  var playedAt: Int64 = 0
  var plays: Int32 = 0
  /// The time of the last note about it, in seconds since 1970; 0 for none.
  var notedAt: UInt32 = 0

  /// True if a person likes it, or rated it with 4 stars or more.
  var isFavourite: Bool { opinion == .liked || (rating >= 8 && opinion != .disliked) }
}

/// The albums of the household with a person's opinions: all that walls are made from.
struct OwnedAlbums: Sendable {
  var albums: [OwnedAlbum]
  /// The number of genres, without the one that stands for none.
  var genreCount: Int
  var subcategoryCount: Int
  /// The numbers of albums of which a person wants to see less, as rows of the database.
  var unwanted: Set<Int32> = []
  /// The albums that sources outside the house named.
  var outside = OutsideAlbums()
}

/// The lengths of time by which albums are chosen.
enum Ages {
  static let day: Int64 = 86_400
  /// The time within which plays say what is played in the house, and additions are new.
  static let recent = 90 * day
  /// The time without a play after which an album counts as not played for a while.
  static let rested = 30 * day
  /// The time after which an album counts as forgotten.
  static let forgotten = 365 * day
  /// The longest age. An older listen, note or album has its time from a clock that was not set.
  static let longest = 27 * 366 * day

  /// Returns the year of a time in UTC.
  static func year(of seconds: Int64) -> Int {
    Int(Timestamp(seconds: seconds).description.prefix(4)) ?? 1970
  }
}

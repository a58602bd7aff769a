import Messages
import Model

/// An album with the facts by which a shelf chooses it.
struct RediscoveryAlbum: Hashable, Sendable {
  /// The number of the album in the catalogue.
  var number: Int64
  /// The number of its artist.
  var artist: Int64
  var tracks: Int
  var addedAt: Timestamp
  /// The time of the last play; nil if it was never played.
  var playedAt: Timestamp?
  var rating: Rating?
  var isLiked = false
  /// The year of its release, if it was released on the day of the calendar that is asked for.
  var releasedOnDay: Int?
}

/// An event of an album on the same day of the calendar in a former year.
struct Anniversary: Hashable, Sendable {
  /// The events. Of several for one album, the one with the smallest number is shown.
  enum Event: Int, Comparable {
    case noted, heard, added, released

    static func < (left: Event, right: Event) -> Bool { left.rawValue < right.rawValue }
  }

  var album: Int64
  var event: Event
  /// The number of years since then.
  var years: Int
}

/// An artist who was played lately.
struct PlayedArtist: Hashable, Sendable {
  var number: Int64
  var name: String
  /// The number of plays of the last `RediscoveryFacts.recentDays` days.
  var plays: Int
}

/// The opinions of albums, by the numbers of the albums.
struct AlbumOpinions: Hashable, Sendable {
  var likes: Set<Int64> = []
  var dislikes: Set<Int64> = []
}

/// The state of the library from which a day's shelves are made.
///
/// Counting the plays of all albums would take longer than a person waits. So each shelf looks at a part of the albums,
/// its candidates, which differ each day, and only their history is read.
struct RediscoveryFacts: Sendable {
  /// A day in seconds.
  static let day: Int64 = 86_400
  /// The days without a play after which an album counts as forgotten.
  static let longDays: Int64 = 182
  /// Plays of so many days count as lately.
  static let recentDays: Int64 = 90
  /// The largest numbers of candidates of the shelves.
  private static let mostPraised = 60
  private static let mostPlayed = 120
  private static let mostUnheard = 60
  private static let mostBegun = 300

  let now: Timestamp
  /// The moment when the day began.
  let dayStart: Timestamp
  /// The number from which the choices of the day follow.
  let seed: UInt64
  /// The albums of the lists, without those that are disliked.
  let albums: [RediscoveryAlbum]
  /// Albums that were played, but not lately: first those with four stars or a like, then some others.
  let forgottenCandidates: [RediscoveryAlbum]
  /// Albums that have been here for a week and were never played.
  let unheardCandidates: [RediscoveryAlbum]
  /// Albums of four tracks or more that were played, and not in the last two weeks.
  let halfHeardCandidates: [RediscoveryAlbum]
  /// The number of plays of `forgottenCandidates` and `unheardCandidates`; an album without plays has no entry.
  var plays: [Int64: Int] = [:]
  /// The number of tracks that were played of `halfHeardCandidates`.
  var heardTracks: [Int64: Int] = [:]
  var anniversaries: [Anniversary] = []
  var artists: [PlayedArtist] = []

  init(now: Timestamp, dayStart: Timestamp, seed: UInt64, albums: [RediscoveryAlbum]) {
    self.now = now
    self.dayStart = dayStart
    self.seed = seed
    self.albums = albums
    func isOlder(_ moment: Timestamp?, _ days: Int64) -> Bool {
      moment.map { now.seconds - $0.seconds >= days * Self.day } ?? false
    }
    func first(_ most: Int, _ fits: (RediscoveryAlbum) -> Bool) -> [RediscoveryAlbum] {
      Array(Self.ordered(albums.filter(fits), seed).prefix(most))
    }
    forgottenCandidates =
      first(Self.mostPraised) { $0.isPraised && isOlder($0.playedAt, Self.longDays) }
      + first(Self.mostPlayed) { !$0.isPraised && isOlder($0.playedAt, Self.longDays) }
    unheardCandidates = first(Self.mostUnheard) { $0.playedAt == nil && isOlder($0.addedAt, 7) }
    halfHeardCandidates = first(Self.mostBegun) { $0.tracks >= 4 && isOlder($0.playedAt, 14) }
  }

  /// Returns the seconds since a moment.
  func age(of moment: Timestamp) -> Int64 { now.seconds - moment.seconds }

  /// Returns the place of an album in the order of the day. The order of the others stays when an album comes or goes.
  func place(of number: Int64) -> UInt64 { Self.place(of: number, seed) }

  /// Returns albums in the order of the day.
  func inOrderOfDay(_ albums: [RediscoveryAlbum]) -> [RediscoveryAlbum] { Self.ordered(albums, seed) }

  private static func place(of number: Int64, _ seed: UInt64) -> UInt64 {
    SplitMix64.mix(seed &+ UInt64(bitPattern: number) &* SplitMix64.increment)
  }

  private static func ordered(_ albums: [RediscoveryAlbum], _ seed: UInt64) -> [RediscoveryAlbum] {
    albums.indices.map { (place: place(of: albums[$0].number, seed), index: $0) }.sorted { $0.place < $1.place }
      .map { albums[$0.index] }
  }
}

extension RediscoveryAlbum {
  /// True if a person gave it four stars or more, or likes it.
  var isPraised: Bool { isLiked || (rating?.rawValue ?? 0) >= 8 }
}

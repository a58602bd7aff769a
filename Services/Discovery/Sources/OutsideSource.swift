import Messages
import Model

/// A source outside the house, from which a worker reads at most daily while it is on. A new one is a type that
/// conforms to this protocol, and an entry in `OutsideSources.all`.
protocol OutsideSource: Sendable {
  /// The name in requests, such as `listenbrainz-popularity`.
  static var name: String { get }
  /// The name on screen, which reasons mention.
  static var title: String { get }
  /// The sentence that says what it adds to walls.
  static var adds: String { get }
  /// The sentence that says what leaves the house for it.
  static var sends: String { get }
  /// The kind of scrobble account with which it is read; nil for none.
  static var account: String? { get }
  /// The time between two readings, in seconds: a day at least.
  static var interval: Int64 { get }

  /// Reads the next part. Each part is stored with its cursor, so that a reading continues where it was when the
  /// service is killed.
  ///
  /// - Parameter cursor: `next` of the part before; nil for the first.
  /// - Throws: `discovery.sourceAway`, `SourcePause`, and the errors of the services that are asked.
  static func step(from cursor: String?, _ house: HouseAlbums, _ access: OutsideAccess) async throws -> SourceStep
}

extension OutsideSource {
  static var account: String? { nil }
  static var interval: Int64 { Ages.day }
}

/// A part of what a source gives.
struct SourceStep: Sendable {
  var finds: [Find]
  /// The cursor of the next part; nil after the last.
  var next: String?
  /// The error of what this part passed over; nil if it passed over nothing. It is shown, and the reading continues.
  var problem: LunaraError?
  /// True for the last part of a reading that got no answer at all. The earlier finds then stay.
  var isUnanswered = false

  /// The step of a reading that got no answer.
  static var unanswered: SourceStep {
    var step = SourceStep()
    step.isUnanswered = true
    return step
  }

  init(_ finds: [Find] = [], next: String? = nil, problem: LunaraError? = nil) {
    self.finds = finds
    self.next = next
    self.problem = problem
  }
}

/// The refusal of a source that asks not to be asked for a while.
struct SourcePause: Error {
  var until: Timestamp
  var error: LunaraError
}

/// An album or an artist that a source named.
struct Find: Hashable, Sendable {
  /// The signal to which it belongs.
  var signal: Discovery.Signal
  var kind: Clue.Kind
  /// The MusicBrainz id of the release group; nil if unknown.
  var releaseGroup: String?
  var artist = ""
  /// The title; nil for all albums of the artist.
  var title: String?
  /// The album of the library, where the source names that.
  var album: AlbumID?
  /// The date of the first release.
  var date: String?
  /// The number of listens that the source counted.
  var listens: Int?
  /// The place in the source's list, from 1.
  var place: Int?
  /// The title or the artist near which it is, or the genre in whose chart it is.
  var near: String?
}

/// The words of a source about an album: the fact behind a reason.
struct Clue: Hashable, Sendable {
  enum Kind: String, Sendable {
    /// The world's listens of an album that the house has.
    case popular
    /// The listeners at Last.fm that a Plex server gives, in `listens`.
    case listeners
    /// A place in the chart of the world.
    case chart
    /// A place in the chart of a genre, whose name is in `near`.
    case genreChart
    /// The person's own plays elsewhere.
    case elsewhere
    /// A recommendation for the person.
    case recommended
    /// A new release.
    case release
    /// An artist near one of the house.
    case similarArtist
    /// An album near one of the house.
    case similarAlbum
    /// An album of an artist of the house.
    case discography
  }

  var kind: Kind
  /// The name on screen of the source.
  var source: String
  /// The index of the genre in which `place` counts; nil for all.
  var genre: Int?
  var place: Int?
  var listens: Int?
  var near: String?
}

/// The sources that there are.
enum OutsideSources {
  /// The sources, in their order on screen.
  static let all: [any OutsideSource.Type] = [
    ListenBrainzPopularity.self, ListenBrainzCharts.self, ListenBrainzListens.self, ListenBrainzRecommendations.self,
    ListenBrainzReleases.self, ListenBrainzArtists.self, LastFMArtists.self, LastFMGenres.self, LastFMListens.self,
    MusicBrainzReleases.self, CoverArt.self, SimilarOnServers.self,
  ]

  /// - Throws: `discovery.unknownSource`.
  static func named(_ name: String) throws(LunaraError) -> any OutsideSource.Type {
    guard let source = all.first(where: { $0.name == name }) else {
      throw LunaraError(
        "discovery.unknownSource",
        "There is no source “\(name.prefix(80))”. `lunara discovery sources` lists those there are.")
    }
    return source
  }
}

/// The Cover Art Archive: nothing is read ahead. While it is on, albums that are not in the library have a cover, which
/// the artwork of the library fetches when a page shows it.
enum CoverArt: OutsideSource {
  static let name = "coverart"
  static let title = "Cover Art Archive"
  static let adds = "Covers of albums that are not in the library."
  static let sends = "The MusicBrainz ids of those of these albums that a page shows."

  static func step(from cursor: String?, _ house: HouseAlbums, _ access: OutsideAccess) async throws -> SourceStep {
    SourceStep()
  }

  /// Returns the cover of a release group, as an id that the artwork of the library knows.
  static func art(of releaseGroup: String, at base: String) -> ArtID {
    ArtID(source: "cover", native: "\(base)/release-group/\(releaseGroup)/front-500")
  }
}

public import Model

/// Opinions of people on albums: likes and dislikes, which shape walls and feeds, and the writing of them to servers.
extension Library {
  /// The opinion of a person on an album.
  public enum Opinion: String, TolerantName {
    case like
    case dislike
    case unknown
  }

  /// Gives an opinion of an album, replaces it or takes it back. A like and a dislike exclude each other. The album may
  /// be one that was removed and has an opinion. Since 0.2.
  public struct SetOpinion: CommandRequest {
    public static let kind = "library.set-opinion"
    /// Answers after the opinion is stored; refused with `library.unknownOpinion`, `library.unknownID`. Servers are
    /// told later. `OpinionChanged` follows.
    public typealias Answer = OpinionBefore
    /// The album.
    public var id: AlbumID
    /// The opinion; nil to take it back. Servers keep what they already received.
    public var opinion: Opinion?
  }

  /// The opinion that a change replaced, with which it can be undone.
  public struct OpinionBefore: Codable, Hashable, Sendable {
    /// The opinion before the change; nil if there was none. With it the change is undone.
    public var before: Opinion?
  }

  /// Lists opinions, the latest first. Since 0.2.
  public struct ListOpinions: ReadRequest {
    public static let kind = "library.list-opinions"
    /// A page of opinions; refused with `library.badCursor`.
    public typealias Answer = OpinionPage
    /// Only likes or only dislikes; nil for both.
    public var opinion: Opinion? = nil
    /// The cursor: `next` of the page before; nil for the first page.
    public var after: String? = nil
    /// The largest number of items; at most 500.
    public var limit: Int = 200
  }

  /// A page of opinions.
  public struct OpinionPage: Codable, Hashable, Sendable {
    /// The opinions, the latest first.
    public var items: [AlbumOpinion]
    /// The cursor of the next page; nil on the last.
    public var next: String? = nil
  }

  /// An opinion of an album. Its words are kept from the time when the opinion was given, so that it can be read while
  /// the album is not in the library.
  public struct AlbumOpinion: Codable, Hashable, Sendable {
    /// The album.
    public var id: AlbumID
    /// Its title.
    public var title: String
    /// Its artist.
    public var artist: String
    /// The year of the original release; nil if unknown.
    public var year: Int? = nil
    /// The cover; nil if it has none, or is not in the library.
    public var art: ArtID? = nil
    /// The opinion.
    public var opinion: Opinion
    /// The time when it was given.
    public var at: Timestamp
    /// False while the album is not in the library; nil for true. Its opinion returns with it.
    public var isHere: Bool? = nil
    /// The services that did not accept it so far, with the reason; nil if there is none.
    public var problems: [SharingProblem]? = nil
  }

  /// A service that did not accept an opinion.
  public struct SharingProblem: Codable, Hashable, Sendable {
    /// The kind of service, such as `plex` or `listenbrainz`.
    public var service: String
    /// The reason.
    public var error: LunaraError
  }

  /// Reads the ids of all albums of which there is an opinion. Since 0.2.
  public struct ReadOpinions: ReadRequest {
    public static let kind = "library.read-opinions"
    /// The ids, a page of at most 2,000 at a time; refused with `library.badCursor`. A reader whose pages have
    /// different revisions begins again.
    public typealias Answer = OpinionIDs
    /// The revision that the reader knows; nil if it knows none.
    public var since: Int64? = nil
    /// The cursor: `next` of the page before; nil for the first page.
    public var after: String? = nil
  }

  /// The ids of albums of which there is an opinion.
  public struct OpinionIDs: Codable, Hashable, Sendable {
    /// The number that grows with every change of an opinion, also with one of its album's id.
    public var revision: Int64
    /// True if nothing has changed since the revision that the reader knows; there are no ids then.
    public var isSame: Bool = false
    /// The liked albums.
    public var likes: [AlbumID] = []
    /// The disliked albums.
    public var dislikes: [AlbumID] = []
    /// The cursor of the next page; nil on the last.
    public var next: String? = nil
  }

  /// An opinion was given, replaced or taken back, or is that of another album now, as albums were merged, separated or
  /// renumbered: then one fact ends it at the former id, and another gives it at the new one. Since 0.2.
  public struct OpinionChanged: Fact {
    public static let kind = "library.opinion-changed"
    /// It may be lost in a power cut, as the opinion itself is stored.
    public static let survives = Durability.process
    /// The album.
    public var id: AlbumID
    /// The opinion; nil if there is none any more.
    public var opinion: Opinion?
    /// The title of the album.
    public var title: String
    /// The artist of the album.
    public var artist: String
    /// The MusicBrainz id of the album's release group; nil if unknown.
    public var releaseGroup: String? = nil
  }

  /// Reads which servers receive opinions, and what waits to be sent. Since 0.2.
  public struct ReadOpinionSharing: ReadRequest {
    public static let kind = "library.read-opinion-sharing"
    /// The kinds of service that can receive opinions.
    public typealias Answer = OpinionSharing

    public init() {}
  }

  /// The kinds of service that can receive opinions.
  public struct OpinionSharing: Codable, Hashable, Sendable {
    /// The kinds of service, in their order on screen.
    public var services: [Service]

    /// A kind of service that can receive opinions.
    public struct Service: Codable, Hashable, Sendable {
      /// The name in requests, such as `plex` or `listenbrainz`.
      public var service: String
      /// The name on screen.
      public var title: String
      /// A sentence that says what the service receives.
      public var sends: String
      /// True while it receives opinions.
      public var isOn: Bool
      /// The number of opinions that wait to be sent.
      public var waiting: Int = 0
      /// The number of opinions that were refused.
      public var failed: Int = 0
      /// The last error; nil if the last one succeeded.
      public var problem: LunaraError? = nil
    }
  }

  /// Switches the telling of a kind of service on or off. What waits is dropped when it is switched off, and what is
  /// said meanwhile is not sent later. Since 0.2.
  public struct SetOpinionSharing: CommandRequest {
    public static let kind = "library.set-opinion-sharing"
    /// Answers after it is stored; refused with `library.unknownService`.
    public typealias Answer = Done
    /// The kind of service.
    public var service: String
    /// True to send opinions to it.
    public var isOn: Bool
  }

  /// Tells services again of the opinions that they have refused. Since 0.2.
  public struct RetryOpinions: CommandRequest {
    public static let kind = "library.retry-opinions"
    /// Answers after the opinions wait again; refused with `library.unknownService`.
    public typealias Answer = Done
    /// The kind of service; nil for all.
    public var service: String? = nil
  }

  /// Lists albums of the library that the server of an album names as similar to it. Plex names them by its sonic
  /// analysis, OpenSubsonic servers by the extension `sonicSimilarity` or by the artist; music folders name none. Since
  /// 0.2.
  public struct ListSimilarAlbums: ReadRequest {
    public static let kind = "library.list-similar-albums"
    /// The albums, the most similar first; refused with `library.unknownID`, `library.sourceAway`, `library.signedOut`.
    /// Empty if the server names none or cannot know any.
    public typealias Answer = SimilarAlbums
    /// The album.
    public var id: AlbumID
    /// The largest number of albums; at most 50.
    public var limit: Int = 25
  }

  /// Albums that a server names as similar.
  public struct SimilarAlbums: Codable, Hashable, Sendable {
    /// The albums, the most similar first.
    public var albums: [AlbumID]
  }
}

public import Model

/// The sources of the data from which walls are made, and albums that are not in the library.
extension Discovery {
  /// A source of the data from which walls are made.
  public struct DataSource: Codable, Hashable, Sendable {
    /// The name, such as `library` or `listenbrainz-popularity`.
    public var name: String
    /// The time when it was read last; nil if never.
    public var readAt: Timestamp?
    /// The number of items that it gave.
    public var items: Int
    /// The last error; nil if the last reading succeeded.
    public var problem: LunaraError? = nil
    /// The part that a person can switch; nil for a source inside the house.
    public var outside: Outside? = nil

    /// A source outside the house.
    public struct Outside: Codable, Hashable, Sendable {
      /// The name on screen.
      public var title: String
      /// A sentence that says what it adds to walls.
      public var adds: String
      /// A sentence that says what leaves the house for it.
      public var sends: String
      /// True while it is read, at most daily.
      public var isOn: Bool
      /// A sentence that says what is missing before it can be read, such as an account; nil if nothing is.
      public var needs: String? = nil
      /// The time of the next reading; nil if none is planned.
      public var nextAt: Timestamp? = nil
    }
  }

  /// Lists the sources of data, those outside the house too. Since 0.2.
  public struct ListSources: ReadRequest {
    public static let kind = "discovery.list-sources"
    /// The sources, and whether albums that are not in the library are shown.
    public typealias Answer = SourceList

    public init() {}
  }

  /// The sources of data.
  public struct SourceList: Codable, Hashable, Sendable {
    /// The sources, those of the house first.
    public var sources: [DataSource]
    /// True if walls have albums that are not in the library, at the positions 3 to 5 of the dial.
    public var showsMissing: Bool
  }

  /// Switches a source outside the house on or off. What it gave is forgotten when it is switched off. Since 0.2.
  public struct SetSource: CommandRequest {
    public static let kind = "discovery.set-source"
    /// Answers after it is stored; refused with `discovery.unknownSource`.
    public typealias Answer = Done
    /// The name of the source.
    public var name: String
    /// True to read it. What it gave is forgotten when it is switched off.
    public var isOn: Bool
  }

  /// Reads a source again soon, whatever its age. Since 0.2.
  public struct RefreshSource: CommandRequest {
    public static let kind = "discovery.refresh-source"
    /// Answers once the reading is planned, before the source was read; refused with `discovery.unknownSource` and
    /// `discovery.sourceOff`.
    public typealias Answer = Done
    /// The name of the source; nil for all that are on.
    public var name: String? = nil
  }

  /// Shows albums that are not in the library on walls, or leaves them out. Since 0.2.
  public struct SetMissingAlbums: CommandRequest {
    public static let kind = "discovery.set-missing-albums"
    /// Answers after it is stored.
    public typealias Answer = Done
    /// True if walls have albums that are not in the library, at the positions 3 to 5 of the dial.
    public var isOn: Bool
  }

  /// An album that is not in the library: a release group of MusicBrainz.
  public struct MissingAlbum: Codable, Hashable, Sendable {
    /// The MusicBrainz id of the release group.
    public var releaseGroup: String
    /// The title, at most 200 characters.
    public var title: String
    /// The artist, at most 200 characters.
    public var artist: String
    /// The artist in the library; nil if the library has no album of the artist.
    public var artistID: ArtistID? = nil
    /// The date of the first release as `2026-11-26`, `2026-11` or `2026`; nil if unknown.
    public var date: String? = nil
    /// The cover, an id that the artwork of the household knows; nil if none is known, or while no covers are fetched.
    public var art: ArtID? = nil
    /// The name on screen of the source that named it.
    public var source: String
    /// The web pages about it, such as at MusicBrainz or a shop.
    public var links: [Link] = []
    /// True if it is on the wish list.
    public var isWished: Bool = false

    /// A web page about an album.
    public struct Link: Codable, Hashable, Sendable {
      /// The name of the site.
      public var name: String
      /// The address, `https` always.
      public var url: String
    }
  }

  /// Puts an album that is not in the library on the library's wish list, or takes it off. Where the library does not
  /// answer, nothing is stored. Since 0.2.
  public struct SetWish: CommandRequest {
    public static let kind = "discovery.set-wish"
    /// Answers after the library has stored it; refused with `discovery.unknownRelease`, `library.wishIsHere`, and the
    /// errors of the request where the library does not answer.
    public typealias Answer = Done
    /// The MusicBrainz id of the release group of an album that a source named.
    public var releaseGroup: String
    /// True to wish it, false to take it off the list.
    public var isWished: Bool
  }

  /// Lists the wished albums of which sources outside said something, the latest first. The list itself is that of
  /// `Library.ListWishes`. Since 0.2.
  public struct ListWishes: ReadRequest {
    public static let kind = "discovery.list-wishes"
    /// The wishes, with artist and title as the library's list has them.
    public typealias Answer = WishList

    public init() {}
  }

  /// The albums on the wish list of which sources outside said something.
  public struct WishList: Codable, Hashable, Sendable {
    /// The wishes, the latest first, as many as fit into an answer.
    public var wishes: [Wish]
  }

  /// A wished album.
  public struct Wish: Codable, Hashable, Sendable {
    /// The album.
    public var album: MissingAlbum
    /// The time when it was wished.
    public var at: Timestamp
    /// An id, which is not used.
    public var id: AlbumID? = nil
  }
}

public import Model

/// Lists of albums by page and by position, and single albums.
extension Library {
  /// The orders of a list. `title`, `rating` and `plays` are known since 0.2.
  public enum Sort: String, Codable, Sendable {
    /// By the artist's sort name, then by title.
    case name
    /// By the time of addition, newest first.
    case added
    /// By the year of release, newest first; those without one come last.
    case year
    /// By the time when last played, newest first.
    case played
    /// By the title's sort name; the same as `name` for tracks.
    case title
    /// By a person's rating, the best first; those without a rating come last.
    case rating
    /// By the number of plays, the most played first.
    case plays
    /// In a random order that depends on the seed.
    case random
  }

  /// Reads a page of a list of albums.
  public struct ListAlbums: ReadRequest {
    public static let kind = "library.list-albums"
    /// Sorted albums and the cursor of the next page; refused with `library.badCursor`, `library.unknownTag`,
    /// `library.badTag`.
    public typealias Answer = Page<Album>
    /// The cursor: `next` of the page before; nil for the first page.
    public var after: String? = nil
    /// The largest number of items; at most 200.
    public var limit: Int = 100
    /// The order.
    public var sort: Sort = .name
    /// The seed of the random order; the pages of one order carry it in their cursors.
    public var seed: Int64? = nil
    /// Only albums with this tag; nil for all.
    public var tag: Tag? = nil
    /// Only albums with these tags beside `tag`, at most 50: of one kind any of them, of several kinds one of each.
    public var tags: [Tag]? = nil
    /// True for the opposite direction of the order; nil for false. The random order has none. Since 0.2.
    public var isReversed: Bool? = nil
    /// The text at whose place in the order the list begins; only in the order by name. Nil for the whole list.
    public var startingAt: String? = nil
    /// True for every edition of each release group; else only the preferred one. Since 0.2.
    public var editions: Bool? = nil
  }

  /// A page of a sorted list.
  public struct Page<Item: Codable & Hashable & Sendable>: Codable, Hashable, Sendable {
    /// The items, sorted.
    public var items: [Item]
    /// The cursor for `after` of the next request; nil on the last page.
    public var next: String?
  }

  /// Reads an album with a page of its tracks.
  public struct ReadAlbum: ReadRequest {
    public static let kind = "library.read-album"
    /// The album, and its tracks by disc and number. What is not a track is on the first page only. Refused with
    /// `library.unknownID`, `library.badCursor`.
    public typealias Answer = AlbumPage
    /// The id of the album, or of any member of a merged album.
    public var id: AlbumID
    /// The cursor: `next` of the page before; nil for the first page of at most 200 tracks.
    public var after: String? = nil
  }

  /// An album with a page of its tracks.
  public struct AlbumPage: Codable, Hashable, Sendable {
    /// The album.
    public var album: Album
    /// The tracks, by disc, number and title, 200 a page.
    public var tracks: [Track]
    /// The cursor of the next page; nil on the last.
    public var next: String? = nil
    /// The moods, from its sources; nil from an older library.
    public var moods: [String]? = nil
    /// The styles; nil from an older library.
    public var styles: [String]? = nil
    /// The release as the tags describe it; nil if they do not.
    public var facts: AlbumFacts? = nil
    /// The discs that have a subtitle, a medium or a number of tracks in the tags, or that lack tracks; nil if none.
    public var discs: [AlbumDisc]? = nil
    /// The other editions of the release group, oldest first, at most 20; nil if there are none.
    public var editions: [Album]? = nil
    /// The edition that stands for the release group in lists; nil if there is only one.
    public var listedEdition: AlbumID? = nil
    /// Everybody who is credited on its tracks otherwise than as an artist, by role, at most 100; on the first page
    /// only.
    public var credits: [AlbumCredit]? = nil
    /// The tracks of this page with values that were guessed from names; nil if there are none.
    public var guesses: [TrackGuess]? = nil
    /// The sound of its best copies, such as `FLAC` with 24 bits and 96,000 hertz, the most frequent first; at most 6,
    /// on the first page only.
    public var sound: [AlbumSound]? = nil
    /// The plays of its tracks; on the first page only.
    public var plays: Int? = nil
    /// The time of the last play; nil if there is none.
    public var lastPlayedAt: Timestamp? = nil
    /// The time when the library first found it; on the first page only.
    public var addedAt: Timestamp? = nil
    /// The names of the sources that have it, at most 8; on the first page only.
    public var sources: [String]? = nil
    /// The time of all its tracks; on the first page only.
    public var length: Milliseconds? = nil
  }

  /// A format in which tracks of an album are.
  public struct AlbumSound: Codable, Hashable, Sendable {
    /// The codec or file extension in lower case, such as `flac`.
    public var format: String
    /// True if the encoding is lossless.
    public var isLossless: Bool
    /// The bits of each sample; nil if unknown or lossy.
    public var bitDepth: Int? = nil
    /// The sample rate in hertz; nil if unknown.
    public var sampleRate: Int? = nil
    /// The bit rate in kilobits a second; nil if unknown.
    public var bitRate: Int? = nil
    /// The number of tracks.
    public var tracks: Int
  }

  /// A person's part in an album.
  public struct AlbumCredit: Codable, Hashable, Sendable {
    /// The part, with the name as a tag writes it.
    public var credit: Credit
    /// The number of tracks on which the person has it.
    public var tracks: Int
  }

  /// Prefers an edition: it stands for its release group in lists of albums. Since 0.2.
  public struct PreferEdition: CommandRequest {
    public static let kind = "library.prefer-edition"
    /// Answers after the choice is stored; refused with `library.unknownID`, and with `library.onlyEdition` for an
    /// album of which there is no other edition.
    public typealias Answer = Done
    /// The album that must be listed.
    public var id: AlbumID
  }

  /// Reads a part of a list of albums by position, for a view that draws only the visible part of a long list.
  public struct ReadAlbumWindow: ReadRequest {
    public static let kind = "library.read-album-window"
    /// The part, and the length of the whole list; refused with `library.unknownTag`, `library.badTag`.
    public typealias Answer = AlbumWindow
    /// The order, as for `ListAlbums`.
    public var sort: Sort = .name
    /// The seed of the random order; nil for a new one, which the answer contains.
    public var seed: Int64? = nil
    /// Only albums with this tag; nil for all.
    public var tag: Tag? = nil
    /// Only albums with these tags beside `tag`: of one kind any of them, of several kinds one of each.
    public var tags: [Tag]? = nil
    /// True for the opposite direction of the order; nil for false. The random order has none. Since 0.2.
    public var isReversed: Bool? = nil
    /// The position of the first album, from 0.
    public var first: Int = 0
    /// The largest number of items; at most 200.
    public var limit: Int = 100
  }

  /// A part of a list of albums. Parts of the same generation are of one list; of two generations the higher is newer.
  public struct AlbumWindow: Codable, Hashable, Sendable {
    /// The number of albums in the whole list.
    public var total: Int
    /// The position of the first item.
    public var first: Int
    /// The albums; fewer than requested at the end of the list, or if more do not fit into an answer.
    public var items: [Album]
    /// The seed of the random order; nil for other orders.
    public var seed: Int64? = nil
    /// The generation of the catalogue; parts of the same generation fit together.
    public var generation: Int64
  }

  /// Reads the positions at which letters, years, months or stars begin in a list of albums.
  public struct IndexAlbums: ReadRequest {
    public static let kind = "library.index-albums"
    /// The marks; the random order and that by plays have none; refused with `library.unknownTag`, `library.badTag`.
    /// Stars are marks such as `4.5`, titles have their letters.
    public typealias Answer = AlbumIndex
    /// The order; the random order and that by plays have no marks.
    public var sort: Sort = .name
    /// Only albums with this tag; nil for all.
    public var tag: Tag? = nil
    /// Only albums with these tags beside `tag`: of one kind any of them, of several kinds one of each.
    public var tags: [Tag]? = nil
    /// True for the opposite direction of the order; nil for false. The random order has none. Since 0.2.
    public var isReversed: Bool? = nil
  }

  /// The positions at which letters, years or months begin in a list of albums.
  public struct AlbumIndex: Codable, Hashable, Sendable {
    /// The number of albums or tracks in the list.
    public var total: Int
    /// The catalogue's generation.
    public var generation: Int64
    /// The marks in the order of the list; together they cover every album once.
    public var marks: [Mark]

    /// A range of a list of albums, such as those of one letter.
    public struct Mark: Codable, Hashable, Sendable {
      /// A letter of the artists' names in upper case, `#` for digits, `…` for all beyond the 200th letter; a year as
      /// digits; a month as `2025-11`. Empty if unknown.
      public var name: String
      /// The position of the first album.
      public var first: Int
      /// The number of albums.
      public var count: Int
    }
  }
}

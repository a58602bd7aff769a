public import Model

/// Tags of albums: words, people and other properties by which lists are narrowed.
extension Library {
  /// A word that describes albums. Of several tags in one request all kinds must hold, and of one kind any tag; none of
  /// the excluded ones may hold. Case and accents do not matter. A name that its kind cannot have is refused with
  /// `library.badTag`, and a kind that is not known with `library.unknownTag`.
  public struct Tag: Codable, Hashable, Sendable {
    /// The kind of the tag.
    public var kind: Kind
    /// The word as it was first spelled; case and diacritics are ignored in requests.
    public var name: String
    /// True for what does not have the tag; nil for false.
    public var isExcluded: Bool? = nil

    /// The kinds of tags.
    public enum Kind: String, TolerantName {
      case genre
      case mood
      /// A finer division than the genre.
      case style
      /// The year of release, as digits.
      case year
      /// Ten years by their first, such as `1970`.
      case decade
      /// The record label.
      case label
      /// A `ReleaseType`, such as `live`.
      case type
      /// The medium, such as `CD` or `12" Vinyl`.
      case media
      /// The country of release, as the tags write it.
      case country
      /// The language of the words.
      case language
      case grouping
      /// The musical key, such as `Am`.
      case key
      /// The codec, such as `flac`.
      case format
      /// The sample rate in hertz, as digits.
      case sampleRate
      /// The bits of each sample, as digits.
      case bitDepth
      /// The fewest stars, such as `4` or `3.5`.
      case rating
      /// The name of a source.
      case source
      /// The absolute path of a folder or its `file:` URL, with all folders below it.
      case folder
      /// The time since the album arrived, such as `30d`, or the year in which it did.
      case added
      /// Albums of which nothing was ever played. The name is empty.
      case unplayed
      /// A name credited as artist of an album or of one of its tracks, or the id of such an artist.
      case artist
      case albumArtist
      case composer
      case conductor
      case lyricist
      case remixer
      case performer
      /// A musical work, by its title or its id.
      case work
      case unknown
    }
  }

  /// The orders of a list of tags or artists.
  public enum TagSort: String, Codable, Sendable {
    /// By word; years and decades newest first.
    case name
    /// By the number of albums, most first.
    case albums
  }

  /// Lists the tags of one kind with their numbers of albums. Each number of stars counts the albums with as many or
  /// more; `added` has `7d`, `30d`, `365d` and the years; `unplayed` has one item without a name.
  public struct ListTags: ReadRequest {
    public static let kind = "library.list-tags"
    /// The tags in the order of `sort`; refused with `library.badCursor`, `library.unknownTag`, `library.badTag`.
    public typealias Answer = Page<TagCount>
    /// The kind of tags; `folder` and a kind that is not known are refused with `library.unknownTag`.
    public var of: Tag.Kind
    /// The cursor: `next` of the page before; nil for the first page.
    public var after: String? = nil
    /// The largest number of items; at most 200.
    public var limit: Int = 100
    /// Only tags of albums with these tags, counted among those albums; nil for all albums.
    public var among: [Tag]? = nil
    /// The order; nil for `name`.
    public var sort: TagSort? = nil
    /// The list begins at the first tag that does not sort before this text; only in the order by name. Nil for the
    /// whole list.
    public var startingAt: String? = nil
    /// True for the opposite direction of the order; nil for false. Tags that begin with `startingAt` come first then.
    /// Since 0.2.
    public var isReversed: Bool? = nil
  }

  /// A tag and the number of albums that have it.
  public struct TagCount: Codable, Hashable, Sendable {
    /// The word.
    public var name: String
    /// The number of albums that have it.
    public var albums: Int
    /// The id of the artist or of the work; nil for words.
    public var id: PlayableID? = nil
    /// The kind of the tag; nil in a list of tags of one kind.
    public var kind: Tag.Kind? = nil
  }
}

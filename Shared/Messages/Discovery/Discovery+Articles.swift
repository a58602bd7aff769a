public import Model

/// Articles of an encyclopedia about albums and artists: the summaries of Wikipedia. They are read only where a person
/// has switched them on, and are kept, so that they can be read again without the network.
extension Discovery {
  /// The thing that an article is about: an album, or else an artist.
  public struct ArticleSubject: Codable, Hashable, Sendable {
    /// The album; nil for an artist.
    public var album: AlbumID?
    /// The artist; nil for an album.
    public var artist: ArtistID?

    public init(album: AlbumID) { self.album = album }

    public init(artist: ArtistID) { self.artist = artist }
  }

  /// Reads the article about an album or artist that is kept. Nobody outside is asked. The library is asked only for
  /// the name of an artist who has no album in the library. Since 0.2.
  public struct ReadArticle: ReadRequest {
    public static let kind = "discovery.read-article"
    /// The article, or the facts that are known of its search; refused with `discovery.notReady`,
    /// `discovery.unknownAlbum` and `discovery.unknownArtist`.
    public typealias Answer = ArticleStatus
    /// The album or artist.
    public var subject: ArticleSubject
  }

  /// Searches the article about an album or artist outside. The stored article stays visible until the new one
  /// is there. Unless `isAgain` is true nothing is searched while an article or a question is kept, after a person said
  /// that no page is right, and within 30 days of a search that found nothing. Since 0.2.
  public struct FindArticle: CommandRequest {
    public static let kind = "discovery.find-article"
    /// Answers at once; the article is there when `isBeingSearched` is false. Refused with `discovery.notReady`,
    /// `discovery.unknownAlbum`, `discovery.unknownArtist` and `discovery.articlesOff`.
    public typealias Answer = ArticleStatus
    /// The album or artist.
    public var subject: ArticleSubject
    /// True to search in these cases too; nil for false.
    public var isAgain: Bool? = nil
  }

  /// Says which article is about an album or artist, or that none is. Since 0.2.
  public struct ChooseArticle: CommandRequest {
    public static let kind = "discovery.choose-article"
    /// Answers after the choice is stored; the article itself may still be read. Refused with `discovery.notReady`,
    /// `discovery.unknownAlbum`, `discovery.unknownArtist`, `discovery.unknownArticle` and `discovery.articlesOff`.
    public typealias Answer = ArticleStatus
    /// The album or artist.
    public var subject: ArticleSubject
    /// The page of one of the guesses; nil if none of them is right.
    public var page: ArticleGuess?
  }

  /// The article about an album or artist, and the facts that are known of its search.
  public struct ArticleStatus: Codable, Hashable, Sendable {
    /// The album or artist.
    public var subject: ArticleSubject
    /// The article that is kept; nil if there is none.
    public var article: Article? = nil
    /// The pages that may be about it, at most 5, of which a person is to choose; nil if there is nothing to ask.
    public var guesses: [ArticleGuess]? = nil
    /// True while it is searched, or waits for its turn.
    public var isBeingSearched: Bool = false
    /// The time of the last search; nil if there was none.
    public var searchedAt: Timestamp? = nil
    /// The error of the last search; nil if it succeeded.
    public var problem: LunaraError? = nil
    /// True if articles are switched on.
    public var isOn: Bool
  }

  /// The summary of an article.
  public struct Article: Codable, Hashable, Sendable {
    /// The ways by which the article was found.
    public enum Match: String, TolerantName {
      /// By the id that MusicBrainz and Wikidata have of it.
      case id
      /// By names that are exactly the same, of a page that is about music.
      case name
      /// By the choice of a person.
      case person
      case unknown
    }

    /// The title of the page.
    public var title: String
    /// The summary in paragraphs, as plain text, at most 8,000 bytes in all.
    public var paragraphs: [String]
    /// The language of the page as a subdomain of Wikipedia, such as `de`.
    public var language: String
    /// The address of the page, `https` always.
    public var address: String
    /// The name of the site, such as `Wikipedia`.
    public var site: String
    /// The name of the licence of the text, such as `CC BY-SA 4.0`.
    public var licence: String
    /// The address of the text of the licence, `https` always.
    public var licenceAddress: String
    /// The way by which it was found.
    public var match: Match
    /// The time when it was read.
    public var readAt: Timestamp
  }

  /// A page that may be about an album or artist.
  public struct ArticleGuess: Codable, Hashable, Sendable {
    /// The title of the page.
    public var title: String
    /// The language of the page as a subdomain of Wikipedia, such as `de`.
    public var language: String
    /// A few words of the page about itself; nil if it has none.
    public var about: String? = nil
  }

  /// Reads whether articles are switched on, and in which languages. Since 0.2.
  public struct ReadArticleSettings: ReadRequest {
    public static let kind = "discovery.read-article-settings"
    /// The settings.
    public typealias Answer = ArticleSettings

    public init() {}
  }

  /// The settings of articles.
  public struct ArticleSettings: Codable, Hashable, Sendable {
    /// True if articles are switched on.
    public var isOn: Bool = false
    /// The languages in the order in which they are wanted, as subdomains of Wikipedia; at most 5.
    public var languages: [String] = ["en"]
    /// The number of articles that are kept.
    public var kept: Int = 0
    /// A sentence that says what leaves the house.
    public var sends: String
  }

  /// Switches articles on or off and sets their languages. Articles that were read are kept. Since 0.2.
  public struct SetArticles: CommandRequest {
    public static let kind = "discovery.set-articles"
    /// Answers after it is stored; refused with `discovery.badLanguage`.
    public typealias Answer = ArticleSettings
    /// True to switch them on; nil to keep it.
    public var isOn: Bool? = nil
    /// The languages in the order in which they are wanted, 1 to 5; nil to keep them.
    public var languages: [String]? = nil
  }
}

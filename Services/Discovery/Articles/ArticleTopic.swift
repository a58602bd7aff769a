import Messages
import Model
import Text

/// An album or artist about which an article is searched.
struct ArticleTopic: Hashable, Sendable {
  let subject: Discovery.ArticleSubject
  /// The name of the artist, or of the album's artist.
  let artist: String
  /// The title of the album; nil for an artist.
  let title: String?

  /// The kind, the names, folded, and the year of an album. By them an article is found again when the files of an
  /// album were read as new ones.
  let key: String

  /// The kind and the id, as they are stored. Ids of albums and artists of a server may be the same.
  var id: String { Self.id(subject) }

  static func id(_ subject: Discovery.ArticleSubject) -> String {
    subject.album.map { "album:\($0)" } ?? "artist:\(subject.artist.map { "\($0)" } ?? "")"
  }

  /// - Parameters:
  ///   - year: the year of an album; nil if unknown. Albums of an artist may have the same title.
  ///   - key: the key that is stored; nil makes one of the names and the year.
  init(_ subject: Discovery.ArticleSubject, artist: String, title: String?, year: Int? = nil, key: String? = nil) {
    self.subject = subject
    self.artist = artist
    self.title = title
    let yearText = year.map { "\($0)" } ?? ""
    let made = title.map { "album\u{1F}\(artist.folded)\u{1F}\($0.folded)\u{1F}\(yearText)" }
    self.key = key ?? made ?? "artist\u{1F}\(artist.folded)"
  }

  static func == (one: ArticleTopic, other: ArticleTopic) -> Bool { one.key == other.key }

  func hash(into hasher: inout Hasher) { hasher.combine(key) }
}

/// The facts of the house by which an article is matched.
struct ArticleClues: Hashable, Sendable {
  /// An album of the library.
  struct Release: Hashable, Sendable {
    var id: AlbumID
    var title: String
    /// The MusicBrainz id of the release group; nil if unknown.
    var releaseGroup: String?
  }

  /// The MusicBrainz id of the album's release group; nil for an artist, or if unknown.
  var releaseGroup: String?
  /// The albums of the artist, at most 30; empty for an album.
  var releases: [Release] = []
  /// The MusicBrainz id of the artist that a source outside told; nil if none has.
  var artistID: String?
}

/// The facts about an article that are stored.
struct ArticleRecord: Hashable, Sendable {
  /// The article; nil if none was found, or none yet.
  var article: Discovery.Article?
  /// The pages of which a person is to choose.
  var guesses: [Discovery.ArticleGuess] = []
  /// The page that a person chose.
  var chosen: Discovery.ArticleGuess?
  /// True after a person said that no page is right.
  var isRefused = false
  /// The time of the last search that came to its end.
  var searchedAt: Timestamp?

  /// The seconds after which a search that found nothing is made again.
  static let pause = 30 * Ages.day

  /// Returns true if an article should be searched without being asked to do so again.
  func isDue(at now: Timestamp) -> Bool {
    guard article == nil, !isRefused else { return false }
    guard chosen == nil, let searchedAt else { return true }
    // A time to come is that of a clock which was wrong.
    let age = now.seconds - searchedAt.seconds
    return guesses.isEmpty && (age < 0 || age >= Self.pause)
  }

  /// Returns the record after a search.
  func after(_ outcome: ArticleOutcome, at now: Timestamp) -> ArticleRecord {
    var record = self
    record.searchedAt = now
    switch outcome {
    case .article(let article) where isRefused && article.match != .person:
      // A person has said no before, so this one is a question.
      record.guesses = [.init(title: article.title, language: article.language, about: article.paragraphs.first)]
    case .article(let article):
      record.article = article
      record.guesses = []
    case .guesses(let guesses): record.guesses = guesses
    case .nothing: record.guesses = []
    }
    if !record.guesses.isEmpty { record.isRefused = false }
    return record
  }
}

/// The result of a search.
enum ArticleOutcome: Hashable, Sendable {
  case article(Discovery.Article)
  /// Pages that may be right, the likeliest first.
  case guesses([Discovery.ArticleGuess])
  case nothing
}

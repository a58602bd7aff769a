public import Messages
import Model

// The shapes of articles of an encyclopedia, with the names of the messages' fields.

extension Discovery.ArticleStatus: JSONRepresentable {
  /// The shape of the article about an album or artist, and of the facts that are known of its search.
  public var json: JSON {
    [
      "album": subject.album, "artist": subject.artist, "article": article, "guesses": guesses,
      "isBeingSearched": isBeingSearched, "searchedAt": searchedAt, "problem": problem, "isOn": isOn,
    ]
  }
}

extension Discovery.Article: JSONRepresentable {
  public var json: JSON {
    [
      "title": title, "paragraphs": paragraphs, "language": language, "address": address, "site": site,
      "licence": licence, "licenceAddress": licenceAddress, "match": match.rawValue, "readAt": readAt,
    ]
  }
}

extension Discovery.ArticleGuess: JSONRepresentable {
  public var json: JSON { ["title": title, "language": language, "about": about] }
}

extension Discovery.ArticleSettings: JSONRepresentable {
  /// The shape of the settings of articles.
  public var json: JSON { ["isOn": isOn, "languages": languages, "kept": kept, "sends": sends] }
}

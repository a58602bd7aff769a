// Generated from Discovery+Articles.swift by `make generate`: memberwise initialisers for other modules.
// Nobody passes the last parameter. It tells an initialiser from the one that the compiler makes for this module alone.
// swift-format-ignore-file
public import Model

extension Discovery.ReadArticle {
  public init(subject: Discovery.ArticleSubject, _: Void = ()) { self.subject = subject }
}

extension Discovery.FindArticle {
  public init(subject: Discovery.ArticleSubject, isAgain: Bool? = nil, _: Void = ()) {
    self.subject = subject
    self.isAgain = isAgain
  }
}

extension Discovery.ChooseArticle {
  public init(subject: Discovery.ArticleSubject, page: Discovery.ArticleGuess?, _: Void = ()) {
    self.subject = subject
    self.page = page
  }
}

extension Discovery.ArticleStatus {
  public init(
    subject: Discovery.ArticleSubject, article: Discovery.Article? = nil, guesses: [Discovery.ArticleGuess]? = nil,
    isBeingSearched: Bool = false, searchedAt: Timestamp? = nil, problem: LunaraError? = nil, isOn: Bool, _: Void = ()
  ) {
    self.subject = subject
    self.article = article
    self.guesses = guesses
    self.isBeingSearched = isBeingSearched
    self.searchedAt = searchedAt
    self.problem = problem
    self.isOn = isOn
  }
}

extension Discovery.Article {
  public init(
    title: String, paragraphs: [String], language: String, address: String, site: String, licence: String,
    licenceAddress: String, match: Match, readAt: Timestamp, _: Void = ()
  ) {
    self.title = title
    self.paragraphs = paragraphs
    self.language = language
    self.address = address
    self.site = site
    self.licence = licence
    self.licenceAddress = licenceAddress
    self.match = match
    self.readAt = readAt
  }
}

extension Discovery.ArticleGuess {
  public init(title: String, language: String, about: String? = nil, _: Void = ()) {
    self.title = title
    self.language = language
    self.about = about
  }
}

extension Discovery.ArticleSettings {
  public init(isOn: Bool = false, languages: [String] = ["en"], kept: Int = 0, sends: String, _: Void = ()) {
    self.isOn = isOn
    self.languages = languages
    self.kept = kept
    self.sends = sends
  }
}

extension Discovery.SetArticles {
  public init(isOn: Bool? = nil, languages: [String]? = nil, _: Void = ()) {
    self.isOn = isOn
    self.languages = languages
  }
}

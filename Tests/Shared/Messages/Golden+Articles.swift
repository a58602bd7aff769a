import Messages
import Model

extension Golden {
  private static let album = Discovery.ArticleSubject(album: AlbumID(source: "files", native: "a1"))
  private static let artist = Discovery.ArticleSubject(artist: ArtistID(source: "files", native: "r1"))
  private static let article = Discovery.Article(
    title: "Blue (album)", paragraphs: ["One.", "Two."], language: "de",
    address: "https://de.wikipedia.org/wiki/Blue", site: "Wikipedia", licence: "CC BY-SA 4.0",
    licenceAddress: "https://creativecommons.org/licenses/by-sa/4.0/", match: .id, readAt: Samples.moment)
  private static let guess = Discovery.ArticleGuess(title: "Blue", language: "en", about: "An album")
  private static let status = Discovery.ArticleStatus(
    subject: album, article: article, guesses: [guess], isBeingSearched: true, searchedAt: Samples.moment,
    problem: Samples.failure, isOn: true)
  private static let statusText =
    #"""
    {"article":{"address":"https://de.wikipedia.org/wiki/Blue","language":"de","licence":"CC BY-SA 4.0",
    "licenceAddress":"https://creativecommons.org/licenses/by-sa/4.0/","match":"id","paragraphs":["One.","Two."],
    "readAt":"2026-11-20T14:30:00.123456Z","site":"Wikipedia","title":"Blue (album)"},
    "guesses":[{"about":"An album","language":"en","title":"Blue"}],"isBeingSearched":true,"isOn":true,
    "problem":{"cause":"ENOENT","code":"library.fileMissing","message":"The file /m/1.flac is gone."},
    "searchedAt":"2026-11-20T14:30:00.123456Z","subject":{"album":"files:a1"}}
    """#
  private static let settings = Discovery.ArticleSettings(
    isOn: true, languages: ["de", "en"], kept: 7, sends: "Artist and title.")
  private static let settingsText =
    #"{"isOn":true,"kept":7,"languages":["de","en"],"sends":"Artist and title."}"#

  static let articles = [
    Golden(Discovery.ReadArticle(subject: album), #"{"subject":{"album":"files:a1"}}"#),
    Golden(Discovery.ReadArticle(subject: artist), #"{"subject":{"artist":"files:r1"}}"#),
    Golden(to: Discovery.ReadArticle.self, status, statusText),
    Golden(Discovery.FindArticle(subject: album, isAgain: true), #"{"isAgain":true,"subject":{"album":"files:a1"}}"#),
    Golden(Discovery.FindArticle(subject: artist), #"{"subject":{"artist":"files:r1"}}"#),
    Golden(
      to: Discovery.FindArticle.self, Discovery.ArticleStatus(subject: artist, isOn: false),
      #"{"isBeingSearched":false,"isOn":false,"subject":{"artist":"files:r1"}}"#),
    Golden(to: Discovery.FindArticle.self, status, statusText),
    Golden(
      Discovery.ChooseArticle(subject: album, page: .init(title: "Blue", language: "en")),
      #"{"page":{"language":"en","title":"Blue"},"subject":{"album":"files:a1"}}"#),
    Golden(Discovery.ChooseArticle(subject: album, page: nil), #"{"subject":{"album":"files:a1"}}"#),
    Golden(to: Discovery.ChooseArticle.self, status, statusText),
    Golden(Discovery.ReadArticleSettings(), "{}"),
    Golden(to: Discovery.ReadArticleSettings.self, settings, settingsText),
    Golden(
      Discovery.SetArticles(isOn: true, languages: ["de", "en"]), #"{"isOn":true,"languages":["de","en"]}"#),
    Golden(Discovery.SetArticles(), "{}"),
    Golden(to: Discovery.SetArticles.self, settings, settingsText),
  ]
}

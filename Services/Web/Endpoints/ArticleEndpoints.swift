import Client
import HTTP
import Messages
import Model

/// Articles about albums and artists. They come before the endpoints of albums and artists, whose ids may contain
/// slashes.
extension Endpoint {
  static let articles: [Endpoint] =
    endpoints("albums", "Album") { Discovery.ArticleSubject(album: try $0.id()) }
    + endpoints("artists", "Artist") { Discovery.ArticleSubject(artist: try $0.id()) }
    + [
      Endpoint("GET", "/api/v1/discovery/articles", "readArticleSettings", of: .discovery) { _ in
        Discovery.ReadArticleSettings()
      },
      Endpoint("PUT", "/api/v1/discovery/articles", "setArticles", of: .discovery) { call in
        struct Body: Decodable {
          var isOn: Bool?
          var languages: [String]?
        }
        let body = try call.body(Body.self)
        return Discovery.SetArticles(isOn: body.isOn, languages: body.languages)
      },
    ]

  private static func endpoints(
    _ folder: String, _ kind: String, _ subject: @escaping @Sendable (Call) throws -> Discovery.ArticleSubject
  ) -> [Endpoint] {
    let path = "/api/v1/\(folder)/{id}/article"
    return [
      Endpoint("GET", path, "readArticleOf\(kind)", of: .discovery) {
        Discovery.ReadArticle(subject: try subject($0))
      },
      Endpoint("POST", path, "findArticleOf\(kind)", of: .discovery) { call in
        struct Body: Decodable { var isAgain: Bool? }
        return Discovery.FindArticle(subject: try subject(call), isAgain: try call.body(Body.self).isAgain)
      },
      Endpoint("PUT", path, "chooseArticleOf\(kind)", of: .discovery) { call in
        struct Body: Decodable { var page: OptionalField<Discovery.ArticleGuess> }
        let body = try call.body(Body.self)
        return Discovery.ChooseArticle(
          subject: try subject(call),
          page: try body.page.required("page is missing. It is a page in question, or null for none of them."))
      },
    ]
  }
}

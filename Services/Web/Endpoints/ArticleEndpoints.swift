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
      Endpoint("PUT", "/api/v1/discovery/articles", "setArticles", of: .discovery) {
        try $0.body(Discovery.SetArticles.self)
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
      Endpoint("POST", path, "findArticleOf\(kind)", of: .discovery) {
        try $0.body(Discovery.FindArticle.self, fixed: ["subject": try subject($0)])
      },
      Endpoint("PUT", path, "chooseArticleOf\(kind)", of: .discovery) {
        try $0.body(Discovery.ChooseArticle.self, fixed: ["subject": try subject($0)], nullable: "page")
      },
    ]
  }
}

import Bus
import Client
import HTTP
import Messages
import Model

/// Likes and dislikes of albums, and the services that receive them.
extension Endpoint {
  static let opinions: [Endpoint] = [
    Endpoint("GET", "/api/v1/opinions", "listOpinions", of: .library) { call in
      Library.ListOpinions(
        opinion: try call.parameters.opinion(), after: call.after,
        limit: try call.parameters.number("limit", in: 1...500) ?? 200)
    },
    Endpoint("GET", "/api/v1/opinions/ids", "readOpinions", of: .library) { call in
      Library.ReadOpinions(since: try call.parameters.number("since", in: 0...Int64.max), after: call.after)
    },
    Endpoint("PUT", "/api/v1/albums/{id}/opinion", "setOpinion", of: .library) {
      try $0.body(Library.SetOpinion.self, fixed: ["id": try $0.id() as AlbumID], nullable: "opinion")
    },
    Endpoint("GET", "/api/v1/opinions/sharing", "readOpinionSharing", of: .library) { _ in
      Library.ReadOpinionSharing()
    },
    Endpoint("PUT", "/api/v1/opinions/sharing/{service}", "setOpinionSharing", of: .library) {
      try $0.body(Library.SetOpinionSharing.self, fixed: ["service": $0.text("service")])
    },
    Endpoint("POST", "/api/v1/opinions/retry", "retryOpinions", of: .library) {
      try $0.body(Library.RetryOpinions.self)
    },
  ]
}

extension QueryParameters {
  fileprivate func opinion() throws -> Library.Opinion? {
    guard let text = text("opinion") else { return nil }
    guard let opinion = Library.Opinion(word: text) else {
      throw LunaraError("web.badParameter", "opinion is \(text). It must be like or dislike.")
    }
    return opinion
  }
}

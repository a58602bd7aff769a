import Client
import HTTP
import Messages
import Model

/// Reviews of albums by a language model. They come before the endpoints of albums, whose ids may contain slashes.
extension Endpoint {
  static let reviews: [Endpoint] = [
    Endpoint("GET", "/api/v1/albums/{id}/review", "readReview", of: .discovery) {
      Discovery.ReadReview(album: try $0.id())
    },
    Endpoint("POST", "/api/v1/albums/{id}/review", "makeReview", of: .discovery) {
      try $0.body(Discovery.MakeReview.self, fixed: ["album": try $0.id() as AlbumID])
    },
    Endpoint("GET", "/api/v1/discovery/reviews", "readReviewSettings", of: .discovery) { _ in
      Discovery.ReadReviewSettings()
    },
    Endpoint("PUT", "/api/v1/discovery/reviews", "setReviews", of: .discovery) {
      try $0.body(Discovery.SetReviews.self, nullable: "endpoint")
    },
  ]
}

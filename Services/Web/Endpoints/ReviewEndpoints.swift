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
    Endpoint("POST", "/api/v1/albums/{id}/review", "makeReview", of: .discovery) { call in
      struct Body: Decodable { var isAgain: Bool? }
      return Discovery.MakeReview(album: try call.id(), isAgain: try call.body(Body.self).isAgain)
    },
    Endpoint("GET", "/api/v1/discovery/reviews", "readReviewSettings", of: .discovery) { _ in
      Discovery.ReadReviewSettings()
    },
    Endpoint("PUT", "/api/v1/discovery/reviews", "setReviews", of: .discovery) { call in
      struct Body: Decodable {
        var endpoint: OptionalField<String>
        var model: String?
        var key: String?
        var dailyCap: Int?
      }
      let body = try call.body(Body.self)
      return Discovery.SetReviews(
        endpoint: try body.endpoint.required("endpoint is missing. It is an address, or null to switch reviews off."),
        model: body.model, key: body.key, dailyCap: body.dailyCap)
    },
  ]
}

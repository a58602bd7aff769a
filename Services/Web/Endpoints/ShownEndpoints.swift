import Bus
import Client
import HTTP
import Messages
import Model

/// The described tracks that pages show, and what is found for them.
extension Endpoint {
  static let shown: [Endpoint] = [
    Endpoint("POST", "/api/v1/shown", "showTracks") { api, call in
      let request = try call.body(ShownTracksBody.self).request()
      await api.household.recordPlace(request)
      return .json(try await api.askResolver(request).json)
    }
  ]
}

/// The body of `POST /api/v1/shown`: the described tracks that a page shows now in one kind of place.
struct ShownTracksBody: Decodable {
  /// The name that the page gives itself, the same as for its events.
  var page: String
  var place: Resolver.ShownPlace
  var tracks: [DescribedTrackBody]
  var hovered: DescribedTrackBody?

  /// Returns the request to the resolver. Throws `web.badBody`.
  func request() throws -> Resolver.ShowTracks {
    guard PageName.isValid(page) else {
      throw LunaraError("web.badBody", "page must have 8 to 64 letters a-z, digits and -.")
    }
    guard tracks.count <= Resolver.ShowTracks.trackLimit else {
      throw LunaraError("web.badBody", "tracks may hold at most \(Resolver.ShowTracks.trackLimit).")
    }
    return Resolver.ShowTracks(
      context: PageName.context(page, place), place: place, tracks: tracks.map(\.track),
      hovered: hovered?.track)
  }
}

/// The names that pages give themselves, by which the places that they show are told apart.
enum PageName {
  /// Returns true for 8 to 64 letters a-z, digits and dashes.
  static func isValid(_ name: String) -> Bool {
    (8...64).contains(name.utf8.count)
      && name.utf8.allSatisfy { (97...122).contains($0) || (48...57).contains($0) || $0 == 45 }
  }

  /// Returns the name of a place of a page.
  static func context(_ page: String, _ place: Resolver.ShownPlace) -> String { "\(page) \(place.rawValue)" }

  /// Returns the page of a place.
  static func page(ofContext context: String) -> String { String(context.prefix { $0 != " " }) }
}

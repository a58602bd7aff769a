import Bus
import HTTP
import Messages
import Model

extension Endpoint {
  /// What was heard.
  static let history: [Endpoint] = [
    Endpoint("GET", "/api/v1/plays", "listPlays") { api, call in
      let request = Library.ListPlays(
        filter: try call.parameters.plays(), after: call.after, limit: try call.limit(50))
      return try .json(Shape.Page(try await api.ask(request, of: .library), Shape.play))
    },
    Endpoint("GET", "/api/v1/plays/counts", "countPlays") { api, call in
      guard let by = call.parameters.text("by").flatMap(Library.CountPlays.Dimension.init) else {
        throw LunaraError("web.badParameter", "by must be track, album, artist, day or room.")
      }
      let request = Library.CountPlays(
        filter: try call.parameters.plays(), by: by, limit: try call.limit(50, upTo: 500))
      return try .json(Shape.Items(try await api.ask(request, of: .library).rows))
    },
  ]
}

extension Parameters {
  /// Which plays are meant.
  ///
  /// - Throws: `web.badParameter`.
  fileprivate func plays() throws -> Library.PlayFilter {
    var filter = Library.PlayFilter(room: try room())
    filter.track = try value("track", "an id")
    filter.album = try value("album", "an id")
    filter.artist = try value("artist", "an id")
    filter.since = try value("since", "a moment such as 2026-11-21T08:00:00Z")
    filter.until = try value("until", "a moment such as 2026-11-21T08:00:00Z")
    return filter
  }
}

import Bus
import Client
import HTTP
import Messages
import Model

extension Endpoint {
  /// The endpoints that read the catalogue and rate what is in it.
  static let catalogue: [Endpoint] = [
    Endpoint("GET", "/api/v1/albums", "listAlbums") { try await $0.albums($1.parameters) },
    Endpoint("GET", "/api/v1/albums/index", "indexAlbums") { api, call in
      let parameters = call.parameters
      return .json(
        try await api.ask(
          Library.IndexAlbums(sort: try parameters.sort() ?? .name, tag: try parameters.tag()), of: .library))
    },
    Endpoint("GET", "/api/v1/albums/{id}", "readAlbum") { api, call in
      .json(
        try await api.ask(Library.ReadAlbum(id: try call.id(), after: call.after), of: .library))
    },
    Endpoint("GET", "/api/v1/artists", "listArtists") { api, call in
      let request = Library.ListArtists(
        after: call.after, limit: try call.limit(), startingAt: call.parameters.text("startingAt"))
      return .json(try await api.ask(request, of: .library))
    },
    Endpoint("GET", "/api/v1/artists/{id}", "readArtist") { api, call in
      .json(
        try await api.ask(Library.ReadArtist(id: try call.id(), after: call.after), of: .library))
    },
    Endpoint("GET", "/api/v1/tracks", "listTracks") { api, call in
      let parameters = call.parameters
      let request = Library.ListTracks(
        after: call.after, limit: try call.limit(), sort: try parameters.sort() ?? .name, seed: try parameters.seed())
      return .json(try await api.ask(request, of: .library))
    },
    Endpoint("GET", "/api/v1/tracks/{id}", "readTrack") { api, call in
      .json(try await api.ask(Library.ReadTrack(id: try call.id()), of: .library))
    },
    Endpoint("GET", "/api/v1/collections", "listCollections") { api, call in
      let request = Library.ListCollections(after: call.after, limit: try call.limit())
      return .json(try await api.ask(request, of: .library))
    },
    Endpoint("GET", "/api/v1/collections/{id}", "readCollection") { api, call in
      .json(
        try await api.ask(Library.ReadCollection(id: try call.id(), after: call.after), of: .library))
    },
    Endpoint("PUT", "/api/v1/collections/{id}/pin", "pinCollection") { api, call in
      struct Body: Decodable { var pinned: Bool }
      let isPinned = try call.body(Body.self).pinned
      _ = try await api.ask(Library.Pin(id: try call.id(), isPinned: isPinned), of: .library, within: .seconds(30))
      return .done()
    },
    Endpoint("GET", "/api/v1/playlists", "listPlaylists") { api, call in
      let request = Library.ListPlaylists(after: call.after, limit: try call.limit())
      return .json(try await api.ask(request, of: .library))
    },
    Endpoint("GET", "/api/v1/playlists/{id}", "readPlaylist") { api, call in
      .json(
        try await api.ask(Library.ReadPlaylist(id: try call.id(), after: call.after), of: .library))
    },
    Endpoint("GET", "/api/v1/tags/{kind}", "listTags") { api, call in
      guard let kind = Library.Tag.Kind(rawValue: call.text("kind")) else {
        throw LunaraError("web.badID", "A tag is a genre, mood, style or year, not \(call.text("kind")).")
      }
      let request = Library.ListTags(of: kind, after: call.after, limit: try call.limit())
      return .json(try await api.ask(request, of: .library))
    },
    Endpoint("GET", "/api/v1/search", "search") { api, call in
      guard let words = call.parameters.text("q") else {
        throw LunaraError("web.badParameter", "The parameter q is missing. It holds the words to search for.")
      }
      let request = Library.Search(words: words, limit: try call.limit(50, upTo: 100))
      return .json(try await api.ask(request, of: .library))
    },
    Endpoint("PUT", "/api/v1/ratings/{id}", "rate") { api, call in
      let rating = try call.body(RatingRequestBody.self).rating
      // The rating is sent to the source's server, which may be slow.
      _ = try await api.ask(Library.Rate(id: try call.id(), rating: rating), of: .library, within: .seconds(30))
      return .done()
    },
  ]
}

extension API {
  /// Answers with a page of albums behind a cursor, or with the part of the list at an index.
  fileprivate func albums(_ parameters: QueryParameters) async throws -> HTTPServerResponse {
    let (sort, seed, tag) = (try parameters.sort() ?? .name, try parameters.seed(), try parameters.tag())
    let limit = try parameters.number("limit", in: 1...200) ?? 100
    if let first = try parameters.number("first", in: 0...Int.max) {
      let request = Library.ReadAlbumWindow(sort: sort, seed: seed, tag: tag, first: first, limit: limit)
      return .json(try await ask(request, of: .library))
    }
    let request = Library.ListAlbums(
      after: parameters.text("after"), limit: limit, sort: sort, seed: seed, tag: tag,
      startingAt: parameters.text("startingAt"))
    return .json(try await ask(request, of: .library))
  }
}

extension Endpoint {
  /// The endpoints that read what was played.
  static let history: [Endpoint] = [
    Endpoint("GET", "/api/v1/plays", "listPlays") { api, call in
      let request = Library.ListPlays(
        filter: try call.parameters.plays(), after: call.after, limit: try call.limit(50))
      return .json(try await api.ask(request, of: .library))
    },
    Endpoint("GET", "/api/v1/plays/counts", "countPlays") { api, call in
      guard let by = call.parameters.text("by").flatMap(Library.CountPlays.Dimension.init) else {
        throw LunaraError("web.badParameter", "by must be track, album, artist, day or room.")
      }
      let request = Library.CountPlays(
        filter: try call.parameters.plays(), by: by, limit: try call.limit(50, upTo: 500))
      return .json(JSON.items(try await api.ask(request, of: .library).rows))
    },
  ]
}

extension QueryParameters {
  /// Returns the filter of plays.
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

/// The body of `PUT /api/v1/ratings/{id}`.
struct RatingRequestBody: Decodable {
  private var stars: OptionalField<Double>

  /// The rating; nil to remove it. Throws `web.badBody`.
  var rating: Rating? {
    get throws {
      guard case .value(let stars) = stars else {
        if case .null = stars { return nil }
        throw LunaraError("web.badBody", "stars is missing. It goes from 0 to 5 in halves, or is null.")
      }
      guard let rating = Rating(stars: stars) else {
        throw LunaraError("web.badBody", "stars is \(stars). It must be from 0 to 5 in halves.")
      }
      return rating
    }
  }
}

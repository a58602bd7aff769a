import Bus
import Client
import HTTP
import Messages
import Model

extension Endpoint {
  static let catalogue: [Endpoint] = [
    Endpoint("GET", "/api/v1/albums", "listAlbums") { try await $0.albums($1.parameters) },
    Endpoint("GET", "/api/v1/albums/index", "indexAlbums", of: .library) {
      Library.IndexAlbums(
        sort: try $0.parameters.sort() ?? .name, tags: try $0.parameters.tags(),
        isReversed: try $0.parameters.reversed())
    },
    Endpoint("GET", "/api/v1/albums/{id}", "readAlbum", of: .library) {
      Library.ReadAlbum(id: try $0.id(), after: $0.after)
    },
    Endpoint("GET", "/api/v1/artists", "listArtists", of: .library) {
      Library.ListArtists(
        after: $0.after, limit: try $0.limit(), startingAt: $0.parameters.text("startingAt"),
        role: try $0.parameters.role(), sort: try $0.parameters.tagSort(), isReversed: try $0.parameters.reversed())
    },
    Endpoint("GET", "/api/v1/artists/{id}/credits", "listCredits", of: .library) { call in
      guard let role = try call.parameters.role() else {
        throw LunaraError("web.badParameter", "The parameter role is missing. It is what the artist did.")
      }
      return Library.ListCredits(artist: try call.id(), role: role, after: call.after, limit: try call.limit())
    },
    Endpoint("GET", "/api/v1/artists/{id}", "readArtist", of: .library) {
      Library.ReadArtist(id: try $0.id(), after: $0.after)
    },
    Endpoint("PUT", "/api/v1/albums/{id}/preferred", "preferEdition", of: .library) {
      Library.PreferEdition(id: try $0.id())
    },
    Endpoint("GET", "/api/v1/works", "listWorks", of: .library) {
      Library.ListWorks(
        composer: try $0.parameters.value("composer", "an id"), after: $0.after, limit: try $0.limit(),
        startingAt: $0.parameters.text("startingAt"))
    },
    Endpoint("GET", "/api/v1/works/{id}", "readWork", of: .library) {
      Library.ReadWork(id: try $0.id(), after: $0.after)
    },
    Endpoint("GET", "/api/v1/folders", "listFolder", of: .library) { call in
      let path = try call.parameters.text("path").map(absolutePath)
      return Library.ListFolder(path: path, after: call.after, limit: try call.limit())
    },
    Endpoint("GET", "/api/v1/problems", "listProblems", of: .library) { call in
      let kind = try call.parameters.text("kind").map { text in
        guard let kind = Library.ProblemKind(word: text) else {
          throw LunaraError("web.badParameter", "There are no problems of the kind \(text).")
        }
        return kind
      }
      let folder = try call.parameters.text("folder").map(absolutePath)
      return Library.ListProblems(only: kind, folder: folder, after: call.after, limit: try call.limit())
    },
    Endpoint("GET", "/api/v1/tracks", "listTracks") { try await $0.tracks($1.parameters) },
    Endpoint("GET", "/api/v1/tracks/index", "indexTracks", of: .library) {
      Library.IndexTracks(
        sort: try $0.parameters.sort() ?? .name, isReversed: try $0.parameters.reversed(),
        tags: try $0.parameters.tags())
    },
    Endpoint("GET", "/api/v1/tracks/{id}/lyrics", "readLyrics", of: .library) { Library.ReadLyrics(id: try $0.id()) },
    Endpoint("GET", "/api/v1/tracks/{id}/tags", "readTrackTags", of: .library) {
      Library.ReadTrackTags(id: try $0.id())
    },
    Endpoint("GET", "/api/v1/tracks/{id}", "readTrack", of: .library) { Library.ReadTrack(id: try $0.id()) },
    Endpoint("GET", "/api/v1/collections", "listCollections", of: .library) {
      Library.ListCollections(after: $0.after, limit: try $0.limit(), sort: try $0.parameters.collectionSort())
    },
    Endpoint("GET", "/api/v1/collections/{id}", "readCollection", of: .library) {
      Library.ReadCollection(id: try $0.id(), after: $0.after)
    },
    Endpoint("PUT", "/api/v1/collections/{id}/pin", "pinCollection", of: .library) {
      try $0.body(Library.Pin.self, fixed: ["id": try $0.id() as CollectionID])
    },
    Endpoint("GET", "/api/v1/tags/{kind}", "listTags", of: .library) { call in
      guard let kind = Library.Tag.Kind(word: call.text("kind")) else {
        throw LunaraError(
          "web.badID", "There are no tags of the kind \(call.text("kind")). `lunara tags --help` lists the kinds.")
      }
      let among = try call.parameters.tags("among") + call.parameters.excludedTags()
      return Library.ListTags(
        of: kind, after: call.after, limit: try call.limit(), among: among.isEmpty ? nil : among,
        sort: try call.parameters.tagSort(), startingAt: call.parameters.text("startingAt"),
        isReversed: try call.parameters.reversed())
    },
    Endpoint("GET", "/api/v1/search", "search", of: .library) { call in
      let place = call.parameters.text("in")
      guard place == nil || place == "notes" else {
        throw LunaraError("web.badParameter", "in is \(place ?? ""). It can only be notes.")
      }
      return Library.Search(
        words: try call.required("q"), limit: try call.limit(50, upTo: 100), inNotes: place == nil ? nil : true)
    } shape: {
      try $0.json
    },
    Endpoint("PUT", "/api/v1/ratings/{id}", "rate", of: .library) {
      Library.Rate(id: try $0.id(), rating: try $0.body(RatingRequestBody.self, nullable: "stars").rating)
    },
  ]
}

/// Returns the path of a folder that a request names.
private func absolutePath(_ text: String) throws -> LocalPath {
  let path = LocalPath(url: text) ?? LocalPath(text)
  guard path.bytes.first == UInt8(ascii: "/") else {
    throw LunaraError("web.badParameter", "The folder is \(text). It must be an absolute path or a file: URL.")
  }
  return path
}

extension EndpointContext {
  /// Answers with the page of albums after a cursor, or with the part of the list that starts at an index.
  fileprivate func albums(_ parameters: QueryParameters) async throws -> HTTPServerResponse {
    let (sort, seed, tags) = (try parameters.sort() ?? .name, try parameters.seed(), try parameters.tags())
    let (limit, isReversed) = (try parameters.number("limit", in: 1...200) ?? 100, try parameters.reversed())
    if let first = try parameters.number("first", in: 0...Int.max) {
      let request = Library.ReadAlbumWindow(
        sort: sort, seed: seed, tags: tags, isReversed: isReversed, first: first, limit: limit)
      return .json(try await ask(request, of: .library))
    }
    let request = Library.ListAlbums(
      after: parameters.text("after"), limit: limit, sort: sort, seed: seed, tags: tags, isReversed: isReversed,
      startingAt: parameters.text("startingAt"), editions: parameters.text("editions") == "true" ? true : nil)
    return .json(try await ask(request, of: .library))
  }

  /// Answers with the page of tracks after a cursor, or with the part of the list that starts at an index.
  fileprivate func tracks(_ parameters: QueryParameters) async throws -> HTTPServerResponse {
    let (sort, seed, tags) = (try parameters.sort() ?? .name, try parameters.seed(), try parameters.tags())
    let (limit, isReversed) = (try parameters.number("limit", in: 1...200) ?? 100, try parameters.reversed())
    if let first = try parameters.number("first", in: 0...Int.max) {
      let request = Library.ReadTrackWindow(
        sort: sort, isReversed: isReversed, seed: seed, tags: tags, first: first, limit: limit)
      return .json(try await ask(request, of: .library))
    }
    let request = Library.ListTracks(
      after: parameters.text("after"), limit: limit, sort: sort, seed: seed, tags: tags, isReversed: isReversed)
    return .json(try await ask(request, of: .library))
  }
}

extension Endpoint {
  static let history: [Endpoint] = [
    Endpoint("GET", "/api/v1/plays", "listPlays", of: .library) {
      Library.ListPlays(filter: try $0.parameters.plays(), after: $0.after, limit: try $0.limit(50))
    },
    Endpoint("GET", "/api/v1/plays/counts", "countPlays", of: .library) { call in
      guard let by = call.parameters.text("by").flatMap(Library.CountPlays.Dimension.init) else {
        throw LunaraError("web.badParameter", "by must be track, album, artist, day or room.")
      }
      return Library.CountPlays(
        filter: try call.parameters.plays(), by: by, limit: try call.limit(50, upTo: 500))
    } shape: {
      JSON.items($0.rows)
    },
    Endpoint("GET", "/api/v1/statistics", "readStatistics", of: .library) { call in
      Library.ReadStatistics(
        from: call.parameters.text("from"), to: call.parameters.text("to"), limit: try call.limit(10, upTo: 100))
    },
  ]
}

extension QueryParameters {
  fileprivate func tagSort() throws -> Library.TagSort? {
    guard let text = text("sort") else { return nil }
    guard let sort = Library.TagSort(rawValue: text) else {
      throw LunaraError("web.badParameter", "sort is \(text). It must be name or albums.")
    }
    return sort
  }

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
  private var stars: Double?

  /// The rating; nil to remove it. Throws `web.badBody`.
  var rating: Rating? {
    get throws {
      guard let stars else { return nil }
      guard let rating = Rating(stars: stars) else {
        throw LunaraError("web.badBody", "stars is \(stars). It must be from 0 to 5 in halves.")
      }
      return rating
    }
  }
}

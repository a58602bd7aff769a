import Messages
import Model

/// A request to a scrobble service that other services of the household may make: it changes nothing there, and its
/// path or method is one of a list.
struct ReadableRequest: Hashable, Sendable {
  /// The path at ListenBrainz with a slash before it, or the method at Last.fm.
  var path: String
  var parameters: [String: String]
  var body: [UInt8]?

  /// The paths that may be read at ListenBrainz without a body. `*` stands for a MusicBrainz id, `{user}` for the
  /// account.
  private static let listenBrainzPaths = [
    "1/stats/sitewide/artists", "1/stats/sitewide/release-groups", "1/stats/user/{user}/artists",
    "1/stats/user/{user}/release-groups", "1/cf/recommendation/user/{user}/recording", "1/user/{user}/similar-users",
    "1/user/{user}/fresh_releases", "1/explore/fresh-releases/", "1/lb-radio/artist/*", "1/metadata/release_group/",
    "1/metadata/recording/", "1/popularity/top-release-groups-for-artist/*",
  ].map { $0.split(separator: "/", omittingEmptySubsequences: false) }
  /// The paths that may be read at ListenBrainz with a body, which lists ids.
  private static let listenBrainzLists = [
    "1/popularity/release-group", "1/popularity/release", "1/metadata/recording/",
  ]
  /// The methods of Last.fm that may be called.
  private static let lastFMMethods = [
    "artist.getSimilar", "artist.getTopAlbums", "tag.getTopAlbums", "user.getTopAlbums", "user.getTopArtists",
    "chart.getTopArtists",
  ]
  /// The most bytes of a body, and of all parameters together.
  private static let mostBytes = 64 * 1024

  /// True if the request needs the name of the account.
  let namesUser: Bool

  /// Reads a request.
  ///
  /// - Parameter user: the name of the account; nil if there is none.
  /// - Throws: `scrobble.notReadable`, `scrobble.unknownService`.
  init(_ request: Scrobble.ReadFromService, user: String?) throws(LunaraError) {
    let size = request.parameters.reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count }
    guard request.parameters.count <= 20, size <= Self.mostBytes, request.body?.utf8.count ?? 0 <= Self.mostBytes else {
      throw ScrobbleError.notReadable(request.path)
    }
    let isAllowed: Bool
    switch request.service {
    case ListenBrainzService.descriptor.kind:
      isAllowed =
        request.body == nil
        ? Self.isListenBrainzPath(request.path)
        : Self.listenBrainzLists.contains(request.path) && JSONView(Array((request.body ?? "").utf8))?.isObject == true
    case LastFMService.descriptor.kind:
      let reserved = ["method", "api_key", "api_sig", "sk", "format"]
      isAllowed =
        request.body == nil && Self.lastFMMethods.contains(request.path)
        && !request.parameters.keys.contains { reserved.contains($0) }
    default: throw ScrobbleError.unknownService(request.service)
    }
    guard isAllowed else { throw ScrobbleError.notReadable(request.path) }
    namesUser = request.path.contains("{user}") || request.parameters.values.contains("{user}")
    if namesUser, user == nil { throw ScrobbleError.noAccount(request.service) }
    let user = user ?? ""
    path = request.path.split(separator: "/", omittingEmptySubsequences: false)
      .map { $0 == "{user}" ? PercentCoding.encode(user) : String($0) }.joined(separator: "/")
    parameters = request.parameters.mapValues { $0 == "{user}" ? user : $0 }
    body = request.body.map { Array($0.utf8) }
  }

  private static func isListenBrainzPath(_ path: String) -> Bool {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    return listenBrainzPaths.contains { pattern in
      pattern.count == parts.count
        && zip(pattern, parts).allSatisfy { $0 == "*" ? MusicBrainzID(String($1)) != nil : $0 == $1 }
    }
  }

  /// The parameters as a query with its question mark, ordered by name; empty for none.
  static func query(_ parameters: [String: String]) -> String {
    guard !parameters.isEmpty else { return "" }
    let fields = parameters.sorted { $0.key < $1.key }
      .map { "\(PercentCoding.encode($0.key))=\(PercentCoding.encode($0.value))" }
    return "?" + fields.joined(separator: "&")
  }
}

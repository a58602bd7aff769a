import HTTP
import Messages
import Model
import Digests
import System

/// Last.fm, and servers that speak its protocol: Libre.fm, GNU FM, Maloja.
struct LastFMService: ScrobbleService {
  static let descriptor = Scrobble.ServiceDescriptor(
    kind: "lastfm", title: "Last.fm", address: "https://ws.audioscrobbler.com/2.0/", signIn: [.link, .password],
    hint: "Last.fm requires an API key of your own. Create one and set LUNARA_LASTFM_KEY and LUNARA_LASTFM_SECRET.",
    page: "https://www.last.fm/api/account/create",
    settings: [
      .init("LUNARA_LASTFM_URL", "address of a server of Last.fm's protocol"),
      .init("LUNARA_LASTFM_KEY", "the API key", isSecret: true),
      .init("LUNARA_LASTFM_SECRET", "the API key's secret", isSecret: true),
    ], capabilities: [.nowPlaying, .loves])

  let auth: LastFMAuth

  init(http: HTTPClient, setting: (String) -> String?) {
    auth = LastFMAuth(http: http, key: setting("LUNARA_LASTFM_KEY"), secret: setting("LUNARA_LASTFM_SECRET"))
  }

  static func requestAddress(_ address: String, namesOnlyServer: Bool) -> String {
    namesOnlyServer ? address + "/2.0/" : address + "/"
  }

  func client(at address: ServerAddress, with credentials: Credentials) -> (any ScrobbleClient)? {
    guard let session = credentials.session, let key = credentials.key, let secret = credentials.secret else {
      return nil
    }
    return LastFMScrobbleClient(
      api: LastFMAPI(http: auth.http, address: address.text, key: Secret(key), secret: Secret(secret)),
      session: Secret(session))
  }

  func signIn(user: String?, secret: Secret, at address: ServerAddress) async throws -> SignedIn {
    try await auth.signIn(user: user ?? "", password: secret, at: address)
  }

  func beginSignIn(at address: ServerAddress, page: String?) async throws -> any LinkSignIn {
    let api = try auth.api(for: address)
    if let page { _ = try ServerAddress(page, of: Self.self) }
    let token = try await auth.token(at: address)
    return LastFMLinkSignIn(
      auth: auth,
      progress: LastFMSignIn(at: address, page: page, key: api.key.text, token: token, now: .now()))
  }
}

/// Sends to an account at a server of Last.fm's protocol.
struct LastFMScrobbleClient: ScrobbleClient {
  let api: LastFMAPI
  let session: Secret

  /// The largest batch that `track.scrobble` accepts (last.fm/api/show/track.scrobble).
  let batchLimit = 50

  func submit(_ batch: [Submission]) async throws -> SendResult {
    try await result {
      try await api.call("track.scrobble", Self.parameters(batch), session: session).result(of: batch.count)
    }
  }

  func announce(_ now: Submission) async throws -> SendResult {
    try await send("track.updateNowPlaying", Self.parameters(now))
  }

  func love(_ track: Submission, _ isLoved: Bool) async throws -> SendResult {
    try await send(isLoved ? "track.love" : "track.unlove", ["artist": track.artist, "track": track.title])
  }

  private func send(_ method: String, _ parameters: [String: String]) async throws -> SendResult {
    try await result { try await api.call(method, parameters, session: session).result }
  }

  /// Returns the parameters of a batch. Those of a single listen have no brackets, as some servers accept only that.
  static func parameters(_ batch: [Submission]) -> [String: String] {
    var all: [String: String] = [:]
    for (place, each) in batch.enumerated() {
      var own = parameters(each)
      own["timestamp"] = "\(each.startedAt)"
      for (name, value) in own { all[batch.count == 1 ? name : "\(name)[\(place)]"] = value }
    }
    return all
  }

  private static func parameters(_ each: Submission) -> [String: String] {
    var own = ["artist": each.artist, "track": each.title]
    own["album"] = each.album
    own["albumArtist"] = each.albumArtist
    own["trackNumber"] = each.number.map { "\($0)" }
    own["mbid"] = each.recordingID
    own["duration"] = each.duration.map { "\(max(1, $0.rawValue / 1000))" }
    return own
  }
}

/// Calls methods of Last.fm's protocol at one server. Keys and sessions are sent only in the bodies of requests.
struct LastFMAPI: Sendable {
  let http: HTTPClient
  /// The base address of the API, such as `https://ws.audioscrobbler.com/2.0/`.
  let address: String
  let key: Secret
  let secret: Secret

  /// The largest answer that is read, in bytes.
  private static let answerLimit = 256 * 1024

  /// Calls a method by POST, signed, with all parameters in the body. Throws `http.…`, `internal.noDigest`,
  /// `CancellationError`.
  func call(_ method: String, _ parameters: [String: String] = [:], session: Secret? = nil) async throws -> LastFMAnswer
  {
    var all = parameters
    all["method"] = method
    all["api_key"] = key.text
    all["sk"] = session?.text
    all["api_sig"] = try Self.signature(of: all, secret: secret.text)
    all["format"] = "json"
    // A redirection would send the session to another server.
    let request = HTTPRequest(
      .changes, method: "POST", url: address,
      headers: [("Content-Type", "application/x-www-form-urlencoded; charset=utf-8")],
      body: Self.formBody(all), timeout: .seconds(30), responseLimit: Self.answerLimit, redirectLimit: 0)
    let response = try await http.send(request)
    if (300..<400).contains(response.status) {
      return .unreadable("the server redirects to another address (\(response.status)); set that address")
    }
    return LastFMAnswer(response)
  }

  /// Returns `api_sig` (last.fm/api/authspec, 8. Signing Calls): the MD5 of all parameters, ordered by the bytes of
  /// their names, each name followed by its value, and then of the secret. `format` and `callback` are left out. Throws
  /// `internal.noDigest`.
  static func signature(of parameters: [String: String], secret: String) throws(LunaraError) -> String {
    let signed = parameters.filter { !["format", "callback", "api_sig"].contains($0.key) }
      .sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    return try MD5.hex(signed.reduce(into: "") { $0 += $1.key + $1.value } + secret)
  }

  /// Returns parameters as a form (`application/x-www-form-urlencoded`), ordered by name.
  static func formBody(_ parameters: [String: String]) -> [UInt8] {
    let fields = parameters.sorted { $0.key < $1.key }
      .map { "\(PercentCoding.encode($0.key))=\(PercentCoding.encode($0.value))" }
    return Array(fields.joined(separator: "&").utf8)
  }
}

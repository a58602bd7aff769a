import HTTP
import Messages
import Model

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

  /// The most that `track.scrobble` accepts (last.fm/api/show/track.scrobble).
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

  /// Returns the parameters of a batch. A single listen has no brackets, as some servers accept no others.
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

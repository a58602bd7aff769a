import HTTP
import Messages
import Model
import Text

/// ListenBrainz, and servers with the same API.
struct ListenBrainzService: ScrobbleService {
  static let tokenSetting: String? = "LUNARA_LISTENBRAINZ_TOKEN"

  static let descriptor = Scrobble.ServiceDescriptor(
    kind: "listenbrainz", title: "ListenBrainz", address: "https://api.listenbrainz.org", signIn: [.token],
    hint: "Your token is on your profile's page at ListenBrainz.", page: "https://listenbrainz.org/settings/",
    settings: [
      .init("LUNARA_LISTENBRAINZ_URL", "address of a server of ListenBrainz's interface"),
      .init("LUNARA_LISTENBRAINZ_TOKEN", "a user's token", isSecret: true),
    ], capabilities: [.nowPlaying, .loves])

  let http: HTTPClient

  init(http: HTTPClient, setting: (String) -> String?) { self.http = http }

  func client(at address: ServerAddress, with credentials: Credentials) -> (any ScrobbleClient)? {
    credentials.token.map { token in
      ListenBrainzScrobbleClient(api: ListenBrainzAPI(http: http, address: address.text, token: Secret(token)))
    }
  }

  func signIn(user: String?, secret: Secret, at address: ServerAddress) async throws -> SignedIn {
    let api = ListenBrainzAPI(http: http, address: address.text, token: secret)
    guard let user = try await address.asking({ try await api.user() }) else {
      throw ScrobbleError.badSignIn(address.host, cause: nil)
    }
    return SignedIn(user: user, credentials: Credentials(token: secret.text))
  }
}

/// Sends requests to one server with ListenBrainz's API.
struct ListenBrainzAPI: Sendable {
  let http: HTTPClient
  /// The base address of the API, such as `https://api.listenbrainz.org`.
  let address: String
  let token: Secret

  /// The largest answer that is read, in bytes.
  private static let answerLimit = 256 * 1024

  /// Sends JSON to a path. Throws `http.…`, `CancellationError`.
  func post(_ path: String, _ value: some Encodable) async throws -> HTTPResponse {
    try await send(.changes, "POST", path, try MessageCoding.encode(value))
  }

  func get(_ path: String) async throws -> HTTPResponse { try await send(.reads, "GET", path, nil) }

  private func send(
    _ effect: HTTPRequest.Effect, _ method: String, _ path: String, _ body: [UInt8]?
  ) async throws -> HTTPResponse {
    var headers = [("Authorization", "Token \(token.text)")]
    if body != nil { headers.append(("Content-Type", "application/json")) }
    // A redirection would send the token to another server.
    return try await http.send(
      HTTPRequest(
        effect, method: method, url: address + path, headers: headers, body: body, timeout: .seconds(30),
        responseLimit: Self.answerLimit, redirectLimit: 0))
  }

  /// Returns the name of the token's user; nil if the token is not valid. Throws `scrobble.serviceAway`, `http.…`,
  /// `CancellationError`.
  func user() async throws -> String? {
    let response = try await get("/1/validate-token")
    if [400, 401, 403].contains(response.status) { return nil }
    guard response.status == 200, let view = JSONView(response.body), view.isObject else {
      throw ScrobbleError.away("ListenBrainz", cause: "it answered \(response.status)")
    }
    guard let valid = view["valid"], valid.isTrue else { return nil }
    return view["user_name"]?.string ?? "listener"
  }
}

/// Sends to an account at a server with ListenBrainz's API.
struct ListenBrainzScrobbleClient: ScrobbleClient {
  let api: ListenBrainzAPI

  /// A tenth of the listens that a request may contain, so that a refused one is found in few halvings.
  let batchLimit = 100

  /// Returns the reason why ListenBrainz would refuse a listen, by its documented limits (listenbrainz.readthedocs.io,
  /// Constants), as one refused listen fails all that are sent with it; nil if there is none.
  func problem(with submission: Submission, at now: Timestamp) -> String? {
    if submission.startedAt < 1_033_410_600 { return "ListenBrainz accepts no listens from before October 2002" }
    if submission.startedAt > now.seconds + 3600 { return "its time is in the future: was the clock wrong?" }
    let texts = [submission.artist, submission.title, submission.album ?? "", submission.albumArtist ?? ""]
    // Escaping at most doubles a text, so the size of short ones need not be measured.
    guard texts.reduce(0, { $0 + $1.utf8.count }) > 4000 else { return nil }
    let size: Int
    do { size = try MessageCoding.encode(ListenBrainzPayload.Listen(submission, hasTime: true)).count } catch {
      return "its texts cannot be written as JSON"
    }
    return size > 10_240 ? "its texts are longer than ListenBrainz accepts" : nil
  }

  func submit(_ batch: [Submission]) async throws -> SendResult {
    try await post("/1/submit-listens", ListenBrainzPayload(batch), count: batch.count)
  }

  func announce(_ now: Submission) async throws -> SendResult {
    try await post("/1/submit-listens", ListenBrainzPayload(now: now))
  }

  func love(_ track: Submission, _ isLoved: Bool) async throws -> SendResult {
    try await result {
      do {
        let feedback = Feedback(recording_mbid: try await recording(of: track), score: isLoved ? 1 : 0)
        return Self.result(try await api.post("/1/feedback/recording-feedback", feedback), of: 1)
      } catch let unknown as UnknownRecording {
        return unknown.result
      }
    }
  }

  private func post(_ path: String, _ value: some Encodable, count: Int = 1) async throws -> SendResult {
    try await result { Self.result(try await api.post(path, value), of: count) }
  }

  /// The result for a love whose recording is not known.
  private struct UnknownRecording: Error {
    var result: SendResult
  }

  private func none(because reason: String, quiet: Duration? = nil) -> UnknownRecording {
    let text = "the track has no MusicBrainz recording id, by which ListenBrainz knows it, and \(reason)"
    return UnknownRecording(result: SendResult(.answered([.ignored(text)]), quiet: quiet))
  }

  /// Returns the MusicBrainz recording id by which ListenBrainz identifies a loved track: the track's own, or else the
  /// one that ListenBrainz finds for its artist and title (Metadata API, `lookup`), if both names match.
  private func recording(of track: Submission) async throws -> String {
    if let known = track.recordingID { return known }
    let response = try await api.get(
      "/1/metadata/lookup/?artist_name=\(PercentCoding.encode(track.artist))"
        + "&recording_name=\(PercentCoding.encode(track.title))")
    if response.status == 404 { throw none(because: "the server cannot look it up") }
    let answer = Self.result(response, of: 1)
    guard case .answered = answer.outcome, let view = JSONView(response.body) else {
      throw UnknownRecording(result: answer)
    }
    guard let id = view["recording_mbid"]?.string.flatMap(MusicBrainzID.init),
      view["recording_name"]?.string.map(\.folded) == track.title.folded,
      view["artist_credit_name"]?.string.map(\.folded) == track.artist.folded
    else {
      throw none(because: "ListenBrainz finds none of this artist and title", quiet: answer.quiet)
    }
    if let quiet = answer.quiet {
      throw UnknownRecording(result: SendResult(.limited("its limit is reached", wait: quiet)))
    }
    try await Task.sleep(for: DeliveryPlan.pace)
    return id.text
  }

  private struct Feedback: Encodable {
    var recording_mbid: String
    var score: Int
  }

  /// Returns the result of an answer to `count` listens (listenbrainz.readthedocs.io, Rate limiting and Constants).
  static func result(_ response: HTTPResponse, of count: Int) -> SendResult {
    let reason =
      JSONView(response.body)?["error"]?.string.map { "\($0.prefix(200)) (\(response.status))" }
      ?? "the server answered \(response.status)"
    let reset = response.header("X-RateLimit-Reset-In").flatMap { Int64($0) }.map { max(0, min($0, 86_400)) }
    let isEmpty = response.header("X-RateLimit-Remaining").flatMap { Int64($0) }.map { $0 <= 0 } ?? false
    let quiet: Duration? = isEmpty ? reset.map { .seconds($0) } : nil
    let unreadable = "the server answered \(response.status) with something that is no answer of ListenBrainz"
    // The page of a proxy, or of a network that asks for a sign-in, is no verdict on a listen or a token.
    if [400, 401, 403, 422].contains(response.status), response.body.first(where: { $0 > 32 }) == UInt8(ascii: "<") {
      return SendResult(.failed(unreadable, isAnswer: true))
    }
    switch response.status {
    case 200..<300:
      // The page of a proxy may have this status as well.
      guard let view = JSONView(response.body), view.isObject, view["error"] == nil,
        view["status"]?.string.map({ $0.lowercased() == "ok" }) ?? true
      else {
        return SendResult(.failed(unreadable, isAnswer: true), mayHaveArrived: true)
      }
      return SendResult(.answered(Array(repeating: .accepted(nil), count: count)), quiet: quiet)
    case 400, 413, 422: return SendResult(.rejected(reason), quiet: quiet)
    case 401, 403: return SendResult(.refused(.signedOut, reason))
    case 429:
      let waits = [reset.map { .seconds($0) }, response.retryAfter(now: Int(Timestamp.now().seconds))].compactMap { $0 }
      return SendResult(.limited(reason, wait: waits.max().map { max(.seconds(1), $0) }))
    default: return SendResult(.failed(reason, isAnswer: true), quiet: quiet, mayHaveArrived: true)
    }
  }
}

import HTTP
import Messages
import Model
import Text

/// An account at a server of ListenBrainz's interface.
struct ListenBrainzBackend: Backend {
  let client: ListenBrainzClient

  /// A tenth of what a request may carry, so that a refused one is soon halved.
  let batchLimit = 100

  /// One listen that is refused fails all that came with it, so what is documented to be refused is not sent
  /// (listenbrainz.readthedocs.io, Constants).
  func problem(with submission: Submission, at now: Timestamp) -> String? {
    if submission.startedAt < 1_033_410_600 { return "ListenBrainz takes no listens from before October 2002" }
    if submission.startedAt > now.seconds + 3600 { return "its time is in the future: was the clock wrong?" }
    let texts = [submission.artist, submission.title, submission.album ?? "", submission.albumArtist ?? ""]
    // Every other byte may need to be escaped; what is plainly small need not be counted.
    guard texts.reduce(0, { $0 + $1.utf8.count }) > 4000 else { return nil }
    let size: Int
    do { size = try MessageCoding.encode(ListenBrainzPayload.Listen(submission, hasTime: true)).count } catch {
      return "its texts cannot be written as JSON"
    }
    return size > 10_240 ? "its texts are longer than ListenBrainz takes" : nil
  }

  func submit(_ batch: [Submission]) async throws -> SendResult {
    try await result {
      Self.result(try await client.post("/1/submit-listens", ListenBrainzPayload(batch)), of: batch.count)
    }
  }

  func announce(_ now: Submission) async throws -> SendResult {
    try await result {
      Self.result(try await client.post("/1/submit-listens", ListenBrainzPayload(now: now)), of: 1)
    }
  }

  func love(_ track: Submission, _ isLoved: Bool) async throws -> SendResult {
    try await result {
      let recording: String
      switch try await self.recording(of: track) {
      case .success(let found): recording = found
      case .failure(let refusal): return refusal.result
      }
      return Self.result(
        try await client.post(
          "/1/feedback/recording-feedback", Feedback(recording_mbid: recording, score: isLoved ? 1 : 0)), of: 1)
    }
  }

  /// Why no recording is known.
  private struct Unknown: Error {
    var result: SendResult
  }

  /// The MusicBrainz recording, by which ListenBrainz knows what is loved: of the track, or else what it finds under
  /// these names (its Metadata API, `lookup`). A recording of another name than the track's is not taken for it.
  private func recording(of track: Submission) async throws -> Result<String, Unknown> {
    if let known = track.recordingID { return .success(known) }
    let response = try await client.get(
      "/1/metadata/lookup/?artist_name=\(FormBody.escaped(track.artist))&recording_name=\(FormBody.escaped(track.title))"
    )
    let answer = Self.result(response, of: 1)
    guard response.status != 404, case .answered = answer.outcome, let view = JSONView(response.body) else {
      guard response.status == 404 else { return .failure(Unknown(result: answer)) }
      return .failure(Unknown(result: Self.unknown("the server cannot look it up")))
    }
    guard let id = view["recording_mbid"]?.string.flatMap(MusicBrainzID.init),
      view["recording_name"]?.string.map(\.folded) == track.title.folded,
      view["artist_credit_name"]?.string.map(\.folded) == track.artist.folded
    else {
      return .failure(Unknown(result: Self.unknown("ListenBrainz finds none of this artist and title", answer.quiet)))
    }
    if let quiet = answer.quiet {
      return .failure(Unknown(result: SendResult(.limited("its limit is reached", wait: quiet))))
    }
    try await Task.sleep(for: DeliveryPlan.pace)
    return .success(id.text)
  }

  private static func unknown(_ why: String, _ quiet: Duration? = nil) -> SendResult {
    SendResult(
      .answered([.ignored("the track has no MusicBrainz recording id, by which ListenBrainz knows it, and \(why)")]),
      quiet: quiet)
  }

  private struct Feedback: Encodable {
    var recording_mbid: String
    var score: Int
  }

  /// What an answer means (listenbrainz.readthedocs.io, Rate limiting and Constants).
  static func result(_ response: HTTPResponse, of count: Int) -> SendResult {
    let words = words(of: response)
    let reset = response.header("X-RateLimit-Reset-In").flatMap { Int64($0) }.map { max(0, min($0, 86_400)) }
    let isEmpty = response.header("X-RateLimit-Remaining").flatMap { Int64($0) }.map { $0 <= 0 } ?? false
    let quiet: Duration? = isEmpty ? reset.map { .seconds($0) } : nil
    // The words of a proxy, or of a network that wants a sign-in of its own, say nothing of a listen or a token.
    if [400, 401, 403, 422].contains(response.status), response.body.first(where: { $0 > 32 }) == UInt8(ascii: "<") {
      return SendResult(.failed("the server answered \(response.status) with what is no answer", isAnswer: true))
    }
    switch response.status {
    case 200..<300:
      // A page of a proxy has this status as well.
      guard let view = JSONView(response.body), view.isObject, view["error"] == nil else {
        return SendResult(.failed("the server answered \(response.status) with what is no answer", isAnswer: true))
      }
      return SendResult(.answered(Array(repeating: .taken(nil), count: count)), quiet: quiet)
    case 400, 413, 422: return SendResult(.rejected(words), quiet: quiet)
    case 401, 403: return SendResult(.refused(.signedOut, words))
    case 429:
      let wait = reset ?? response.header("Retry-After").flatMap { Int64($0) }
      return SendResult(.limited(words, wait: wait.map { .seconds(max(1, $0)) }))
    default: return SendResult(.failed(words, isAnswer: true), quiet: quiet)
    }
  }

  private static func words(of response: HTTPResponse) -> String {
    guard let words = JSONView(response.body)?["error"]?.string else { return "the server answered \(response.status)" }
    return "\(words.prefix(200)) (\(response.status))"
  }
}

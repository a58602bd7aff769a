import HTTP
import Messages
import Model

/// An account at a server of ListenBrainz's interface.
struct ListenBrainzBackend: Backend {
  let client: ListenBrainzClient

  /// A tenth of what a request may carry, so that a refused one is soon halved.
  let batchLimit = 100

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
    guard let recording = track.recordingID else {
      return SendResult(
        .answered([.ignored("the track has no MusicBrainz recording id, by which ListenBrainz knows it")]))
    }
    return try await result {
      Self.result(
        try await client.post(
          "/1/feedback/recording-feedback", Feedback(recording_mbid: recording, score: isLoved ? 1 : 0)), of: 1)
    }
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

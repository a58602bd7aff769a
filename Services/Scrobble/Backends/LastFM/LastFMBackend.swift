import HTTP
import Model

/// An account at a server of Last.fm's protocol.
struct LastFMBackend: Backend {
  let client: LastFMClient
  let session: Secret

  /// The most that `track.scrobble` takes (last.fm/api/show/track.scrobble).
  let batchLimit = 50

  func submit(_ batch: [Submission]) async throws -> SendResult {
    try await result {
      try await client.call("track.scrobble", Self.parameters(batch), session: session).result(of: batch.count)
    }
  }

  func announce(_ now: Submission) async throws -> SendResult {
    try await act("track.updateNowPlaying", Self.parameters(now))
  }

  func love(_ track: Submission, _ isLoved: Bool) async throws -> SendResult {
    try await act(isLoved ? "track.love" : "track.unlove", ["artist": track.artist, "track": track.title])
  }

  private func act(_ method: String, _ parameters: [String: String]) async throws -> SendResult {
    try await result {
      switch try await client.call(method, parameters, session: session) {
      case .done: SendResult(.answered([.taken(nil)]))
      case .failed(let code, let words): LastFMPolicy.result(code, words)
      case .nonsense(let words): SendResult(.failed(words, isAnswer: true))
      }
    }
  }

  /// The parameters of a batch. A single one goes without brackets: some servers take no others.
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

extension Backend {
  /// Makes a result of what went wrong on the way. What it says names the server, and nothing that is secret.
  func result(_ body: () async throws -> SendResult) async throws -> SendResult {
    do { return try await body() } catch let error as LunaraError {
      // An answer that cannot be read may be of one listen's making; one that never came is not.
      let isAnswer = ["http.tooLarge", "http.brokenAnswer"].contains(error.code)
      return SendResult(.failed(error.message, isAnswer: isAnswer))
    }
  }
}

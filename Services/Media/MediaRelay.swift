import HTTP
import Model
import ServiceKit

/// Relays the audio of a server to rooms on other hosts that cannot reach it, because the server runs on this host
/// under a loopback address.
struct MediaRelay: Sendable {
  /// The most time in which the server may send nothing.
  private static let idle = Duration.seconds(20)
  /// The headers of a request that are sent to the server, and those of its answer that are sent to the room.
  private static let requestHeaders = ["Range", "If-Range", "If-None-Match", "If-Modified-Since"]
  private static let answerHeaders = ["Content-Type", "Content-Range", "Accept-Ranges", "ETag", "Last-Modified"]

  let http: HTTPClient

  /// Returns the server's answer, passed on as it arrives. The server's address and secret are not sent.
  ///
  /// - Throws: `library.gone`, `library.signedOut`, `library.sourceAway`, and what `HTTPClient.stream` throws.
  func answer(_ source: MediaLink.Stream, _ request: HTTPServerRequest) async throws -> HTTPServerResponse {
    // Ranges count bytes that are not compressed.
    var headers = source.headers.map { ($0.key, $0.value) } + [("Accept-Encoding", "identity")]
    for name in Self.requestHeaders { if let value = request.header(name) { headers.append((name, value)) } }
    let stream = try await http.stream(HTTPRequest(.reads, url: source.url, headers: headers), idle: Self.idle)
    let passed = Self.answerHeaders.compactMap { name in stream.header(name).map { (name, $0) } }
    switch stream.status {
    case 200, 206:
      // The length of a compressed answer would not be that of the bytes that are passed on.
      let length =
        stream.header("Content-Encoding") == nil ? stream.header("Content-Length").flatMap { UInt64($0) } : nil
      return HTTPServerResponse(
        status: stream.status, headers: passed, body: .relayed(length: length) { try await stream.next() })
    case 404, 410:
      throw LunaraError("library.gone", "\(source.source) no longer has a track. `lunara sync` looks again.")
    case 401, 403:
      throw LunaraError(
        "library.signedOut",
        "\(source.source) refuses the audio of a track. Sign in again there if `lunara sources` shows it as signed out.",
        cause: "HTTP status \(stream.status)")
    case 304, 416: return HTTPServerResponse(status: stream.status, headers: passed)
    default:
      throw LunaraError(
        "library.sourceAway", "\(source.source) answers \(stream.status) for a track's audio. Is it well?")
    }
  }
}

import HTTP
import Model

/// Passes the audio of a server on to rooms elsewhere, which cannot reach it: it runs beside the library, under an
/// address of that machine alone.
struct MediaRelay: Sendable {
  /// How long the server may send nothing.
  private static let idle = Duration.seconds(20)
  /// What of a request the server is told, and what of its answer the room.
  private static let asked = ["Range", "If-Range", "If-None-Match", "If-Modified-Since"]
  private static let told = ["Content-Type", "Content-Range", "Accept-Ranges", "ETag", "Last-Modified"]

  let http: HTTPClient
  /// The server of a source; nil where there is none that can be used.
  let server: @Sendable (_ source: String) async -> (any MusicServer)?

  /// What the server answers, passed on as it comes. Its address and secret stay here.
  ///
  /// - Throws: `library.unknownID`, `library.sourceAway`, and what the server and `HTTPClient.stream` throw.
  func answer(_ copy: Catalogue.TrackCopy, _ request: HTTPServerRequest) async throws -> HTTPServerResponse {
    guard let native = copy.native else { throw CatalogueID.unknown(copy.id) }
    guard let server = await server(copy.id.source) else { throw SourceError.away(copy.id.source, cause: nil) }
    let source = try await server.stream(part: copy.part, native: native)
    // Ranges are of the bytes as they are.
    var headers = source.headers.map { ($0.key, $0.value) } + [("Accept-Encoding", "identity")]
    for name in Self.asked { if let value = request.header(name) { headers.append((name, value)) } }
    let stream = try await http.stream(HTTPRequest(url: source.url, headers: headers), idle: Self.idle)
    let told = Self.told.compactMap { name in stream.header(name).map { (name, $0) } }
    switch stream.status {
    case 200, 206:
      let body = AsyncStream {
        // The room sees by the length in the headers that it broke off, and asks for the rest.
        do { return try await stream.next() } catch { return nil }
      }
      return HTTPServerResponse(status: stream.status, headers: told, body: .stream(body))
    case 304, 416: return HTTPServerResponse(status: stream.status, headers: told)
    default: throw SourceError.away(copy.id.source, cause: "it answers \(stream.status) for a track's audio")
    }
  }
}

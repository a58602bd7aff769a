import HTTP
import Model
import Synchronization

/// Compresses text with gzip for clients that accept it: a page of albums, and the page itself, shrink to a quarter.
///
/// The length of a compressed answer tells what is in it to an attacker who can have text of their own put
/// beside it again and again and sees how much is sent ("BREACH"). So only answers about music, history and
/// rooms are compressed: never those about accounts, sources or sessions, never an error, which repeats what was
/// asked, and never the answer to a command.
final class ResponseCompressor: Sendable {
  /// The least number of bytes of an answer that is compressed.
  static let leastBytes = 4096
  /// The least number of bytes of a page file that is compressed; each is compressed once only.
  private static let leastFileBytes = 512

  /// The names of the endpoints whose answers are compressed.
  static let endpoints = Set(
    (Endpoint.catalogue + Endpoint.history + Endpoint.rooms).filter { !$0.isCommand }.map(\.name)
  ).union(["readAllMetrics", "readMetrics"])

  /// The compressed files by their tags; nil for a file that gets no smaller.
  private let files = Mutex<[String: [UInt8]?]>([:])

  /// Returns the response that sends a page file, compressed where the client accepts it. Its name stays the same from
  /// version to version, so browsers ask each time whether it has changed; the server answers that from the tag.
  /// Throws `web.noPageFiles`.
  func response(with file: PageFiles.File, to request: HTTPServerRequest) throws(LunaraError) -> HTTPServerResponse {
    var headers = [("Content-Type", file.type), ("Cache-Control", "no-cache")]
    if file.size >= Self.leastFileBytes, Self.isText(file.type) {
      headers.append(Self.vary)
      if Gzip.isAccepted(by: request.header("Accept-Encoding")), let compressed = try compressed(file) {
        // These are other bytes, so they need another strong validator.
        headers += [("ETag", "\(file.tag.dropLast()).gz\""), Self.coding]
        return HTTPServerResponse(headers: headers, body: .bytes(compressed))
      }
    }
    return HTTPServerResponse(headers: headers + [("ETag", file.tag)], body: .bytes(try file.bytes()))
  }

  /// Compresses the response of an endpoint where that is safe, worth it and accepted by the client.
  func compress(
    _ response: HTTPServerResponse, of endpoint: Endpoint, to request: HTTPServerRequest
  ) -> HTTPServerResponse {
    guard Self.endpoints.contains(endpoint.name), response.status == 200, case .bytes(let bytes) = response.body,
      bytes.count >= Self.leastBytes,
      response.headers.contains(where: { $0.0 == "Content-Type" && Self.isText($0.1) })
    else { return response }
    var response = response
    response.headers.append(Self.vary)
    // A small effort: in a home network more would cost more time here than it saves on the way.
    guard Gzip.isAccepted(by: request.header("Accept-Encoding")), let compressed = Gzip.pack(bytes, effort: 3) else {
      return response
    }
    response.headers.append(Self.coding)
    response.body = .bytes(compressed)
    return response
  }

  private static let vary = ("Vary", "Accept-Encoding")
  private static let coding = ("Content-Encoding", "gzip")

  private func compressed(_ file: PageFiles.File) throws(LunaraError) -> [UInt8]? {
    if let known = files.withLock({ $0[file.tag] }) { return known }
    let compressed = Gzip.pack(try file.bytes(), effort: 9)
    files.withLock { $0[file.tag] = .some(compressed) }
    return compressed
  }

  private static func isText(_ type: String) -> Bool {
    type.hasPrefix("text/") || type.hasPrefix("application/json") || type.hasPrefix("application/manifest")
      || type.hasPrefix("image/svg")
  }
}

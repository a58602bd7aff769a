import HTTP
import Model
import Synchronization

/// Compresses text with gzip for clients that accept it: pages of albums and the files of the page shrink to a quarter.
///
/// The length of a compressed answer reveals its contents to an attacker who can put their own text into it many times
/// and sees its size ("BREACH"). So only answers about music, history, rooms and metrics are compressed; answers about
/// accounts, sources or sessions, errors, which repeat parts of the request, and answers to commands are not.
final class ResponseCompressor: Sendable {
  /// The smallest size, in bytes, of an answer that is compressed.
  static let leastBytes = 4096
  /// The smallest size, in bytes, of a page file that is compressed; each file is compressed only once.
  private static let leastFileBytes = 512

  /// The names of the endpoints whose answers are compressed.
  static let endpoints = Set(
    (Endpoint.catalogue + Endpoint.playlists + Endpoint.history + Endpoint.rooms).filter { !$0.isCommand }.map(\.name)
  ).union(["readAllMetrics", "readMetrics"])

  /// The compressed files by their tags; nil for a file that does not get smaller.
  private let files = Mutex<[String: [UInt8]?]>([:])

  /// Returns the response with a page file, compressed if the client accepts it. A file keeps its name in all versions,
  /// so browsers ask each time if it has changed; the server compares the tags. Throws `web.noPageFiles`.
  func response(with file: PageFiles.File, to request: HTTPServerRequest) throws(LunaraError) -> HTTPServerResponse {
    var headers = [("Content-Type", file.type), ("Cache-Control", "no-cache")]
    if file.size >= Self.leastFileBytes, Self.isText(file.type) {
      headers.append(Self.vary)
      if Gzip.isAccepted(by: request.header("Accept-Encoding")), let compressed = try compressed(file) {
        // The compressed bytes differ from the file's, so they need another strong validator.
        headers += [("ETag", "\(file.tag.dropLast()).gz\""), Self.coding]
        return HTTPServerResponse(headers: headers, body: .bytes(compressed))
      }
    }
    return HTTPServerResponse(headers: headers + [("ETag", file.tag)], body: .bytes(try file.bytes()))
  }

  /// Compresses the response of an endpoint if that is safe, useful and accepted by the client.
  func compress(
    _ response: HTTPServerResponse, of endpoint: Endpoint, to request: HTTPServerRequest
  ) -> HTTPServerResponse {
    guard Self.endpoints.contains(endpoint.name), response.status == 200, case .bytes(let bytes) = response.body,
      bytes.count >= Self.leastBytes,
      response.headers.contains(where: { $0.0 == "Content-Type" && Self.isText($0.1) })
    else { return response }
    var response = response
    response.headers.append(Self.vary)
    // The effort is small: in a home network a higher one would take more time here than it saves on the network.
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

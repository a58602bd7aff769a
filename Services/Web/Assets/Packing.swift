import HTTP
import Synchronization

/// Sends text compressed to who takes it: a page of albums, and the page itself, are a quarter of their size then.
///
/// What is compressed tells by its length what is in it, to whoever can have something of their own put beside it again
/// and again and sees how much is sent ("BREACH"). So only what is read of music, history and rooms is: never what tells
/// of accounts, sources or sessions, never an error, which repeats what was asked, and nothing that answers a command.
final class Packing: Sendable {
  /// How many bytes an answer has that is worth the work.
  static let least = 4096
  /// The same for a file of the page, which is compressed once.
  private static let leastOfFile = 512

  /// The endpoints whose answers are compressed.
  static let endpoints = Set(
    (Endpoint.catalogue + Endpoint.history + Endpoint.rooms).filter { !$0.isCommand }.map(\.name)
  ).union(["readAllMetrics", "readMetrics"])

  /// The compressed files by their tags, nil for one that does not get smaller.
  private let files = Mutex<[String: [UInt8]?]>([:])

  /// A file of the page as who asks takes it.
  func file(_ file: PageFiles.File, to request: HTTPServerRequest) -> HTTPServerResponse {
    var answer = HTTPServerResponse.file(file)
    guard file.bytes.count >= Self.leastOfFile, Self.isText(file.type) else { return answer }
    answer.headers.append(Self.vary)
    guard Gzip.isAccepted(by: request.header("Accept-Encoding")), let packed = packed(file) else { return answer }
    // Other bytes, so another strong validator.
    answer.headers.removeAll { $0.0 == "ETag" }
    answer.headers += [("ETag", "\(file.tag.dropLast()).gz\""), Self.coding]
    answer.body = .bytes(packed)
    return answer
  }

  /// An answer of an endpoint as who asks takes it.
  func answer(_ answer: HTTPServerResponse, of endpoint: Endpoint, to request: HTTPServerRequest) -> HTTPServerResponse
  {
    guard Self.endpoints.contains(endpoint.name), answer.status == 200, case .bytes(let bytes) = answer.body,
      bytes.count >= Self.least, answer.headers.contains(where: { $0.0 == "Content-Type" && Self.isText($0.1) })
    else { return answer }
    var answer = answer
    answer.headers.append(Self.vary)
    // Little effort: it costs the listener's own machine more time than it saves on the way at home.
    guard Gzip.isAccepted(by: request.header("Accept-Encoding")), let packed = Gzip.pack(bytes, effort: 3) else {
      return answer
    }
    answer.headers.append(Self.coding)
    answer.body = .bytes(packed)
    return answer
  }

  private static let vary = ("Vary", "Accept-Encoding")
  private static let coding = ("Content-Encoding", "gzip")

  private func packed(_ file: PageFiles.File) -> [UInt8]? {
    if let known = files.withLock({ $0[file.tag] }) { return known }
    let packed = Gzip.pack(file.bytes, effort: 9)
    files.withLock { $0[file.tag] = .some(packed) }
    return packed
  }

  private static func isText(_ type: String) -> Bool {
    type.hasPrefix("text/") || type.hasPrefix("application/json") || type.hasPrefix("application/manifest")
      || type.hasPrefix("image/svg")
  }
}

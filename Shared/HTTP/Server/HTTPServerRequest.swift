import Model

/// A request as a server's handler gets it: whole, its body at most 1 MiB.
public struct HTTPServerRequest: Sendable {
  /// The method in capitals, for example `GET`. A `HEAD` is to be answered like a `GET`: the body is not sent.
  public var method: String
  /// The path with its escapes undone. It may hold `..`, so it must never name a file by itself.
  public var path: String
  /// The query's parameters, decoded; of several with one name the first.
  public var query: [String: String]
  /// All values of those parameters that the query has several times, in its order.
  public var repeatedQuery: [String: [String]]
  /// Names and values of the headers, in their order.
  public var headers: [(String, String)]
  /// The body; empty if there is none.
  public var body: [UInt8]
  /// The numeric address of the client, without its port.
  public var remoteAddress: String

  public init(
    method: String = "GET", path: String, query: [String: String] = [:], repeatedQuery: [String: [String]] = [:],
    headers: [(String, String)] = [], body: [UInt8] = [], remoteAddress: String = "127.0.0.1"
  ) {
    self.repeatedQuery = repeatedQuery
    self.method = method
    self.path = path
    self.query = query
    self.headers = headers
    self.body = body
    self.remoteAddress = remoteAddress
  }

  /// The first value of a header; the name's case does not matter.
  public func header(_ name: String) -> String? { Headers.first(name, in: headers) }
}

/// The path and the query of a request's first line, decoded (RFC 3986).
struct RequestTarget: Equatable {
  /// The path with its escapes undone, from the first slash on.
  var path: String
  /// The query's parameters; of several with one name the first.
  var query: [String: String]
  /// All values of those parameters that the query has several times, in its order.
  var repeatedQuery: [String: [String]] = [:]

  /// Reads a target such as `/a%20b?c=d`; nil if it does not start with a slash, or where its escapes are malformed
  /// or stand for NUL or invalid UTF-8.
  init?(_ text: String) {
    guard text.hasPrefix("/") else { return nil }
    let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    guard let path = Self.decode(parts[0], plusIsSpace: false) else { return nil }
    self.path = path
    query = [:]
    guard parts.count == 2 else { return }
    for pair in parts[1].split(separator: "&") {
      let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = Self.decode(sides[0], plusIsSpace: true),
        let value = Self.decode(sides.count == 2 ? sides[1] : "", plusIsSpace: true)
      else { return nil }
      if let first = query[name] {
        repeatedQuery[name, default: [first]].append(value)
      } else {
        query[name] = value
      }
    }
  }

  private static func decode(_ text: Substring, plusIsSpace: Bool) -> String? {
    guard let bytes = PercentCoding.decode(text, plusIsSpace: plusIsSpace), !bytes.contains(0) else { return nil }
    return String(validating: bytes, as: UTF8.self)
  }
}

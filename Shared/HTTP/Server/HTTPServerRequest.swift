/// A request as a server's handler gets it: whole, its body at most 1 MiB.
public struct HTTPServerRequest: Sendable {
  /// The method in capitals, for example `GET`. A `HEAD` is to be answered like a `GET`: the body is not sent.
  public var method: String
  /// The path with its escapes undone. It may hold `..`, so it must never name a file by itself.
  public var path: String
  /// The query's parameters, decoded; of several with one name the first.
  public var query: [String: String]
  /// Names and values of the headers, in their order.
  public var headers: [(String, String)]
  /// The body; empty where there is none.
  public var body: [UInt8]
  /// The numeric address of the client, without its port.
  public var remoteAddress: String

  /// Makes a request, as tests do.
  public init(
    method: String = "GET", path: String, query: [String: String] = [:], headers: [(String, String)] = [],
    body: [UInt8] = [], remoteAddress: String = "127.0.0.1"
  ) {
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

/// What a server answered, whatever its status.
public struct HTTPResponse: Sendable {
  /// The status, for example 404.
  public var status: Int
  /// Names and values of the headers, in their order.
  public var headers: [(String, String)]
  /// The body, decompressed.
  public var body: [UInt8]

  /// Makes an answer from its parts, as tests do.
  public init(status: Int, headers: [(String, String)] = [], body: [UInt8] = []) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// The first value of a header; the name's case does not matter.
  public func header(_ name: String) -> String? { Headers.first(name, in: headers) }

  /// When the server says that it answered, in seconds since 1970 on its own clock; nil where it does not say.
  public var date: Int? { header("Date").flatMap { HTTPDate.parse($0) } }
}

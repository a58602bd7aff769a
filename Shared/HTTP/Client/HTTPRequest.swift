/// A request to a server, over http or https.
public struct HTTPRequest: Sendable {
  /// The method in capitals.
  public var method: String
  /// The absolute address, its special characters escaped.
  public var url: String
  /// Names and values of the headers.
  public var headers: [(String, String)]
  /// The body; nil for none.
  public var body: [UInt8]?
  /// How long all of it may take, redirections included.
  public var timeout: Duration
  /// The largest body that is taken as the answer, in bytes, decompressed.
  public var responseLimit: Int
  /// How many redirections are followed.
  public var redirectLimit: Int

  /// Makes a request from its parts.
  public init(
    method: String = "GET", url: String, headers: [(String, String)] = [], body: [UInt8]? = nil,
    timeout: Duration = .seconds(30), responseLimit: Int = 16 * 1024 * 1024, redirectLimit: Int = 5
  ) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
    self.timeout = timeout
    self.responseLimit = responseLimit
    self.redirectLimit = redirectLimit
  }
}

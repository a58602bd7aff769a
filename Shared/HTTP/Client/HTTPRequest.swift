/// A request to a server, over http or https.
public struct HTTPRequest: Sendable {
  /// The effect of a request on its server. It does not follow from the method: some services change things with GET
  /// and read with POST.
  public enum Effect: Hashable, Sendable {
    /// The request only reads, so the client may send it again by itself where a connection closes without an answer.
    case reads
    /// The request may change something. It goes over a new connection and is sent once: where the answer is lost, the
    /// server may have carried it out.
    case changes
  }

  /// The effect on the server.
  public var effect: Effect
  /// The method in capitals.
  public var method: String
  /// The absolute address, its special characters escaped.
  public var url: String
  /// Names and values of the headers.
  public var headers: [(String, String)]
  /// The body; nil for none.
  public var body: [UInt8]?
  /// The time that the request may take, redirections included.
  public var timeout: Duration
  /// The largest body of an answer that is accepted, in bytes, decompressed.
  public var responseLimit: Int
  /// The number of redirections that are followed.
  public var redirectLimit: Int
  /// True for addresses that strangers chose: a server in a private network is refused, also after a redirection, and
  /// no proxy is used. The numeric address is checked at each connection.
  public var refusesPrivateAddresses: Bool
  /// Returns true for a server to which the request may be redirected; nil for any. Another one ends the request with
  /// `http.redirectRefused`.
  public var mayRedirect: (@Sendable (Origin) -> Bool)?
  /// Returns true for a numeric address to which the request may connect, also after a redirection; nil for any.
  /// Another one ends the request with `http.addressRefused`. No proxy is used.
  public var mayConnect: (@Sendable (ConnectionAddress) -> Bool)?
  /// The server to which the first request went; nil for a request that follows no redirection.
  var start: Redirection.Start?

  public init(
    _ effect: Effect, method: String = "GET", url: String, headers: [(String, String)] = [], body: [UInt8]? = nil,
    timeout: Duration = .seconds(30), responseLimit: Int = 16 * 1024 * 1024, redirectLimit: Int = 5,
    refusesPrivateAddresses: Bool = false, mayRedirect: (@Sendable (Origin) -> Bool)? = nil,
    mayConnect: (@Sendable (ConnectionAddress) -> Bool)? = nil
  ) {
    self.effect = effect
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
    self.timeout = timeout
    self.responseLimit = responseLimit
    self.redirectLimit = redirectLimit
    self.refusesPrivateAddresses = refusesPrivateAddresses
    self.mayRedirect = mayRedirect
    self.mayConnect = mayConnect
  }
}

/// A server's answer, whatever its status.
public struct HTTPResponse: Sendable {
  /// The status, for example 404.
  public var status: Int
  /// Names and values of the headers, in their order.
  public var headers: [(String, String)]
  /// The body, decompressed.
  public var body: [UInt8]
  /// The address from which it came, after redirections; nil for an answer that no client has received.
  public var url: String?

  public init(status: Int, headers: [(String, String)] = [], body: [UInt8] = []) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// The first value of a header; the name's case does not matter.
  public func header(_ name: String) -> String? { Headers.first(name, in: headers) }

  /// The time of the answer by the server's clock, in seconds since 1970; nil if it sends no date.
  public var date: Int? { header("Date").flatMap { HTTPDate.parse($0) } }

  /// The time for which the server asks for no further request (`Retry-After`, RFC 9110), from zero to a day; nil if it
  /// does not ask. A time of the clock counts from the server's own time.
  ///
  /// - Parameter now: The time in seconds since 1970, for servers that send no date.
  public func retryAfter(now: Int) -> Duration? {
    guard let text = header("Retry-After") else { return nil }
    guard let seconds = Int(text) ?? HTTPDate.parse(text).map({ $0 - (date ?? now) }) else { return nil }
    return .seconds(min(max(0, seconds), 86_400))
  }
}

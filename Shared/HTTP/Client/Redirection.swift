import CCurl
import Model
import System

/// Makes the requests that follow redirections, and decides what they keep of the request before.
enum Redirection {
  /// The server to which the first of several requests went.
  struct Start: Sendable {
    var host: String
    /// The bytes of its address; nil if it is not known.
    var address: [UInt8]?
  }

  /// Returns the request that follows the answer of a transfer; nil if it is no redirection. Throws as below.
  static func next(after request: HTTPRequest, _ result: Transfer.Result) throws -> HTTPRequest? {
    var next = try next(after: request, status: result.response.status, location: result.location)
    if next?.start == nil, let old = Origin(request.url) {
      next?.start = Start(host: old.host, address: result.address)
    }
    return next
  }

  /// Headers that are no secret, so another server may see them.
  private static let harmless = ["Accept", "Accept-Encoding", "Accept-Language", "Content-Type", "Range"]
  /// The names, in lower case, under which servers take credentials in a query or a form.
  private static let credentials: Set = [
    "x-plex-token", "u", "p", "t", "s", "apikey", "api_key", "sk", "token", "access_token", "auth_token", "password",
    "signature",
  ]

  /// Returns the absolute address of a `Location`, which may be relative to the address of the request; nil if it is
  /// malformed.
  static func address(of location: String, from url: String) -> String? {
    guard let parts = curl_url() else { return nil }
    defer { curl_url_cleanup(parts) }
    var text: UnsafeMutablePointer<CChar>?
    guard curl_url_set(parts, CURLUPART_URL, url, 0) == CURLUE_OK,
      curl_url_set(parts, CURLUPART_URL, location, UInt32(CURLU_URLENCODE)) == CURLUE_OK,
      curl_url_get(parts, CURLUPART_URL, &text, 0) == CURLUE_OK, let text
    else { return nil }
    defer { curl_free(text) }
    return String(cString: text)
  }

  /// Returns the request that follows an answer; nil if the answer is not a redirection.
  ///
  /// Another server gets only the headers in `harmless`: tokens are sent in headers of many names. It gets no body and
  /// no credentials of a query or form. Without them it could only answer that the sign-in is wrong, so such a
  /// redirection throws `http.redirectRefused`. One from https to http throws `http.insecure`.
  static func next(after request: HTTPRequest, status: Int, location: String?) throws -> HTTPRequest? {
    guard [301, 302, 303, 307, 308].contains(status), let location else { return nil }
    guard let old = Origin(request.url), let new = Origin(location) else { return nil }
    guard old.scheme == "http" || new.scheme == "https" else {
      throw LunaraError(
        "http.insecure", "\(old.name) sends to \(new.name) without encryption, which is refused. Check its address.")
    }
    guard request.mayRedirect?(new) ?? true else {
      throw LunaraError("http.redirectRefused", "\(old.name) redirects to \(new.name), which may not be asked.")
    }
    var next = request
    next.url = location
    // RFC 9110, 15.4: 303 asks for a GET; after 301 and 302 every client turns a POST into a GET.
    if status == 303 && request.method != "HEAD" || (status == 301 || status == 302) && request.method == "POST" {
      next.method = "GET"
      next.body = nil
      next.headers.removeAll { Headers.isSame($0.0, "Content-Type") }
    }
    guard old != new else { return next }
    next.headers.removeAll { header in !harmless.contains { Headers.isSame($0, header.0) } }
    guard next.body == nil, formCredentials(in: request).isEmpty,
      credentials(in: location).isDisjoint(with: credentials(in: request.url))
    else { throw refused(from: old, to: new) }
    return next
  }

  /// Returns the error for an answer that refuses the sign-in because a redirection to another server dropped it; nil
  /// for other answers. `requests` are all that were sent, in their order.
  static func refusal(by status: Int, after requests: [HTTPRequest]) -> LunaraError? {
    guard status == 401 || status == 403, let first = requests.first, let old = Origin(first.url) else { return nil }
    let other = requests.dropFirst().lazy.compactMap { Origin($0.url) }.first { $0 != old }
    guard let other, hasCredentials(first) else { return nil }
    return refused(from: old, to: other)
  }

  private static func refused(from old: Origin, to new: Origin) -> LunaraError {
    LunaraError(
      "http.redirectRefused",
      "\(old.name) redirects to \(new.name), which is another server and gets no sign-in. If it is the new address, set that one."
    )
  }

  /// Returns true if a request has credentials in its headers or its query. Other headers that another server does not
  /// get, such as the description of this household for Plex, sign nobody in.
  private static func hasCredentials(_ request: HTTPRequest) -> Bool {
    !credentials(in: request.url).isEmpty
      || request.headers.contains { header in
        let name = header.0.lowercased()
        return name == "authorization" || name == "cookie" || name.hasSuffix("-token")
      }
  }

  /// Returns the names of the credentials in the form that is the body of a request.
  private static func formCredentials(in request: HTTPRequest) -> Set<String> {
    guard let body = request.body, Headers.first("Content-Type", in: request.headers)?.contains("form") == true else {
      return []
    }
    return credentials(inQuery: String(decoding: body, as: UTF8.self))
  }

  /// Returns the names of the credentials in the query of an address.
  private static func credentials(in url: String) -> Set<String> {
    let query = url.prefix { $0 != "#" }.drop { $0 != "?" }.dropFirst()
    return credentials(inQuery: String(query))
  }

  private static func credentials(inQuery query: String) -> Set<String> {
    let names = query.split(separator: "&").map { $0.prefix { $0 != "=" }.lowercased() }
    return credentials.intersection(names)
  }
}

/// The server of an address: scheme, host and port (RFC 6454).
public struct Origin: Hashable, Sendable {
  /// `http` or `https`.
  public let scheme: String
  /// The host in lower case, an IPv6 address in brackets.
  public let host: String
  /// The port, also where the address names none.
  public let port: String

  /// Reads the origin of an absolute address; nil for anything but http and https.
  public init?(_ url: String) {
    guard let parts = curl_url() else { return nil }
    defer { curl_url_cleanup(parts) }
    guard curl_url_set(parts, CURLUPART_URL, url, 0) == CURLUE_OK,
      let scheme = Self.part(CURLUPART_SCHEME, of: parts)?.lowercased(), scheme == "http" || scheme == "https",
      let host = Self.part(CURLUPART_HOST, of: parts)?.lowercased(),
      let port = Self.part(CURLUPART_PORT, of: parts)
    else { return nil }
    self.scheme = scheme
    self.host = host
    self.port = port
  }

  private static func part(_ part: CURLUPart, of url: OpaquePointer) -> String? {
    var text: UnsafeMutablePointer<CChar>?
    guard curl_url_get(url, part, &text, UInt32(CURLU_DEFAULT_PORT)) == CURLUE_OK, let text else { return nil }
    defer { curl_free(text) }
    return String(cString: text)
  }

  /// True if the server is on this computer, where no proxy may be used.
  public var isLoopback: Bool { Loopback.isHost(host) }
  /// True if the address itself says that the server is on this computer or in a private network: by a number of one
  /// (RFC 6890), or by a name that is reserved for it (RFC 6761, RFC 6762, RFC 8375, and `internal`).
  public var isPrivate: Bool {
    if host == "localhost" || [".localhost", ".local", ".home.arpa", ".internal"].contains(where: host.hasSuffix) {
      return true
    }
    return NetworkAddress.bytes(host).map { !NetworkAddress.isPublic($0) } ?? false
  }
  /// The bytes of its address where the host is a number; nil for a name.
  public var numericAddress: [UInt8]? { NetworkAddress.bytes(host).map(IPAddress.plain) }
  /// The beginning of its addresses, without a usual port: `https://music.example`.
  public var address: String {
    let usual = scheme == "https" ? "443" : "80"
    return "\(scheme)://\(host)\(port == usual ? "" : ":\(port)")"
  }
  /// The server as people name it.
  public var name: String { "\(host):\(port)" }
}

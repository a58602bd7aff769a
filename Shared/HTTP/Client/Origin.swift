import CCurl

/// Whom an address belongs to: scheme, host and port (RFC 6454).
struct Origin: Hashable {
  /// `http` or `https`.
  let scheme: String
  let host: String
  let port: String

  /// Reads it from an absolute address; nil for anything but http and https.
  init?(_ url: String) {
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

  /// Whether it is this computer, which no proxy reaches.
  var isLoopback: Bool { host == "localhost" || host == "[::1]" || host.hasPrefix("127.") }
  /// The server as people name it.
  var name: String { "\(host):\(port)" }
}

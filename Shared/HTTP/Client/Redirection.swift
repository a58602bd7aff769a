import Model

/// Where an answer sends the client, and what goes along.
enum Redirection {
  /// Headers that are no secret, so another server may see them.
  private static let harmless = ["Accept", "Accept-Language", "Content-Type"]

  /// The request that follows an answer; nil where it is not a redirection.
  ///
  /// Everything but `harmless` stays with the server it was meant for: tokens travel in headers of many names. Throws
  /// `http.insecure` for a way from https to http.
  static func next(after request: HTTPRequest, status: Int, location: String?) throws -> HTTPRequest? {
    guard [301, 302, 303, 307, 308].contains(status), let location else { return nil }
    guard let old = Origin(request.url), let new = Origin(location) else { return nil }
    guard old.scheme == "http" || new.scheme == "https" else {
      throw LunaraError(
        "http.insecure", "\(old.name) sends to \(new.name) without encryption, which is refused. Check its address.")
    }
    var next = request
    next.url = location
    if old != new { next.headers.removeAll { header in !harmless.contains { Headers.isSame($0, header.0) } } }
    // RFC 9110, 15.4: 303 asks for a GET; for 301 and 302 every client makes one of a POST.
    if status == 303 && request.method != "HEAD" || (status == 301 || status == 302) && request.method == "POST" {
      next.method = "GET"
      next.body = nil
      next.headers.removeAll { Headers.isSame($0.0, "Content-Type") }
    }
    return next
  }
}

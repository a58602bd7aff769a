import Client
import HTTP
import Model

extension HTTPServerResponse {
  /// The headers that protect the page: only its own scripts run, no other site may show or embed it, and browsers do
  /// not guess types from bytes.
  static let safetyHeaders: [(String, String)] = [
    (
      "Content-Security-Policy",
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; media-src blob:; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
    ),
    ("X-Content-Type-Options", "nosniff"),
    ("Cross-Origin-Opener-Policy", "same-origin"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
    ("Referrer-Policy", "no-referrer"),
  ]

  /// The same response with the safety headers that it does not set itself.
  var withSafetyHeaders: HTTPServerResponse {
    var response = self
    response.headers += Self.safetyHeaders.filter { name, _ in !headers.contains { $0.0 == name } }
    return response
  }

  /// Returns a value as JSON, which caches never keep.
  static func json(_ value: some JSONRepresentable, status: Int = 200) -> HTTPServerResponse {
    HTTPServerResponse(
      status: status, headers: [("Content-Type", "application/json"), ("Cache-Control", "no-store")],
      body: .bytes(value.json.bytes(.leftOut)))
  }

  /// Returns an error as JSON, with the status that fits it.
  static func failure(_ error: LunaraError) -> HTTPServerResponse {
    var response = json(error.failureJSON, status: error.httpStatus)
    switch error.code {
    case "web.methodNotAllowed": response.headers.append(("Allow", error.cause ?? "GET"))
    case "web.tooManyTries": response.headers.append(("Retry-After", error.cause ?? "1"))
    default: break
    }
    return response
  }

  static func events(_ stream: AsyncStream<[UInt8]>) -> HTTPServerResponse {
    HTTPServerResponse(
      headers: [
        ("Content-Type", "text/event-stream"), ("Cache-Control", "no-store"),
        // A proxy in between must not collect events before it passes them on.
        ("X-Accel-Buffering", "no"),
      ],
      body: .stream(stream))
  }
}

extension LunaraError {
  /// The HTTP status (RFC 9110) that fits the error.
  var httpStatus: Int {
    switch code {
    case "web.malformed", "web.badID", "web.badParameter", "web.badBody", "library.badCursor", "http.badAddress",
      "client.roomNeeded", "router.startOutOfRange", "router.tooMany":
      400
    case "web.signInNeeded", "web.wrongPassword": 401
    case "web.hostRefused", "web.crossOrigin": 403
    case "web.notFound", "web.noPicture": 404
    case "web.methodNotAllowed": 405
    case "web.tooLarge": 413
    case "web.notJSON": 415
    case "web.tooManyTries": 429
    case "bus.unreachable", "bus.busy", "bus.closed", "bus.cancelled", "client.roomAway", "client.noRoom",
      "web.tooManyReaders", "web.busy", "web.stopping", "library.sourceAway", "scrobble.serviceAway":
      503
    case "bus.timeout", "http.timeout": 504
    // Data of this household is damaged; the request was right.
    case "library.badPicture", "playback.badLocator", "internal.unexpected": 500
    default:
      switch true {
      case code.hasSuffix(".unknownID"), code.hasSuffix("Missing"), code.hasSuffix(".roomUnknown"): 404
      // Another process, or another server, did not answer as it should.
      case code.hasPrefix("bus."), code.hasPrefix("http."): 502
      case code.hasPrefix("storage."), code.hasPrefix("web."): 500
      case code.contains(".unknown"): 404
      case code.contains(".bad"): 400
      // A service understood the request and refuses it in the present state.
      default: 409
      }
    }
  }
}

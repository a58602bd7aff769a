import Client
import HTTP
import Model

extension HTTPServerResponse {
  /// The security headers: only the page's own scripts run, no other site may embed it or load its files, and browsers
  /// do not guess types from bytes. The one policy of Trusted Types names the service worker (`phone/worker.js`).
  static let safetyHeaders: [(String, String)] = [
    (
      "Content-Security-Policy",
      "default-src 'none'; script-src 'self'; worker-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; media-src blob:; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types lunara-worker"
    ),
    ("X-Content-Type-Options", "nosniff"),
    ("Cross-Origin-Opener-Policy", "same-origin"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
    ("Referrer-Policy", "no-referrer"),
  ]

  /// The response with the security headers that it does not set itself.
  var withSafetyHeaders: HTTPServerResponse {
    var response = self
    response.headers += Self.safetyHeaders.filter { name, _ in !headers.contains { $0.0 == name } }
    return response
  }

  /// Returns a response with a value as JSON, which is never cached.
  static func json(_ value: some JSONRepresentable, status: Int = 200) -> HTTPServerResponse {
    HTTPServerResponse(
      status: status, headers: [("Content-Type", "application/json"), ("Cache-Control", "no-store")],
      body: .bytes(value.json.bytes(.leftOut)))
  }

  /// Returns a response with an error as JSON, and with its HTTP status.
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
        // A proxy must not buffer events.
        ("X-Accel-Buffering", "no"),
      ],
      body: .stream(stream))
  }
}

extension LunaraError {
  /// The HTTP status (RFC 9110) for the error.
  var httpStatus: Int {
    switch code {
    case "web.malformed", "web.badID", "web.badParameter", "web.badBody", "library.badCursor", "library.badTag",
      "http.badAddress", "client.roomNeeded", "router.startOutOfRange", "router.tooMany":
      400
    case "web.signInNeeded", "web.wrongPassword": 401
    case "web.hostRefused", "web.crossOrigin", "library.outsideFolders": 403
    case "web.notFound", "web.noPicture", "library.badPicture", "library.unknownFolder": 404
    case "web.methodNotAllowed": 405
    case "web.tooLarge": 413
    case "web.notJSON": 415
    case "web.tooManyTries": 429
    case "bus.unreachable", "bus.busy", "bus.closed", "bus.cancelled", "client.roomAway", "client.noRoom",
      "web.tooManyReaders", "web.busy", "web.stopping", "library.sourceAway", "scrobble.serviceAway",
      "discovery.notReady":
      503
    case "bus.timeout", "http.timeout": 504
    // The household's own data is damaged; the request was correct.
    case "playback.badLocator", "internal.unexpected": 500
    default:
      switch true {
      case code.hasSuffix(".unknownID"), code.hasSuffix("Missing"), code.hasSuffix(".roomUnknown"): 404
      // Another process or server did not answer properly.
      case code.hasPrefix("bus."), code.hasPrefix("http."): 502
      case code == "library.serverUntrusted", code == "library.wrongServerKind": 502
      case code.hasPrefix("storage."), code.hasPrefix("web."): 500
      case code.contains(".unknown"): 404
      case code.contains(".bad"): 400
      // A service understood the request, but refuses it in its present state.
      default: 409
      }
    }
  }
}

import Model

extension LunaraError {
  /// The HTTP status (RFC 9110) that fits the error.
  var httpStatus: Int {
    switch code {
    case "web.malformed": 400
    case "web.tooLarge": 413
    case "web.badID", "web.badParameter", "web.badBody", "client.roomNeeded", "library.badCursor": 400
    case "client.roomNeeded", "router.startOutOfRange", "router.tooMany": 400
    case "web.signInNeeded", "web.wrongPassword": 401
    case "web.hostRefused", "web.crossOrigin": 403
    case "web.notFound", "client.roomUnknown", "web.noPicture": 404
    case "web.methodNotAllowed": 405
    case "web.notJSON": 415
    case "web.tooManyTries": 429
    case "bus.unreachable", "bus.busy", "bus.closed", "bus.cancelled", "client.roomAway", "client.noRoom",
      "web.tooManyReaders":
      503
    case "web.busy", "web.stopping", "library.sourceAway", "scrobble.serviceAway": 503
    case "bus.timeout", "http.timeout": 504
    case "http.badAddress": 400
    // What is damaged here, and not what was asked.
    case "library.badPicture", "playback.badLocator": 500
    case "internal.unexpected": 500
    default:
      switch true {
      case code.hasSuffix(".unknownID"), code.hasSuffix("Missing"), code.hasSuffix(".roomUnknown"): 404
      // Another process, or another server, did not answer as it should.
      case code.hasPrefix("bus."), code.hasPrefix("http."): 502
      case code.hasPrefix("storage."), code.hasPrefix("web."): 500
      case code.contains(".unknown"): 404
      case code.contains(".bad"): 400
      // A service understood the request and refuses it as things stand.
      default: 409
      }
    }
  }
}

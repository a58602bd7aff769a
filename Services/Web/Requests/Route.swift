import Model

/// What a request is about, read from its method and path.
enum Route: Hashable {
  /// The page or one of its files.
  case file(String)
  case rooms
  case albums
  case album(AlbumID)
  case search
  case queue
  case art(ArtID)
  case play
  case transport(RoomName)
  case edit(RoomName)
  case events
  case metrics
  case health

  /// Reads a route.
  ///
  /// - Parameter path: percent-decoded, so an id may hold any character.
  /// - Throws: `web.notFound`, `web.methodNotAllowed`, `web.badID`.
  init(method: String, path: String) throws(LunaraError) {
    self = try Self.find(path)
    guard method == (isCommand ? "POST" : "GET") || (method == "HEAD" && !isCommand) else {
      throw LunaraError("web.methodNotAllowed", "\(path) takes \(isCommand ? "POST" : "GET"), not \(method).")
    }
  }

  /// Whether the request changes something.
  var isCommand: Bool {
    switch self {
    case .play, .transport, .edit: true
    default: false
    }
  }

  private static func find(_ path: String) throws(LunaraError) -> Route {
    guard path.hasPrefix("/api/") else {
      switch path {
      case "/metrics": return .metrics
      case "/healthz": return .health
      default: return .file(path == "/" ? "index.html" : String(path.dropFirst()))
      }
    }
    switch path {
    case "/api/v1/rooms": return .rooms
    case "/api/v1/albums": return .albums
    case "/api/v1/search": return .search
    case "/api/v1/queue": return .queue
    case "/api/v1/play": return .play
    case "/api/v1/events": return .events
    default: break
    }
    if let id = rest(of: path, after: "/api/v1/albums/") { return .album(try read(id)) }
    if let id = rest(of: path, after: "/api/v1/art/") { return .art(try read(id)) }
    if let rest = rest(of: path, after: "/api/v1/rooms/") {
      if let room = try room(rest, before: "/transport") { return .transport(room) }
      if let room = try room(rest, before: "/queue") { return .edit(room) }
    }
    throw LunaraError("web.notFound", "There is nothing at \(path).")
  }

  private static func rest(of path: String, after prefix: String) -> String? {
    path.hasPrefix(prefix) && path.utf8.count > prefix.utf8.count ? String(path.dropFirst(prefix.count)) : nil
  }

  /// The room of a path; nil where the path ends otherwise.
  private static func room(_ path: String, before end: String) throws(LunaraError) -> RoomName? {
    guard path.hasSuffix(end) else { return nil }
    let name = String(path.dropLast(end.count))
    guard let room = RoomName(name) else {
      throw LunaraError("web.badID", "\(name) is no name of a room. Rooms are named with a-z, 0-9 and -.")
    }
    return room
  }

  private static func read<Kind>(_ text: String) throws(LunaraError) -> ItemID<Kind> {
    guard let id = ItemID<Kind>(text) else {
      throw LunaraError("web.badID", "\(text) is no id. Ids have the form source:native, such as files:a12.")
    }
    return id
  }
}

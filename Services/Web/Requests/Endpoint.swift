import Bus
import Client
import HTTP
import Messages
import Model

/// One thing that can be asked for: how it is addressed, and what answers it.
///
/// The tables of endpoints are the whole interface. `Public/api/openapi.json` describes each of them under its name.
struct Endpoint: Sendable {
  /// Who may ask.
  enum Access: Sendable {
    /// Whoever reaches the service: what a sign-in needs.
    case open
    /// Whoever is signed in, where that is needed.
    case members
  }

  /// The method; what is read by GET can be asked for by HEAD as well.
  let method: String
  /// The path; `{name}` stands for a part of it.
  let path: String
  /// Its `operationId` in the description.
  let name: String
  let access: Access
  private let literals: [String]
  private let names: [String]
  let handle: @Sendable (API, Call) async throws -> HTTPServerResponse

  /// Makes an endpoint.
  init(
    _ method: String, _ path: String, _ name: String, _ access: Access = .members,
    _ handle: @escaping @Sendable (API, Call) async throws -> HTTPServerResponse
  ) {
    self.method = method
    self.path = path
    self.name = name
    self.access = access
    self.handle = handle
    var (literals, names, rest) = ([String](), [String](), Substring(path))
    while let open = rest.firstIndex(of: "{"), let close = rest.firstIndex(of: "}") {
      literals.append(String(rest[..<open]))
      names.append(String(rest[rest.index(after: open)..<close]))
      rest = rest[rest.index(after: close)...]
    }
    self.literals = literals + [String(rest)]
    self.names = names
  }

  /// Whether it changes something.
  var isCommand: Bool { method != "GET" }

  /// Whether it is asked for by this method.
  func takes(_ method: String) -> Bool { method == self.method || (method == "HEAD" && self.method == "GET") }

  /// The parts that a path has where `{name}` stands; nil where it is another path. The last part goes up to the end, as
  /// an id may hold any character; those before it end at a slash.
  func arguments(in path: String) -> [String: String]? {
    guard path.hasPrefix(literals[0]) else { return nil }
    var rest = path.dropFirst(literals[0].count)
    var arguments: [String: String] = [:]
    for (index, name) in names.enumerated() {
      let end = literals[index + 1]
      let part: Substring
      if index == names.count - 1 {
        guard rest.hasSuffix(end) else { return nil }
        part = rest.dropLast(end.count)
        rest = ""
      } else {
        part = rest.prefix { $0 != "/" }
        rest = rest.dropFirst(part.count)
        guard rest.hasPrefix(end) else { return nil }
        rest = rest.dropFirst(end.count)
      }
      guard !part.isEmpty else { return nil }
      arguments[name] = String(part)
    }
    return names.isEmpty && !rest.isEmpty ? nil : arguments
  }
}

extension Endpoint {
  /// All of them; of two that fit a path the first is meant.
  static let all = catalogue + pictures + rooms + history + sources + scrobbles + householdWide + sessions + cards

  /// The endpoint of a request and what stands in its path; nil where the path belongs to none.
  ///
  /// - Throws: `web.methodNotAllowed`.
  static func find(method: String, path: String) throws(LunaraError) -> (
    endpoint: Endpoint, arguments: [String: String]
  )? {
    var methods: [String] = []
    for endpoint in all {
      guard let arguments = endpoint.arguments(in: path) else { continue }
      if endpoint.takes(method) { return (endpoint, arguments) }
      if !methods.contains(endpoint.method) { methods.append(endpoint.method) }
    }
    guard methods.isEmpty else {
      throw LunaraError(
        "web.methodNotAllowed", "\(path) takes \(methods.joined(separator: ", ")), not \(method).",
        cause: methods.joined(separator: ", "))
    }
    return nil
  }
}

/// A request that was understood as far as its path.
struct Call: Sendable {
  let request: HTTPServerRequest
  let arguments: [String: String]
  let client: Client
  var parameters: QueryParameters { QueryParameters(request.query) }

  /// Who asks.
  struct Client: Sendable {
    /// Its address, behind a proxy that is trusted the one that the proxy names.
    var address: String
    /// Whether its connection is encrypted, up to the proxy at least.
    var isEncrypted: Bool
    /// The session it shows; nil for none.
    var session: SessionToken?
  }

  /// A part of the path.
  func text(_ name: String) -> String { arguments[name] ?? "" }

  /// An id in the path.
  ///
  /// - Throws: `web.badID`.
  func id<Kind>(_ name: String = "id") throws(LunaraError) -> ItemID<Kind> {
    guard let id = ItemID<Kind>(text(name)) else {
      throw LunaraError(
        "web.badID", "\(text(name)) is no id. Ids have the form source:native, such as files:a12.")
    }
    return id
  }

  /// The room in the path.
  ///
  /// - Throws: `web.badID`.
  func room() throws(LunaraError) -> RoomName {
    guard let room = RoomName(text("room")) else {
      throw LunaraError("web.badID", "\(text("room")) is no name of a room. Rooms are named with a-z, 0-9 and -.")
    }
    return room
  }

  /// The body.
  ///
  /// - Throws: `web.badBody`.
  func body<Body: Decodable>(_ type: Body.Type = Body.self) throws -> Body { try Body.read(request.body) }
}

/// Answers the requests of browsers by asking the bus. It decides nothing: intents go to the router, transport to the
/// room, reading to the library.
struct API: Sendable {
  let node: Node
  let household: HouseholdState
  let hostID: String
  let files: PageFiles
  let authenticator: SessionAuthenticator
  let pictureReader = PictureReader()
  let compressor = ResponseCompressor()
  let metrics = Metrics()
  let client = HTTPClient(userAgent: "lunara-web")
  let paletteCache = PaletteCache()

  /// Answers one request that the guard let pass.
  ///
  /// - Throws: what the services refused, `bus.…` where they cannot be reached, `web.…` for what cannot be asked.
  func answer(_ endpoint: Endpoint, _ call: Call) async throws -> HTTPServerResponse {
    if endpoint.access == .members { try await authenticator.admit(call.client.session) }
    return compressor.answer(try await endpoint.handle(self, call), of: endpoint, to: call.request)
  }

  /// A file of the page. A path that is no file's name is a place of the page.
  ///
  /// - Throws: `web.notFound`, `web.methodNotAllowed`.
  func page(_ request: HTTPServerRequest) throws -> HTTPServerResponse {
    guard request.method == "GET" || request.method == "HEAD" else {
      throw LunaraError("web.methodNotAllowed", "\(request.path) takes GET, not \(request.method).", cause: "GET")
    }
    let name = String(request.path.dropFirst())
    let isPlace = !name.contains(".") && !name.hasPrefix("api/") && !name.hasPrefix("now/")
    guard let file = files[isPlace ? "index.html" : name] else {
      throw LunaraError("web.notFound", "There is no page \(request.path). The page is at /.")
    }
    return compressor.file(file, to: request)
  }

  /// Asks a node.
  ///
  /// - Parameter patience: how long its answer is waited for.
  func ask<R: Request>(_ request: R, of target: NodeID, within patience: Duration? = nil) async throws
    -> R.Answer
  {
    try await Client(node: node).ask(request, of: target, within: patience)
  }

  /// Asks the room in the path, once it is known to be one.
  func ask<R: Request>(_ request: R, ofRoomIn call: Call, within patience: Duration? = nil) async throws
    -> R.Answer
  {
    let room = try await household.room(named: try call.room())
    return try await ask(request, of: .playback(room), within: patience)
  }
}

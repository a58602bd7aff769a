import Bus
import Client
import HTTP
import Messages
import Model

/// One operation of the HTTP API: its method, its path, and the function that answers it.
///
/// The tables in `Endpoints`, and `Endpoint.sessions`, are the whole API. `Public/api/openapi.json` describes each
/// operation under its name.
struct Endpoint: Sendable {
  /// The clients that may call an endpoint.
  enum Access: Sendable {
    /// Every client that can connect, as for the endpoints that sign in.
    case open
    /// Clients that are signed in; every client if no password is needed.
    case members
  }

  /// The node that an endpoint asks.
  enum Target: Sendable {
    case library, router, scrobble, resolver, discovery
    /// The room that the path names.
    case room
  }

  /// The method. An endpoint with GET answers HEAD as well.
  let method: String
  /// The path, in which `{name}` stands for an argument.
  let path: String
  /// The `operationId` in openapi.json.
  let name: String
  let access: Access
  private let literals: [String]
  private let names: [String]
  let handle: @Sendable (EndpointContext, Call) async throws -> HTTPServerResponse

  init(
    _ method: String, _ path: String, _ name: String, _ access: Access = .members,
    _ handle: @escaping @Sendable (EndpointContext, Call) async throws -> HTTPServerResponse
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

  /// Creates an endpoint that asks a service or a room, and returns its answer as JSON.
  // A copy optimised for each request would be most of this module's code, and a request waits for the bus, not for
  // this.
  @_semantics("optimize.sil.specialize.generic.never")
  init<R: Request>(
    _ method: String, _ path: String, _ name: String, of target: Target,
    _ request: @escaping @Sendable (Call) throws -> R
  ) where R.Answer: JSONRepresentable {
    self.init(method, path, name, of: target, request, shape: \.json)
  }

  /// Creates an endpoint that asks a service or a room, and returns the JSON of the message that it answers with.
  @_semantics("optimize.sil.specialize.generic.never")
  init<R: Request>(
    _ method: String, _ path: String, _ name: String, of target: Target,
    _ request: @escaping @Sendable (Call) throws -> R
  ) where R.Answer: MessageShaped {
    self.init(method, path, name, of: target, request) { try $0.json }
  }

  /// Creates an endpoint that asks a service or a room, and returns the JSON that `shape` makes of its answer.
  @_semantics("optimize.sil.specialize.generic.never")
  init<R: Request>(
    _ method: String, _ path: String, _ name: String, of target: Target,
    _ request: @escaping @Sendable (Call) throws -> R, shape: @escaping @Sendable (R.Answer) throws -> JSON
  ) {
    self.init(method, path, name) { api, call in
      let request = try request(call)
      let (node, timeout) = try await api.node(of: target, for: call)
      return .json(try shape(try await api.ask(request, of: node, within: timeout)))
    }
  }

  var isCommand: Bool { method != "GET" }

  func accepts(_ method: String) -> Bool { method == self.method || (method == "HEAD" && self.method == "GET") }

  /// Returns the arguments in a path by their names; nil if the path is not one of this endpoint. The last argument may
  /// contain slashes, as an id may; the others end at a slash.
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

  /// All endpoints. If several match a path, the first one answers.
  static let all =
    reviews + articles + discovery + catalogue + opinions + playlists + providers + outside + pluginAccounts + plugins
    + shown + chats + pictures + offline + rooms
    + history + imports + garden + rediscovery + themes
    + sources + scrobbles
    + wholeHousehold
    + sessions
    + cards

  /// Returns the endpoint for a request, and the arguments in its path; nil if no endpoint has the path. Throws
  /// `web.methodNotAllowed`.
  static func find(method: String, path: String) throws(LunaraError) -> (
    endpoint: Endpoint, arguments: [String: String]
  )? {
    var methods: [String] = []
    for endpoint in all {
      guard let arguments = endpoint.arguments(in: path) else { continue }
      if endpoint.accepts(method) { return (endpoint, arguments) }
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

/// A request to an endpoint: the arguments of its path, its query, its body, and its client.
struct Call: Sendable {
  let request: HTTPServerRequest
  let arguments: [String: String]
  let client: Caller
  var parameters: QueryParameters { QueryParameters(request.query, repeated: request.repeatedQuery) }

  struct Caller: Sendable {
    /// The client's numeric address; behind a trusted proxy, the address that the proxy reports.
    var address: String
    /// True if the connection is encrypted, or that to the trusted proxy is.
    var isEncrypted: Bool
    /// The session in the client's cookie; nil without one.
    var session: SessionToken?
  }

  func text(_ name: String) -> String { arguments[name] ?? "" }

  /// Returns the id in the path. Throws `web.badID`.
  func id<Kind>(_ name: String = "id") throws(LunaraError) -> ItemID<Kind> {
    guard let id = ItemID<Kind>(text(name)) else {
      throw LunaraError(
        "web.badID", "\(text(name)) is not an id. Ids have the form source:native, such as files:a12.")
    }
    return id
  }

  /// Returns the room in the path. Throws `web.badID`.
  func room() throws(LunaraError) -> RoomName {
    guard let room = RoomName(text("room")) else {
      throw LunaraError("web.badID", "\(text("room")) is not a room's name. Names of rooms hold a-z, 0-9 and -.")
    }
    return room
  }

  /// Decodes the body, most often as a message; the arguments are those of `decodeBody`. Throws `web.badBody`.
  func body<Body: Decodable>(
    _ type: Body.Type = Body.self, fixed: JSONInput.Members = [:], usual: JSONInput.Members = [:],
    nullable: String? = nil, refusesUnknownNames: Bool = true
  ) throws -> Body {
    try Body.decodeBody(
      request.body, fixed: fixed, usual: usual, nullable: nullable, refusesUnknownNames: refusesUnknownNames)
  }

  /// Returns a parameter of the query. Throws `web.badParameter` if it is missing.
  func required(_ name: String) throws -> String {
    guard let value = parameters.text(name) else {
      throw LunaraError("web.badParameter", "The parameter \(name) is missing.")
    }
    return value
  }

  /// The cursor from the previous page; nil for the first page.
  var after: String? { parameters.text("after") }

  /// Returns the requested number of items, or `usual`. Throws `web.badParameter`.
  func limit(_ usual: Int = 100, upTo most: Int = 200) throws -> Int {
    try parameters.number("limit", in: 1...most) ?? usual
  }
}

/// The objects that an endpoint may use: the bus, the state of the household, and the service's own state.
///
/// Endpoints decide nothing themselves: requests to play go to the router, transport commands to
/// the room, and reading to the library.
struct EndpointContext: Sendable {
  let node: Node
  let household: HouseholdState
  let hostID: String
  let openAPI: PageFiles.File
  /// The home folder of this machine's services; nil in tests that have none.
  let home: String?
  let authenticator: SessionAuthenticator
  let pictureReader = PictureReader()
  let compressor = ResponseCompressor()
  let metrics = WebMetrics()
  let client = HTTPClient(userAgent: "lunara-web")
  let paletteCache = PaletteCache()

  /// Returns the node that an endpoint asks, and the time that it waits for the answer; nil means the usual time for
  /// the kind of request. Throws `resolver.noPlugins` or `discovery.notRunning` if the household does not use that
  /// service.
  func node(of target: Endpoint.Target, for call: Call) async throws -> (node: NodeID, timeout: Duration?) {
    switch target {
    case .library: (.library, nil)
    case .router: (.router, nil)
    case .scrobble: (.scrobble, nil)
    case .resolver: (try resolver(), Self.resolverTimeout)
    case .discovery: (try discovery(), Self.discoveryTimeout)
    case .room: (.playback(try await household.room(named: try call.room())), nil)
    }
  }

  /// Sends a request to a node, and waits for its answer for `timeout`; nil means the usual time for this kind of
  /// request.
  @_semantics("optimize.sil.specialize.generic.never")
  func ask<R: Request>(_ request: R, of target: NodeID, within timeout: Duration? = nil) async throws -> R.Answer {
    try await Client(node: node).ask(request, of: target, within: timeout)
  }

  /// Asks the resolver. Throws `resolver.noPlugins` if the household uses none.
  @_semantics("optimize.sil.specialize.generic.never")
  func askResolver<R: Request>(_ request: R) async throws -> R.Answer {
    try await ask(request, of: try resolver(), within: Self.resolverTimeout)
  }

  /// Asks the service that makes walls. Throws `discovery.notRunning` if the household does not use it.
  @_semantics("optimize.sil.specialize.generic.never")
  func askDiscovery<R: Request>(_ request: R) async throws -> R.Answer {
    try await ask(request, of: try discovery(), within: Self.discoveryTimeout)
  }

  /// A little longer than the resolver gives a plugin to open a playlist.
  private static let resolverTimeout = Duration.seconds(65)
  private static let discoveryTimeout = Duration.seconds(12)

  private func resolver() throws(LunaraError) -> NodeID {
    guard node.nodes().contains(.resolver) else {
      throw LunaraError("resolver.noPlugins", "This household has no plugins. `lunara plugins add FILE` adds one.")
    }
    return .resolver
  }

  private func discovery() throws(LunaraError) -> NodeID {
    guard node.nodes().contains(.discovery) else { throw Client.noDiscovery }
    return .discovery
  }
}

import Bus
import Catalogue
import Glibc
import HTTP
import Messages
import Model
import Records
import Synchronization

/// Serves audio and pictures to rooms and web pages on other hosts, only for links that the library signed and that
/// have not expired.
final class MediaEndpoint: Sendable {
  /// The most connections that are open at once, those that only the household's machines may have, and those of one
  /// address.
  private static let connections = 128
  private static let reserved = 64
  private static let clientConnections = 24

  private let files: MediaFiles
  private let relay: MediaRelay?
  private let signing: Signing
  private let address: MediaAddress
  private let isPeer: @Sendable (_ host: String) -> Bool
  private let now: @Sendable () -> Timestamp
  private let streamMonitor: StreamMonitor
  private let server = Mutex<HTTPServer?>(nil)

  /// Makes an endpoint that does not listen yet. Without a relay it serves files alone. `isPeer` returns true for the
  /// numeric addresses of the household's other machines, which have connections of their own.
  ///
  /// - Throws: `library.mediaKeyNeeded` for an address beyond this machine without a household's key; `bus.noSodium`.
  init(
    _ files: MediaFiles, at address: MediaAddress, keys: KeyRing?, streamMonitor: StreamMonitor,
    relay: MediaRelay? = nil, isPeer: @escaping @Sendable (_ host: String) -> Bool = { _ in false },
    now: @escaping @Sendable () -> Timestamp = { .now() }
  ) throws {
    guard keys != nil || address.isLoopback else {
      throw LunaraError(
        "library.mediaKeyNeeded",
        "Without the household's key the library serves no rooms at \(address.host): anyone on the network could listen. Make one with `lunara key new`, or set LUNARA_MEDIA to an address of this machine alone."
      )
    }
    self.files = files
    self.address = address
    self.streamMonitor = streamMonitor
    self.relay = relay
    self.isPeer = isPeer
    self.now = now
    signing = try Signing(label: MediaLink.label, keys: keys)
  }

  /// Starts to listen. Uses any free port where the default one is taken: links include the port.
  ///
  /// - Throws: `http.addressInUse`, `http.cannotListen`.
  func start() throws {
    let started: HTTPServer
    do {
      started = try listen(address.host, address.port)
    } catch let error as LunaraError where error.code == "http.addressInUse" && !address.isChosen {
      started = try listen(address.host, 0)
    }
    server.withLock { $0 = started }
  }

  private func listen(_ host: String, _ port: UInt16) throws -> HTTPServer {
    var limits = HTTPServer.Limits()
    (limits.connections, limits.reserved) = (Self.connections, Self.reserved)
    (limits.clientConnections, limits.isKnown) = (Self.clientConnections, isPeer)
    let handler: @Sendable (HTTPServerRequest) async -> HTTPServerResponse = { [weak self] request in
      await self?.answer(request) ?? HTTPServerResponse(status: 503)
    }
    do {
      return try HTTPServer(address: host, port: port, limits: limits, handler: handler)
    } catch let error as LunaraError where error.code == "http.cannotListen" && host == "::" {
      // The machine has no IPv6.
      return try HTTPServer(address: "0.0.0.0", port: port, limits: limits, handler: handler)
    }
  }

  /// Ends all answers and stops listening.
  func stop() async {
    await server.withLock { $0.take() }?.stop()
  }

  /// Returns the address of an item, valid for `MediaLink.lifetime`.
  ///
  /// - Parameter advertised: the name by which other machines reach this one.
  /// - Throws: `library.mediaAway` where it does not listen.
  func url(of item: MediaLink.Item, advertised: String?) throws(LunaraError) -> String {
    guard let port = server.withLock({ $0?.port }) else { throw Self.away }
    let expires = now().seconds + MediaLink.lifetime.rawValue / 1000
    return address.base(port: port, advertised: advertised)
      + MediaLink(item, expires: expires).target(signing: signing)
  }

  /// The error for other hosts where the endpoint does not listen.
  static let away = LunaraError(
    "library.mediaAway",
    "The library cannot serve other hosts: its port for them is not open. Its log says why; play in a room on its host."
  )

  func answer(_ request: HTTPServerRequest) async -> HTTPServerResponse {
    guard request.method == "GET" || request.method == "HEAD" else {
      return HTTPServerResponse(status: 405, headers: [("Allow", "GET, HEAD")])
    }
    do {
      let link = try MediaLink(
        path: request.path, query: request.query, signing: signing, now: now().seconds)
      let found = try await files.open(link.item)
      let headers = [("Cache-Control", "private, max-age=86400"), ("X-Content-Type-Options", "nosniff")]
      switch found {
      case .file(let file, let type, let duration):
        if let duration, request.method == "GET" { streamMonitor.watch(file, lasting: duration) }
        return HTTPServerResponse(headers: [("Content-Type", type)] + headers, body: .opened(file))
      case .server(let copy, let duration):
        guard let relay else { throw CatalogueID.unknown(copy.id) }
        if request.method == "GET" { streamMonitor.watch(lasting: duration) }
        var answer = try await relay.answer(copy, request)
        answer.headers += headers
        return answer
      }
    } catch let refusal as MediaLink.Refusal {
      return HTTPServerResponse(status: refusal == .unknown ? 404 : 403, text: "\(refusal.rawValue)\n")
    } catch {
      let error = LunaraError(error)
      let status = error.code == "library.outsideFolders" ? 403 : 404
      // Other messages than that of a bad picture name a path of this host, so only their code is sent.
      let cause = error.code == Artwork.badPictureCode ? error.cause.map { ": \($0)" } : nil
      return HTTPServerResponse(status: status, text: "\(error.code)\(cause ?? "")\n")
    }
  }
}

/// Relays the audio of a server to rooms on other hosts that cannot reach it, because the server runs on the library's
/// host under a loopback address.
struct MediaRelay: Sendable {
  /// The most time in which the server may send nothing.
  private static let idle = Duration.seconds(20)
  /// The headers of a request that are sent to the server, and those of its answer that are sent to the room.
  private static let requestHeaders = ["Range", "If-Range", "If-None-Match", "If-Modified-Since"]
  private static let answerHeaders = ["Content-Type", "Content-Range", "Accept-Ranges", "ETag", "Last-Modified"]

  let http: HTTPClient
  /// Returns the server of a source; nil where none can be used.
  let server: @Sendable (_ source: String) async -> (any MusicServer)?

  /// Returns the server's answer, passed on as it arrives. The server's address and secret are not sent.
  ///
  /// - Throws: `library.unknownID`, `library.sourceAway`, and what the server and `HTTPClient.stream` throw.
  func answer(_ copy: Catalogue.TrackCopy, _ request: HTTPServerRequest) async throws -> HTTPServerResponse {
    let source = try await copy.stream(server)
    // Ranges count bytes that are not compressed.
    var headers = source.headers.map { ($0.key, $0.value) } + [("Accept-Encoding", "identity")]
    for name in Self.requestHeaders { if let value = request.header(name) { headers.append((name, value)) } }
    let stream = try await http.stream(HTTPRequest(.reads, url: source.url, headers: headers), idle: Self.idle)
    let passed = Self.answerHeaders.compactMap { name in stream.header(name).map { (name, $0) } }
    switch stream.status {
    case 200, 206:
      // The length of a compressed answer would not be that of the bytes that are passed on.
      let length =
        stream.header("Content-Encoding") == nil ? stream.header("Content-Length").flatMap { UInt64($0) } : nil
      return HTTPServerResponse(
        status: stream.status, headers: passed, body: .relayed(length: length) { try await stream.next() })
    case 304, 416: return HTTPServerResponse(status: stream.status, headers: passed)
    default: throw SourceError.away(copy.id.source, cause: "it answers \(stream.status) for a track's audio")
    }
  }
}

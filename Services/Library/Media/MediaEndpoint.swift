import Bus
import Glibc
import HTTP
import Model
import Synchronization

/// Serves audio and pictures to rooms and pages elsewhere: what an address leads to that the library has handed out and
/// that has not expired, and nothing else.
final class MediaEndpoint: Sendable {
  /// How many connections are open at once; further ones wait.
  private static let connections = 64

  private let places: MediaFiles
  private let relay: MediaRelay?
  private let signing: Signing
  private let address: MediaAddress
  private let now: @Sendable () -> Timestamp
  private let streamMonitor: StreamMonitor
  private let server = Mutex<HTTPServer?>(nil)

  /// Makes an endpoint that does not listen yet. Without a relay it serves files alone.
  ///
  /// - Throws: `library.mediaKeyNeeded` for an address beyond this machine without a household's key; `bus.noSodium`.
  init(
    _ places: MediaFiles, at address: MediaAddress, keys: KeyRing?, streamMonitor: StreamMonitor, relay: MediaRelay? = nil,
    now: @escaping @Sendable () -> Timestamp = { .now() }
  ) throws {
    guard keys != nil || address.isLoopback else {
      throw LunaraError(
        "library.mediaKeyNeeded",
        "Without the household's key the library serves no rooms at \(address.host): anyone on the network could listen. Make one with `lunara key new`, or set LUNARA_MEDIA to an address of this machine alone."
      )
    }
    self.places = places
    self.address = address
    self.streamMonitor = streamMonitor
    self.relay = relay
    self.now = now
    signing = try Signing(label: MediaLink.label, keys: keys)
  }

  /// Listens from now on. Where the port that nobody has chosen is taken, another one is: addresses are told with theirs.
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
    let handler: @Sendable (HTTPServerRequest) async -> HTTPServerResponse = { [weak self] request in
      await self?.answer(request) ?? HTTPServerResponse(status: 503)
    }
    do {
      return try HTTPServer(address: host, port: port, connectionLimit: Self.connections, handler: handler)
    } catch let error as LunaraError where error.code == "http.cannotListen" && host == "::" {
      // A machine without IPv6.
      return try HTTPServer(address: "0.0.0.0", port: port, connectionLimit: Self.connections, handler: handler)
    }
  }

  /// Ends all answers.
  func stop() async {
    let running = server.withLock { server in
      defer { server = nil }
      return server
    }
    await running?.stop()
  }

  /// The address of a thing, good for `MediaLink.lifetime`.
  ///
  /// - Parameter advertised: how other machines reach this one.
  /// - Throws: `library.mediaAway` where it does not listen.
  func url(of thing: MediaLink.Item, advertised: String?) throws(LunaraError) -> String {
    guard let port = server.withLock({ $0?.port }) else { throw Self.away }
    let expires = now().seconds + MediaLink.lifetime.rawValue / 1000
    return address.base(port: port, advertised: advertised)
      + MediaLink(thing, expires: expires).target(signing: signing)
  }

  /// What other hosts are told where nothing is served.
  static let away = LunaraError(
    "library.mediaAway",
    "The library cannot serve other hosts: its port for them is not open. Its log says why; play in a room on its host."
  )

  /// Answers one request.
  func answer(_ request: HTTPServerRequest) async -> HTTPServerResponse {
    guard request.method == "GET" || request.method == "HEAD" else {
      return HTTPServerResponse(status: 405, headers: [("Allow", "GET, HEAD")])
    }
    do {
      let link = try MediaLink(
        path: request.path, query: request.query, signing: signing, now: now().seconds)
      let found = try await places.open(link.thing)
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
      switch refusal {
      case .unknown: return HTTPServerResponse(status: 404, text: "There is no such thing.\n")
      case .unsigned: return HTTPServerResponse(status: 403, text: "This address was not given by the library.\n")
      case .expired: return HTTPServerResponse(status: 403, text: "This address has expired.\n")
      }
    } catch {
      let error = LunaraError(error)
      // Messages name paths, which are nobody's business there.
      let status = error.code == "library.outsideFolders" ? 403 : 404
      return HTTPServerResponse(status: status, text: "\(error.code)\n")
    }
  }
}

import Bus
import HTTP
import Messages
import Model
import ServiceKit
import Synchronization
import System

/// The web service: follows the household on the bus, and serves the page and the HTTP API to browsers.
final class WebService: Sendable {
  /// The address to listen on, and the clients to trust.
  struct ListenAddress: Sendable {
    /// The numeric address; loopback by default.
    var address = "127.0.0.1"
    /// The port; 0 for any free port.
    var port: UInt16 = 0
    /// Further names by which browsers may reach the page.
    var names: [String] = []
    /// The certificate and key for encrypted connections; nil for plain HTTP.
    var identity: TLSCertificate?
    /// Numeric addresses of proxies whose `X-Forwarded-…` headers are trusted.
    var proxies: Set<String> = []

    /// True if clients on other machines connect without a proxy.
    var isDirect: Bool { !Loopback.isHost(address) && proxies.isEmpty }
  }

  /// The port in use, also if the requested one was 0.
  var port: UInt16 { server.port }

  /// The age of the oldest facts that are read at the start, for browsers that were disconnected.
  private static let factHistory = Milliseconds(6 * 3_600_000)
  /// The largest number of connections at once: browsers that follow events, and their other requests.
  private static let connectionLimit = 800
  /// The largest number of connections of one client address. A browser opens six for each page.
  private static let connectionLimitOfClient = 128

  private let server: HTTPServer
  private let household: HouseholdState
  private let tasks: [Task<Void, Never>]

  /// Starts the server, and follows the household on the bus.
  ///
  /// - Parameters:
  ///   - hostID: the id of this host, by which the library knows if this service can read its files directly.
  ///   - home: the home folder of this machine's services.
  ///   - heartbeat: the interval of the events that show that an event stream is alive. The page and the card count a
  ///     connection as lost when they have received nothing for more than twice as long.
  /// - Throws: `web.addressInUse`, and the errors of `HTTPServer`.
  init(
    node: Node, log: Log, hostID: String, at listen: ListenAddress, files: PageFiles,
    authenticator: SessionAuthenticator = SessionAuthenticator(), home: String? = nil, heartbeat: Duration = .seconds(2)
  ) async throws {
    let eventsSent = node.metrics.counter("web_events", "Events sent to browsers.")
    let household = HouseholdState(eventsSent: eventsSent) { places in
      Task { await Self.giveUp(places, node) }
    } report: {
      log.warning($0)
    }
    let api = EndpointContext(
      node: node, household: household, hostID: hostID, openAPI: files.openAPI, home: home,
      authenticator: authenticator)
    api.metrics.register(in: node.metrics)
    node.metrics.gauge("web_browsers", "Browsers that follow the events.") { Double(await household.followerCount) }
    let handler = RequestHandler(api: api, files: files, listen: listen, log: log)
    var limits = HTTPServer.Limits()
    limits.connections = Self.connectionLimit
    limits.sendTimeout = 60_000
    // On loopback and behind a proxy, all clients have the same address.
    if listen.isDirect { limits.clientConnections = Self.connectionLimitOfClient }
    limits.body = { handler.bodyLimit(of: $0) }
    limits.refusal = { RequestHandler.answer(to: $0) }
    do {
      server = try HTTPServer(
        address: listen.address, port: listen.port, limits: limits, identity: listen.identity
      ) { await handler.respond(to: $0) }
    } catch let error as LunaraError where error.code == "http.addressInUse" {
      throw LunaraError(
        "web.addressInUse",
        "Another program already listens on \(listen.address):\(listen.port). Stop it, or choose another port with LUNARA_WEB or --web.",
        cause: error.cause)
    }
    self.household = household
    tasks = await Self.follow(node, household, authenticator, heartbeat)
  }

  /// Returns when the actor with the household's state has answered: the watchdog's check that it is not stuck.
  func checkResponsive() async { _ = await household.followerCount }

  /// Ends the event streams and the server.
  func stop() async {
    for task in tasks { task.cancel() }
    await household.close()
    await server.stop()
  }

  /// Tells the resolver that a page no longer shows anything.
  private static func giveUp(_ places: [String], _ node: Node) async {
    guard node.nodes().contains(.resolver) else { return }
    for place in places {
      do {
        let request = Resolver.ShowTracks(context: place, place: .unknown, tracks: [])
        _ = try await node.request(request, to: .resolver, within: .seconds(5))
      } catch {
        // The resolver gives a place up by itself after 30 s.
      }
    }
  }

  private static func follow(
    _ node: Node, _ household: HouseholdState, _ authenticator: SessionAuthenticator, _ heartbeat: Duration
  ) async -> [Task<Void, Never>] {
    await node.follow(nil, from: .since(.now() - factHistory)) { await household.add($0) }
    return [
      Task { for await rooms in await node.states(Playback.RoomState.self) { await household.update(rooms) } },
      Task { for await queues in await node.states(Playback.QueueState.self) { await household.update(queues) } },
      Task { for await outputs in await node.states(Playback.OutputState.self) { await household.update(outputs) } },
      Task {
        for await catalogue in await node.states(Library.CatalogueState.self) { await household.update(catalogue) }
      },
      Task { for await outbox in await node.states(Scrobble.OutboxState.self) { await household.update(outbox) } },
      Task { for await plugins in await node.states(Resolver.PluginState.self) { await household.update(plugins) } },
      Task { for await found in await node.states(Resolver.ShownTracksState.self) { await household.update(found) } },
      Task { for await presences in await node.presences() { await household.update(presences) } },
      Task {
        while !Task.isCancelled {
          do { try await Task.sleep(for: heartbeat) } catch { return }
          await household.endStreams(notAdmittedBy: authenticator)
          await household.beat()
        }
      },
    ]
  }
}

/// Counts the requests by the class of their status.
final class WebMetrics: Sendable {
  private let responses = Mutex<[Int: Int]>([:])

  /// Counts a response by the class of its status, such as 2 for 200 to 299.
  func count(status: Int) { responses.withLock { $0[status / 100, default: 0] += 1 } }

  func register(in metrics: MetricRegistry) {
    metrics.family("web_requests", "Requests answered, by class of status.", .counter) { [self] in
      responses.withLock { $0 }.sorted { $0.key < $1.key }.map { .init(Double($0.value), ["status": "\($0.key)xx"]) }
    }
  }
}

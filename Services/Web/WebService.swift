import Bus
import HTTP
import Messages
import Model
import ServiceKit

/// The whole service: it follows the household on the bus and serves browsers.
final class WebService: Sendable {
  /// Where and to whom it is served.
  struct Place: Sendable {
    /// A numeric address; loopback unless a person chose otherwise.
    var address = "127.0.0.1"
    /// 0 for any free one.
    var port: UInt16 = 0
    /// Further names by which browsers may reach the page.
    var names: [String] = []
    /// What connections are encrypted with; nil for none.
    var identity: TLSCertificate?
    /// Numeric addresses of proxies, whose word on who asks is taken.
    var proxies: Set<String> = []
  }

  /// The port in use, which differs from the wanted one where that was 0.
  var port: UInt16 { server.port }

  /// How far back in time it reads what happened, for browsers that were asleep.
  private static let memory = Milliseconds(6 * 3_600_000)
  /// How many connections there are at once: browsers that follow, and what they ask for meanwhile.
  private static let connections = 800
  /// How many of them one address may have: a browser opens six for each page.
  private static let connectionsOfOne = 128

  private let server: HTTPServer
  private let household: Household
  private let tasks: [Task<Void, Never>]

  /// Starts to serve.
  ///
  /// - Parameters:
  ///   - place: where, and to whom.
  ///   - hostID: this host's id, by which the library knows whether its files can be read here.
  ///   - authenticator: lets in who is signed in.
  ///   - heartbeat: how often browsers get a sign of life.
  /// - Throws: `web.addressInUse`, or what the server says.
  init(
    node: Node, log: Log, hostID: String, at place: Place, authenticator: SessionAuthenticator = SessionAuthenticator(),
    heartbeat: Duration = .seconds(15)
  ) async throws {
    let household = Household { log.warning($0) }
    let api = API(node: node, household: household, hostID: hostID, files: PageFiles(), authenticator: authenticator)
    api.metrics.register(in: node.metrics) { await household.counts }
    let desk = RequestDesk(api: api, place: place, log: log)
    // A proxy, and this machine, stand for everybody.
    let isDirect = !RequestGuard.isLoopback(place.address) && place.proxies.isEmpty
    do {
      server = try HTTPServer(
        address: place.address, port: place.port, connectionLimit: Self.connections,
        clientLimit: isDirect ? Self.connectionsOfOne : 0, identity: place.identity,
        delivery: .seconds(60), bodyLimit: { desk.bodyLimit(of: $0) },
        refusal: { RequestDesk.answer(to: $0) }
      ) { await desk.respond(to: $0) }
    } catch let error as LunaraError where error.code == "http.addressInUse" {
      throw LunaraError(
        "web.addressInUse",
        "Another program already serves \(place.address):\(place.port). Stop it, or choose another port with LUNARA_WEB or --web.",
        cause: error.cause)
    }
    self.household = household
    tasks = await Self.follow(node, household, authenticator, heartbeat)
  }

  /// Returns once what follows the household has had its turn.
  func prove() async { _ = await household.counts }

  /// Ends the event streams and stops to serve.
  func stop() async {
    for task in tasks { task.cancel() }
    await household.close()
    await server.stop()
  }

  private static func follow(
    _ node: Node, _ household: Household, _ authenticator: SessionAuthenticator, _ heartbeat: Duration
  ) async -> [Task<Void, Never>] {
    await node.follow(nil, from: .since(.now() - memory)) { await household.take($0) }
    return [
      Task { for await rooms in await node.states(Playback.RoomState.self) { await household.take(rooms) } },
      Task { for await queues in await node.states(Playback.QueueState.self) { await household.take(queues) } },
      Task { for await outputs in await node.states(Playback.OutputState.self) { await household.take(outputs) } },
      Task {
        for await catalogue in await node.states(Library.CatalogueState.self) { await household.take(catalogue) }
      },
      Task { for await outbox in await node.states(Scrobble.OutboxState.self) { await household.take(outbox) } },
      Task { for await presences in await node.presences() { await household.take(presences) } },
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

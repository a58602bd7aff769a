import Bus
import HTTP
import Messages
import Model
import ServiceKit

/// The whole service: it follows the household on the bus and serves browsers.
final class WebService: Sendable {
  /// The port in use, which differs from the wanted one where that was 0.
  var port: UInt16 { server.port }

  private let server: HTTPServer
  private let household: Household
  private let tasks: [Task<Void, Never>]

  /// Starts to serve.
  ///
  /// - Parameters:
  ///   - address: a numeric address; loopback unless a person chose otherwise.
  ///   - names: further names by which browsers may reach the page.
  ///   - hostID: this host's id, by which the library knows whether its files can be read here.
  ///   - heartbeat: how often browsers get a sign of life.
  /// - Throws: `web.addressInUse`, or what the server says.
  init(
    node: Node, log: Log, hostID: String, address: String, port: UInt16, names: [String] = [],
    heartbeat: Duration = .seconds(15)
  ) async throws {
    let household = Household(epoch: node.epoch) { log.warning($0) }
    let api = API(node: node, household: household, hostID: hostID, files: PageFiles())
    api.metrics.register(in: node.metrics) { await household.counts }
    let guardian = RequestGuard(address: address, names: names)
    do {
      server = try HTTPServer(address: address, port: port) { request in
        await Self.respond(to: request, api, guardian, log)
      }
    } catch let error as LunaraError where error.code == "http.addressInUse" {
      throw LunaraError(
        "web.addressInUse",
        "Another program already serves \(address):\(port). Stop it, or choose another port with LUNARA_WEB or --web.",
        cause: error.cause)
    }
    self.household = household
    tasks = await Self.follow(node, household, heartbeat)
  }

  /// Ends the event streams and stops to serve.
  func stop() async {
    for task in tasks { task.cancel() }
    await household.close()
    await server.stop()
  }

  private static func respond(
    to request: HTTPServerRequest, _ api: API, _ guardian: RequestGuard, _ log: Log
  ) async -> HTTPServerResponse {
    var response: HTTPServerResponse
    do {
      let route = try Route(method: request.method, path: request.path)
      if let refusal = guardian.refusal(isCommand: route.isCommand, header: request.header) { throw refusal }
      response = try await api.answer(route, request)
    } catch {
      let error = LunaraError(error)
      response = .failure(error)
      if response.status >= 500 { log.warning(error) }
    }
    response.headers += HTTPServerResponse.safety
    api.metrics.count(status: response.status)
    log.debug("\(request.method) \(request.path)", ["status": "\(response.status)"])
    return response
  }

  private static func follow(_ node: Node, _ household: Household, _ heartbeat: Duration) async -> [Task<Void, Never>] {
    // What a room skips is told as it happens; what happened before a browser looked is in the room's state.
    await node.follow(Playback.TrackFailed.domain, from: .head) { fact in
      do {
        guard let failed = try fact.decode(Playback.TrackFailed.self) else { return }
        await household.take(failure: failed.error)
      } catch {
        await household.take(failure: LunaraError(error))
      }
    }
    return [
      Task { for await rooms in await node.states(Playback.RoomState.self) { await household.take(rooms) } },
      Task { for await queues in await node.states(Playback.QueueState.self) { await household.take(queues) } },
      Task {
        for await catalogue in await node.states(Library.CatalogueState.self) { await household.take(catalogue) }
      },
      Task { for await presences in await node.presences() { await household.take(presences) } },
      Task {
        while !Task.isCancelled {
          do { try await Task.sleep(for: heartbeat) } catch { return }
          await household.beat()
        }
      },
    ]
  }
}

import Bus
import HTTP
import Messages
import Model
import ServiceKit
import TestSupport
import Testing

@testable import lunara_media

/// The port that the service opens and publishes.
@Suite(.timeLimit(.minutes(2)))
struct MediaServiceTests {
  private let bus: TestBus
  private let node: Node
  private let reader: Node
  private let folder = TemporaryDirectory()

  init() async throws {
    bus = try TestBus()
    node = try await bus.node("media@main")
    reader = try await bus.node("library@main")
  }

  private func service(at address: MediaAddress) -> MediaService {
    MediaService(
      node: node, address: address, home: folder.path, http: HTTPClient(userAgent: "tests"), log: .quiet,
      pause: .milliseconds(20))
  }

  private func published(_ isWanted: @Sendable (Media.Endpoint) -> Bool) async throws -> Media.Endpoint {
    for await all in await reader.states(Media.Endpoint.self) {
      if let found = all.map(\.value).first(where: isWanted) { return found }
    }
    throw CancellationError()
  }

  private func end(_ service: MediaService, _ start: Task<Void, Never>) async {
    start.cancel()
    await start.value
    await service.stop()
    await node.close()
    await reader.close()
  }

  @Test func beyondThisMachineTheHouseholdsKeyIsNeeded() async throws {
    let service = service(at: MediaAddress(setting: nil, listening: "192.168.1.5"))
    let start = service.start()
    let state = try await published { $0.problem != nil }
    #expect(state.port == nil && state.problem?.code == "library.mediaKeyNeeded")
    await end(service, start)
  }

  @Test func aPortThatIsTakenIsTriedUntilItIsFree() async throws {
    let taken = try HTTPServer(address: "127.0.0.1", port: 0) { _ in HTTPServerResponse(text: "") }
    let service = service(at: MediaAddress(setting: ("127.0.0.1", taken.port), listening: nil))
    let start = service.start()
    #expect(try await published { $0.problem != nil }.problem?.code == "http.addressInUse")
    await taken.stop()
    #expect(try await published { $0.port != nil } == Media.Endpoint(port: taken.port))
    await end(service, start)
  }

  @Test func aPortThatWasNotChosenIsTheSameAfterARestart() async throws {
    let taken = try HTTPServer(address: "127.0.0.1", port: 0) { _ in HTTPServerResponse(text: "") }
    var address = MediaAddress(setting: ("127.0.0.1", taken.port), listening: nil)
    address.isChosen = false
    let service = service(at: address)
    var start = service.start()
    let port = try await published { $0.port != nil }.port
    #expect(await eventually(equals: port) { FormerPort(path: "\(folder.path)/media/port").value })
    start.cancel()
    await start.value
    await service.stop()
    await taken.stop()
    await node.publish(Media.Endpoint(port: nil))
    _ = try await published { $0.port == nil }
    start = service.start()
    #expect(try await published { $0.port != nil }.port == port)
    await end(service, start)
  }
}

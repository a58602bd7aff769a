import Bus
import FoundationEssentials
import HTTP
import Messages
import Model
import ServiceKit
import TestSupport
import Testing

@testable import lunara_web

/// The web service on a bus of its own, with a fake library, room and router, and a real port on loopback.
final class ServedHousehold: Sendable {
  let bus: TestBus
  let asked = Asked()
  let service: WebService
  let library: Node
  let room: Node
  private let web: Node
  private let router: Node
  private let folder = TemporaryDirectory()
  private let home: TemporaryDirectory?
  private let client = HTTPClient(userAgent: "Lunara tests")

  /// A picture of one pixel, which is enough to recognise its type.
  static let picture: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + Array(repeating: 7, count: 64)

  /// Starts everything. `home` is kept for as long.
  init(
    heartbeat: Duration = .seconds(15), authenticator: SessionAuthenticator = SessionAuthenticator(),
    proxies: Set<String> = [],
    home: TemporaryDirectory? = nil
  ) async throws {
    self.home = home
    bus = try TestBus()
    library = try await bus.node("library@main")
    room = try await bus.node("playback@kitchen")
    router = try await bus.node("router@main")
    web = try await bus.node("web@main")
    let path = folder.path + "/cover"
    try Data(Self.picture).write(to: URL(filePath: path))
    await fakeLibrary(library, art: LocalPath(path), asked: asked)
    await fakeRoom(room, asked: asked)
    await fakeRouter(router, asked: asked)
    service = try await WebService(
      node: web, log: .quiet, hostID: "host-1", at: .init(proxies: proxies), files: try PageFiles.ofThisProgram(),
      authenticator: authenticator,
      heartbeat: heartbeat)
  }

  /// Waits until the service has received the states of the room and the library.
  func ready() async throws -> Self {
    let isReady = try await eventually {
      try await get("/api/v1/rooms").text
    } satisfies: {
      $0.contains("kitchen")
    }
    guard isReady else { throw LunaraError("test.notReady", "The service never heard of the room.") }
    return self
  }

  func get(_ path: String, headers: [(String, String)] = []) async throws -> HTTPResponse {
    try await client.send(HTTPRequest(.reads, url: "http://127.0.0.1:\(service.port)\(path)", headers: headers))
  }

  func post(
    _ path: String, _ body: String, headers: [(String, String)] = [("Content-Type", "application/json")]
  ) async throws -> HTTPResponse {
    try await client.send(
      HTTPRequest(
        .changes, method: "POST", url: "http://127.0.0.1:\(service.port)\(path)", headers: headers,
        body: Array(body.utf8)))
  }

  func send(
    _ method: String, _ path: String, _ body: String? = nil,
    headers: [(String, String)] = [("Content-Type", "application/json")]
  ) async throws -> HTTPResponse {
    try await client.send(
      HTTPRequest(
        .changes, method: method, url: "http://127.0.0.1:\(service.port)\(path)", headers: headers,
        body: body.map { Array($0.utf8) } ?? []))
  }

  func stop() async {
    await service.stop()
    for node in [web, router, room, library] { await node.close() }
  }
}

extension HTTPResponse {
  var text: String { String(decoding: body, as: UTF8.self) }

  /// The code of the error in the body; nil where it holds none.
  var errorCode: String? {
    struct Failure: Decodable { var error: LunaraError }
    do {
      return try JSONDecoder().decode(Failure.self, from: Data(body)).error.code
    } catch {
      return nil
    }
  }
}

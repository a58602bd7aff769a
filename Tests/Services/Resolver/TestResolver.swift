import Bus
import Foundation
import HTTP
import Messages
import Model
import ServiceKit
import Storage
import Synchronization
import TestSupport
import Testing

@testable import lunara_resolver

/// A resolver on a bus, with a folder of plugins, a client, and a server that plugins may ask.
final class TestResolver: Sendable {
  let bus: TestBus
  let client: Node
  let server: HTTPServer
  let service: ResolverService
  let home = TemporaryDirectory()
  /// The resolver's own node.
  let node: Node
  let database: Database
  private let work: Mutex<ResolverService.Work>

  /// - Parameters:
  ///   - answer: the status and the text of the server's answer to a path.
  ///   - accounts: the services at which people sign in, by the address of the server.
  init(
    household: HouseholdServers = .init(), pageReader: PageReader? = nil,
    _ answer: @escaping @Sendable (HTTPServerRequest) async -> (Int, String) = { _ in (200, "[]") },
    accounts: @Sendable (String) -> AccountSetup = { _ in .init() }
  ) async throws {
    bus = try TestBus()
    client = try await bus.node("web@main")
    node = try await bus.node("resolver@main")
    database = try bus.database("resolver", migrations: ResolverSchema.migrations)
    let seen = Seen()
    server = try HTTPServer(address: "127.0.0.1", port: 0) { request in
      seen.paths.withLock { $0.append(request.path) }
      let (status, text) = await answer(request)
      // The text of a redirection is its target.
      guard (300..<400).contains(status) else { return HTTPServerResponse(status: status, text: text) }
      return HTTPServerResponse(status: status, headers: [("Location", text)])
    }
    self.seen = seen
    service = ResolverService(
      node: node, home: home.path, hostID: "here", database: database, log: .quiet,
      http: HTTPClient(userAgent: "Lunara/test"), household: household, pageReader: pageReader,
      accounts: accounts("http://127.0.0.1:\(server.port)"))
    work = Mutex(try await service.start())
  }

  /// Ends the service, as at the end of its process.
  func stop() async { await work.withLock { $0 }.stop() }

  /// Starts the service again, with what it has stored.
  func restart() async throws {
    let service = ResolverService(
      node: node, home: home.path, hostID: "here", database: database, log: .quiet,
      http: HTTPClient(userAgent: "Lunara/test"))
    let begun = try await service.start()
    work.withLock { $0 = begun }
  }

  private final class Seen: Sendable { let paths = Mutex<[String]>([]) }

  private let seen: Seen

  /// The paths that were asked of the server, in their order.
  var paths: [String] { seen.paths.withLock { $0 } }

  var address: String { "http://127.0.0.1:\(server.port)" }

  func close() async {
    await stop()
    await server.stop()
    await node.close()
    await client.close()
    await database.close()
  }

  func ask<R: Request>(_ request: R) async throws -> R.Answer { try await client.request(request, to: .resolver) }

  func refusal<R: Request>(of request: R) async -> LunaraError? {
    do {
      _ = try await ask(request)
      return nil
    } catch { return LunaraError(error) }
  }

  /// The text of a plugin's file.
  static func file(
    _ id: String, _ functions: [String: String], version: String = "1.0.0", more: [String: Any] = [:],
    hosts: [String] = [], patterns: [String] = []
  ) throws -> [UInt8] {
    var file: [String: Any] = [
      "manifest": ["id": id, "name": id.capitalized, "version": version, "hosts": hosts],
      "capabilities": ["resolve": true], "implementation": functions, "urlPatterns": patterns,
      "settings": ["configurable": ["server": ["type": "text", "label": "Address"]]],
    ]
    for (name, value) in more { file[name] = value }
    return Array(try JSONSerialization.data(withJSONObject: file, options: [.sortedKeys]))
  }

  /// Offers and allows a plugin, whose setting `server` is the address of the server.
  @discardableResult
  func install(
    _ id: String, _ functions: [String: String], patterns: [String] = [], hasServer: Bool = true,
    more: [String: Any] = [:]
  ) async throws -> Resolver.Plugin {
    let bytes = try Self.file(id, functions, more: more, patterns: patterns)
    let offer = Resolver.OfferPlugin(part: Data(bytes).base64EncodedString(), offset: 0, size: bytes.count)
    let plugin = try #require(try await ask(offer).plugin)
    _ = try await ask(Resolver.AllowPlugin(id: plugin.id, digest: plugin.digest))
    guard hasServer else { return plugin }
    return try await setServer(of: id, to: address)
  }

  /// Sets the setting `server` of a plugin, and allows the server.
  @discardableResult
  func setServer(of id: String, to value: String) async throws -> Resolver.Plugin {
    let plugin = try await ask(Resolver.SetPlugin(id: id, settings: [.init(name: "server", value: value)]))
    let server = try #require(plugin.servers?.first { $0.setting == "server" })
    return try await ask(Resolver.SetPlugin(id: id, server: server.consent(for: plugin)))
  }
}

extension Resolver.PluginServer {
  /// The consent of a person who has seen the plugin.
  func consent(for plugin: Resolver.Plugin, isAllowed: Bool = true) -> Resolver.ServerConsent {
    .init(setting: setting, address: address, digest: plugin.digest, isAllowed: isAllowed)
  }
}

/// The functions of a plugin that knows one track.
enum TestPlugins {
  /// Finds a track by its names, with an address on the server.
  static func finding(_ title: String = "Old Song", path: String = "/a.mp3", confidence: String = "0.95") -> [String:
    String]
  {
    [
      "resolve": """
      async (artist, track, album, config) => ({ id: 'x', title: '\(title)', artist, duration: 60,
        confidence: \(confidence), source: { type: 'direct', url: config.server + '\(path)', headers: { 'X-Key': 'k' },
        expiresIn: 60 } })
      """
    ]
  }
}

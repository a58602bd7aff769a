import Digests
import Foundation
import HTTP
import Messages
import Model
import OAuth
import ServiceKit
import Synchronization
import TestSupport
import Testing

@testable import lunara_resolver

/// A resolver with plugins that want accounts, and a server that stands in for their services.
final class TestAccounts: Sendable {
  /// A request that the server got.
  struct Seen: Sendable {
    var method: String
    var path: String
    var query: [String: String]
    var authorization: String?
    var body: String

    /// A field of a form.
    subscript(_ field: String) -> String? { OAuthSignIn.parameters(of: "?\(body)")[field] }
  }

  private final class Server: Sendable {
    struct State {
      var seen: [Seen] = []
      var tokens = 0
      /// The answers that replace those of the server, by path, each used once.
      var planned: [String: [(Int, String)]] = [:]
      var expiresIn = 3600
    }
    let state = Mutex(State())
    let answer: @Sendable (Seen) -> (Int, String)?
    let arrived: @Sendable (Seen) -> Void

    init(answer: @escaping @Sendable (Seen) -> (Int, String)?, arrived: @escaping @Sendable (Seen) -> Void) {
      (self.answer, self.arrived) = (answer, arrived)
    }

    func respond(_ request: HTTPServerRequest) -> (Int, String) {
      let seen = Seen(
        method: request.method, path: request.path, query: request.query,
        authorization: request.header("Authorization"), body: String(decoding: request.body, as: UTF8.self))
      arrived(seen)
      return state.withLock { state in
        state.seen.append(seen)
        if let planned = state.planned[seen.path]?.first {
          state.planned[seen.path]?.removeFirst()
          return planned
        }
        if let answer = answer(seen) { return answer }
        switch seen.path {
        case "/api/token", "/oauth/token":
          state.tokens += 1
          let number = state.tokens
          return (
            200, #"{"access_token":"A\#(number)","refresh_token":"R\#(number)","expires_in":\#(state.expiresIn)}"#
          )
        case "/v1/me": return (200, #"{"id":"ada","display_name":"Ada"}"#)
        case "/me": return (200, #"{"username":"ada"}"#)
        default: return (404, "{}")
        }
      }
    }
  }

  let resolver: TestResolver
  private let server: Server

  /// - Parameters:
  ///   - answer: the answers of the services; nil for the usual one.
  ///   - arrived: called for each request as it comes.
  init(
    arrived: @escaping @Sendable (Seen) -> Void = { _ in },
    answer: @escaping @Sendable (Seen) -> (Int, String)? = { _ in nil }
  ) async throws {
    let server = Server(answer: answer, arrived: arrived)
    let box = Box()
    resolver = try await TestResolver({ server.respond($0) }) { address in
      AccountSetup(
        services: AccountService.all { $0.hasSuffix("_URL") ? address : nil }, now: { box.time.withLock { $0 } },
        sleep: { pause in box.pauses.withLock { $0.append(pause) } })
    }
    (self.server, self.box) = (server, box)
  }

  private final class Box: Sendable {
    let time = Mutex(Timestamp.now())
    let pauses = Mutex<[Duration]>([])
  }

  private let box: Box

  /// The pauses that were made.
  var made: [Duration] { box.pauses.withLock { $0 } }

  /// Lets time pass.
  func wait(_ seconds: Int64) {
    box.time.withLock { $0 = Timestamp(microseconds: $0.microseconds + seconds * 1_000_000) }
  }

  /// The requests to a path, in their order.
  func seen(_ path: String) -> [Seen] { server.state.withLock { $0.seen.filter { $0.path == path } } }

  /// The requests of all paths, as method and path.
  var paths: [String] { server.state.withLock { $0.seen.map { "\($0.method) \($0.path)" } } }

  /// Plans the next answers of a path.
  func plan(_ path: String, _ answers: (Int, String)...) { server.state.withLock { $0.planned[path] = answers } }

  /// Sets the length of life of the tokens that are given.
  func give(tokensFor seconds: Int) { server.state.withLock { $0.expiresIn = seconds } }

  /// Installs a plugin that wants an account.
  func install(_ id: String, _ functions: [String: String], scopes: [String] = []) async throws {
    let bytes = try TestResolver.file(
      id, functions,
      more: [
        "settings": [
          "requiresAuth": true, "authType": "oauth", "scopes": scopes,
          "configurable": ["server": ["type": "text", "label": "Address"]],
        ]
      ])
    let offer = Resolver.OfferPlugin(part: Data(bytes).base64EncodedString(), offset: 0, size: bytes.count)
    let plugin = try #require(try await resolver.ask(offer).plugin)
    _ = try await resolver.ask(Resolver.AllowPlugin(id: plugin.id, digest: plugin.digest))
    try await resolver.setServer(of: id, to: resolver.address)
  }

  /// Begins a sign-in. Returns the parameters of the address that the person opens.
  func begin(_ id: String) async throws -> [String: String] {
    let request = Resolver.BeginSignIn(
      plugin: id, clientID: "my client", clientSecret: id == "soundcloud" ? "hush" : nil)
    return OAuthSignIn.parameters(of: try await resolver.ask(request).open)
  }

  /// Signs in, as a person who allows it.
  @discardableResult
  func signIn(_ id: String) async throws -> Resolver.Account {
    let begun = try await begin(id)
    let (state, place) = (try #require(begun["state"]), try #require(begun["redirect_uri"]))
    let redirect = "\(place)?code=C%2F1&state=\(PercentCoding.encode(state))"
    return try #require(try await resolver.ask(Resolver.FinishSignIn(plugin: id, redirect: redirect)).account)
  }

  func account(_ id: String) async throws -> Resolver.Account? {
    try await resolver.ask(Resolver.ListPlugins()).plugins.first { $0.id == id }?.account
  }

  /// The account's file among the household's secrets.
  func stored(_ id: String) throws -> String {
    String(
      decoding: try Data(contentsOf: URL(fileURLWithPath: "\(resolver.home.path)/credentials/account-\(id).json")),
      as: UTF8.self)
  }

  func close() async { await resolver.close() }
}

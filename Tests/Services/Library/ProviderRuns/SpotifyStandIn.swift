import HTTP
import Messages
import Model
import ServiceKit
import Sync
import TestSupport
import Testing

@testable import ProviderRuns
@testable import Providers

/// A stand-in for Spotify, and an account that is signed in there.
struct SpotifyStandIn {
  let standIn: StandIn
  let http = HTTPClient(userAgent: "test/1")
  let home = TemporaryDirectory()
  let account: SpotifyAccount

  var address: String { "http://127.0.0.1:\(standIn.port)" }
  var client: String { standIn.announced["client"]?.string ?? "" }
  var secrets: ProviderSecrets { ProviderSecrets(store: CredentialStore(home: home.path)) }

  init() async throws {
    standIn = try await StandIn("spotify", [])
    account = SpotifyAccount(http: http, secrets: ProviderSecrets(store: CredentialStore(home: home.path)))
  }

  @discardableResult
  func order(_ verb: String, _ json: String = "{}") async throws -> JSONView {
    let response = try await http.send(
      HTTPRequest(.changes, method: "POST", url: "\(address)/__control__/\(verb)", body: Array(json.utf8)))
    return try #require(JSONView(response.body), "\(verb): \(String(decoding: response.body, as: UTF8.self))")
  }

  /// Opens the address of a sign-in as a person does, and returns the address at which the browser ends.
  func open(_ address: String) async throws -> String {
    let response = try await http.send(HTTPRequest(.reads, url: address, redirectLimit: 0))
    let text = String(decoding: response.body, as: UTF8.self)
    return try #require(JSONView(response.body)?["location"]?.string, "\(response.status) \(text)")
  }

  /// Signs in and stores the secrets under a name. Returns the name of the account.
  @discardableResult
  func signIn(as name: String = "spotify") async throws -> String? {
    guard case .open(let page) = try await account.link(.init(type: "spotify", clientID: client, address: address))
    else { throw LunaraError("test", "no address to open") }
    let redirect = try await open(page)
    guard
      case .done(let user, let keep) = try await account.link(
        .init(type: "spotify", redirect: redirect, address: address))
    else { throw LunaraError("test", "not linked") }
    try await keep(name)
    return user
  }

  func record(_ parts: [Library.SyncPart: Library.SyncWay] = [:]) -> ProviderRecord {
    var state = ProviderState(pacing: ProviderPacing(linkedAt: .now()))
    for (part, way) in parts { state[part] = way }
    return ProviderRecord(name: "spotify", kind: "spotify", address: address, linkedAt: .now(), state: state)
  }

  func provider() async throws -> SpotifyProvider {
    try #require(try await account.connect(record().link).provider as? SpotifyProvider)
  }

  /// Makes a playlist there and returns its id.
  func make(_ name: String, _ tracks: [Int], _ more: String = "") async throws -> String {
    let made = try await order("playlist", #"{"name":"\#(name)","tracks":\#(tracks)\#(more)}"#)
    return try #require(made["id"]?.string)
  }

  static func track(_ number: Int) -> String {
    "T" + String(String(1_000_000_000_000_000_000 + number).dropFirst()).padded
  }

  /// The numbers of the tracks of a list there.
  func numbers(of list: String) async throws -> [Int] {
    let uris = try await order("playlists").members.first { $0.name == list }?.value["uris"]?.elements ?? []
    return uris.map { $0.string.flatMap { Int($0.suffix(15)) } ?? -1 }
  }

  static func failure(_ body: () async throws -> some Sendable) async -> String? {
    do {
      _ = try await body()
      return nil
    } catch { return LunaraError(error).code }
  }
}

extension String {
  /// The digits with zeros before them, as an id of Spotify has them behind its letter.
  fileprivate var padded: String { String(repeating: "0", count: max(0, 21 - count)) + self }
}

import HTTP
import Messages
import Model
import OAuth
import ServiceKit
import TestSupport
import Testing

@testable import lunara_resolver

/// Each request of the resolver that may change something is sent once: to a server that carries it out, and then
/// closes the kept connection without a byte.
@Suite(.timeLimit(.minutes(1)))
struct ChangesSentOnceTests {
  private let http = HTTPClient(userAgent: "test/1")

  private func server(losing path: String) async throws -> DroppingServer {
    try await DroppingServer.losing({ $0.path == path }) { try await http.send(HTTPRequest(.reads, url: $0)).status }
  }

  /// A plugin may change something by any method, so none of its requests is sent again.
  @Test(arguments: ["GET", "POST", "DELETE"]) func aRequestOfAPluginIsSentOnce(_ method: String) async throws {
    let server = try await server(losing: "/star")
    let network = PluginNetwork(http: http, household: HouseholdServers())
    let access = PluginAccess(hosts: [], servers: [server.address])
    let json = #"{"url":"\#(server.address)/star","method":"\#(method)","body":"x"}"#
    let fields = try #require(JSONView(Array(json.utf8)))
    await #expect(throws: LunaraError.self) { _ = try await network.send(fields, of: "one", access) }
    #expect(server.requests.count { $0.path == "/star" } == 1)
  }

  @Test func aChangeAtApplesPaceIsSentOnceToo() async throws {
    let server = try await server(losing: "/star")
    let network = PluginNetwork(http: http, household: HouseholdServers())
    let access = PluginAccess(hosts: [], servers: [server.address])
    let fields = try #require(JSONView(Array(#"{"url":"\#(server.address)/star","method":"POST"}"#.utf8)))
    await #expect(throws: LunaraError.self) { _ = try await network.sendToApple(fields, of: "one", access) }
    #expect(server.requests.count { $0.path == "/star" } == 1)
  }

  @Test(arguments: ["/v1/me/player", "/v1/me/player/play"]) func anOrderToADeviceIsSentOnce(_ path: String) async throws
  {
    let server = try await server(losing: path)
    let home = TemporaryDirectory()
    let store = PluginAccountStore(credentials: CredentialStore(home: home.path))
    let now = Timestamp(seconds: 1_800_000_000)
    let view = try #require(JSONView(Array(#"{"access_token":"a","refresh_token":"r"}"#.utf8)))
    let client = OAuthClient(id: "c")
    try store.write(
      StoredPluginAccount(client: client, tokens: OAuthTokens(view, client: client, at: now)), AccountService.spotify)
    let accounts = PluginAccounts(
      services: AccountService.all { $0 == "LUNARA_SPOTIFY_URL" ? server.address : nil }, store: store, http: http,
      log: .quiet, now: { now })
    let made = SpotifyDevices(accounts: accounts, http: http, sleep: { _ in })
    let devices = try #require(made)
    let device = Resolver.Device(id: "d", name: "Desk", kind: "computer", isActive: true, isRestricted: false)
    await #expect(throws: LunaraError.self) { try await devices.play(["spotify:track:x"], on: device) }
    #expect(server.requests.count { $0.path == path } == 1)
  }
}

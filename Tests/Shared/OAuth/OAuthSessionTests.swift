import HTTP
import Messages
import Model
import TestSupport
import Testing

@testable import OAuth

/// Refreshing tokens at a server on a real socket.
@Suite(.timeLimit(.minutes(1)))
struct OAuthSessionTests {
  private func server(_ address: String) -> OAuthServer {
    OAuthServer(title: "Service", authorizeAddress: address, tokenAddress: address + "/token", scopes: []) {
      LunaraError("test.\($0.kind)", $0.message)
    }
  }

  /// Single-use refresh tokens, which end the sign-in when they are sent twice.
  @Test func aRefreshWhoseAnswerIsLostIsNotSentAgain() async throws {
    let receiver = try DroppingServer { $0.path == "/token" ? nil : "{}" }
    let http = HTTPClient(userAgent: "test/1")
    let now = Timestamp(seconds: 1_800_000_000)
    let old = #"{"access_token":"a","refresh_token":"r","expires_in":0}"#
    let tokens = try #require(JSONView(Array(old.utf8)).flatMap { OAuthTokens($0, client: .init(id: "c"), at: now) })
    // The connection of this reading is kept, and would be used for the refresh.
    _ = try await http.send(HTTPRequest(.reads, url: receiver.address + "/before"))
    let session = OAuthSession(tokens, at: server(receiver.address), http: http, now: { now }, store: { _ in })
    let error = await #expect(throws: LunaraError.self) { _ = try await session.accessToken() }
    #expect(error?.code == "test.away")
    #expect(receiver.requests.count { $0.body.contains("refresh_token=r") } == 1)
  }

  @Test func aCodeWhoseAnswerIsLostIsNotSentAgain() async throws {
    let receiver = try DroppingServer { $0.path == "/token" ? nil : "{}" }
    let http = HTTPClient(userAgent: "test/1")
    let now = Timestamp(seconds: 1_800_000_000)
    _ = try await http.send(HTTPRequest(.reads, url: receiver.address + "/before"))
    let signIn = OAuthSignIn(client: .init(id: "c"), at: now)
    let error = await #expect(throws: LunaraError.self) {
      _ = try await OAuthSession.exchange("code", of: signIn, at: server(receiver.address), http: http, now: now)
    }
    #expect(error?.code == "test.away")
    #expect(receiver.requests.count { $0.body.contains("code=code") } == 1)
  }
}

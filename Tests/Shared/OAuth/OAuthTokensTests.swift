import Messages
import Model
import Testing

@testable import OAuth

/// The tokens of an answer, and how long they hold.
struct OAuthTokensTests {
  private let now = Timestamp(seconds: 1_800_000_000)
  private func later(_ seconds: Int64) -> Timestamp { Timestamp(seconds: now.seconds + seconds) }

  private func tokens(_ json: String, former: String? = nil) throws -> OAuthTokens? {
    let view = try #require(JSONView(Array(json.utf8)))
    return OAuthTokens(view, client: .init(id: "c", secret: "s"), former: former, at: now)
  }

  @Test func aTokenWithoutALengthHoldsForAnHourAndIsRefreshedAMinuteEarly() throws {
    let tokens = try #require(try tokens(#"{"access_token":"a","refresh_token":"r"}"#))
    #expect(tokens.expiresAt == later(3600) && tokens.refresh == "r" && tokens.client.secret == "s")
    #expect(tokens.hold(at: later(3539)) && !tokens.hold(at: later(3540)))
    #expect(try self.tokens(#"{"access_token":"a","expires_in":"120"}"#)?.hold(at: later(59)) == true)
    #expect(try self.tokens(#"{"access_token":"a","expires_in":120}"#)?.hold(at: later(61)) == false)
  }

  @Test func theFormerRefreshTokenIsKeptWhereNoneComes() throws {
    #expect(try tokens(#"{"access_token":"a"}"#, former: "old")?.refresh == "old")
    #expect(try tokens(#"{"access_token":"a","refresh_token":"new"}"#, former: "old")?.refresh == "new")
    #expect(try tokens(#"{"error":"x"}"#) == nil && tokens(#"{"access_token":""}"#) == nil)
  }

  @Test func aTokenThatHoldsForLongIsRefreshedAtAnAge() throws {
    let tokens = try #require(try tokens(#"{"access_token":"a","expires_in":31536000}"#))
    let week = Milliseconds(7 * 86_400_000)
    #expect(tokens.hold(at: later(7 * 86_400 - 1), within: week) && tokens.hold(at: later(8 * 86_400)))
    #expect(!tokens.hold(at: later(7 * 86_400), within: week))
  }
}
